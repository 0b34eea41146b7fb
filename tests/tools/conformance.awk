# conformance.awk - are the values that decks promise those they give?
#
#   awk -f conformance.awk LIST
#
# LIST has a line for each deck: exit status, deck, and a file of what was said, STEM.err; results are in STEM.json (of
# .measure) and STEM.csv.  Checks the lines "*? NAME [@ X] = VALUE [+- TOLERANCE]" of the decks
# (tests/decks/conformance/README.md), prints each that does not hold with what was found, and exits with 1 then.

BEGIN { FS = "\t" }

function broken(text) { print "  " path ": " text; bad = 1 }

# The column's value at x by a straight line between rows; that of the last row without x.
function value_at(column, x,    row, part)
{
    if (x == "")
        return cell[rows, column] + 0
    for (row = 1; row < rows && cell[row, 1] < x; row++)
        ;
    if (row == 1 || cell[row, 1] <= x)
        return cell[row, column] + 0
    part = (x - cell[row - 1, 1]) / (cell[row, 1] - cell[row - 1, 1])
    return cell[row - 1, column] + part * (cell[row, column] - cell[row - 1, column])
}

function check(claim,    sides, left, right, name, found, size)
{
    split(claim, sides, / = /)
    split(sides[1], left, / @ /)
    split(sides[2], right, / \+- /)
    name = tolower(left[1])
    size = right[1] < 0 ? -right[1] : right[1] + 0
    if (name in measured)
        found = measured[name]
    else if (name in column)
        found = value_at(column[name], left[2] == "" ? "" : left[2] + 0)
    else {
        broken(claim ": there is no such result")
        return
    }
    if (found !~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/) {
        broken(claim ": it is " found)
        return
    }
    size = right[2] == "" ? 1e-6 * size + 1e-12 : right[2] + 0
    if (found - right[1] > size || right[1] - found > size)
        broken(claim ": it is " found)
}

function read_claims(    line)
{
    count = 0
    while ((getline line < path) > 0)
        if (line ~ /^\*\? /)
            claims[++count] = substr(line, 4)
    close(path)
}

function read_measures(file,    line, name)
{
    split("", measured)
    while ((getline line < file) > 0)
        if (match(line, /"name": "[^"]*"/)) {
            name = tolower(substr(line, RSTART + 9, RLENGTH - 10))
            if (match(line, /"value": [^,}]*/))
                measured[name] = substr(line, RSTART + 9, RLENGTH - 9)
        }
    close(file)
}

# The last of its tables.
function read_results(file,    line, fields, field, k)
{
    columns = rows = 0
    split("", column)
    split("", cell)
    while ((getline line < file) > 0) {
        if (line == "") {
            columns = rows = 0
            split("", column)
            continue
        }
        fields = split(line, field, ",")
        rows += columns > 0
        for (k = 1; k <= fields; k++)
            if (rows > 0)
                cell[rows, k] = field[k] + 0
            else {
                gsub(/"/, "", field[k])
                column[tolower(field[k])] = k
            }
        columns = fields
    }
    close(file)
}

{
    path = $2
    stem = substr($3, 1, length($3) - 4)
    read_claims()
    read_measures(stem ".json")
    read_results(stem ".csv")
    for (k = 1; k <= count; k++)
        check(claims[k])
}
END { exit bad }
