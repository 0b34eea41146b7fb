# conformance.awk - are the values that a deck promises those it gives?
#
#   awk -f conformance.awk DECK MEASURES.json RESULTS.csv
#
# Checks the lines "*? NAME [@ X] = VALUE [+- TOLERANCE]" of DECK (tests/decks/conformance/README.md), prints each that
# does not hold with what was found, and exits with 1 then.

function broken(text) { print "    " text; bad = 1 }

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

FILENAME == ARGV[1] && /^\*\? / { claims[++count] = substr($0, 4) }
FILENAME == ARGV[2] && match($0, /"name": "[^"]*"/) {
    name = tolower(substr($0, RSTART + 9, RLENGTH - 10))
    if (match($0, /"value": [^,}]*/))
        measured[name] = substr($0, RSTART + 9, RLENGTH - 9)
}
FILENAME == ARGV[3] && $0 == "" { # another table
    columns = rows = 0
    split("", column)
    next
}
FILENAME == ARGV[3] {
    fields = split($0, field, ",")
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
END {
    for (k = 1; k <= count; k++)
        check(claims[k])
    exit bad
}
