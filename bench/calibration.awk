# calibration.awk - the tables of bench/calibration.  With -f equal_error.awk before it; -v markdown=1 for markdown.
# Input: lines of calibration.c, each with the circuit and a comma before it.

function cell(text) { line = line (markdown ? " | " : "") sprintf(markdown ? "%s" : "%14s", text) }
function row(first) { line = markdown ? "| " first : sprintf("%-18s", first) }
function finish() { print line (markdown ? " |" : "") }
function rule(columns,    i) { if (markdown) { row("---"); for (i = 1; i <= columns; i++) cell("---"); finish() } }
function heading(text) { printf "\n%s%s\n\n", markdown ? "**" : "", text (markdown ? "**" : "") }
function brief(x) { return x == "" ? "-" : sprintf(x < 0.1 ? "%.1e" : x < 10 ? "%.2f" : "%.0f", x) }
function sort(a, n,    i, k, x) { for (i = 2; i <= n; i++) for (k = i; k > 1 && a[k] < a[k - 1]; k--) { x = a[k]; a[k] = a[k - 1]; a[k - 1] = x } }
function median(a, n) { sort(a, n); return n % 2 ? a[(n + 1) / 2] : sqrt(a[n / 2] * a[n / 2 + 1]) }

BEGIN { FS = "," }
$2 == "method" { next }
{
    if (!($1 in known_circuit)) { known_circuit[$1]; circuits[++circuit_count] = $1 }
    if (!($2 in known_method)) { known_method[$2]; methods[++method_count] = $2 }
    if (!($3 in known_reltol)) { known_reltol[$3]; reltols[++reltol_count] = $3 }
    if ($4 == "failed") { failed = failed sprintf("%s%s on %s at %s", failed ? ", " : "", $2, $1, $3); next }
    worst[$1, $2, $3] = $4 + 0; middle[$1, $2, $3] = $5 + 0; seconds[$1, $2, $3] = $14 + 0
    steps[$1, $2, $3] = $8 + $9; newton[$1, $2, $3] = $10; factors[$1, $2, $3] = $12; solves[$1, $2, $3] = $13
    doubt[$1, $3] = $15 + 0
}

function error_of(i) { return brief(worst[i]) " (" brief(middle[i]) ")" }
function cost_of(i) { return "  " steps[i] "/" newton[i] "/" factors[i] "/" solves[i] "/" brief(1000 * seconds[i]) }

# A row for each circuit and tolerance: errors, or what they cost.
function table(title, costs,    c, r, m, i)
{
    heading(title)
    row("circuit, reltol"); for (m = 1; m <= method_count; m++) cell(methods[m]); finish(); rule(method_count)
    for (c = 1; c <= circuit_count; c++)
        for (r = 1; r <= reltol_count; r++) {
            row(circuits[c] ", " reltols[r])
            for (m = 1; m <= method_count; m++) {
                i = circuits[c] SUBSEP methods[m] SUBSEP reltols[r]
                cell(!(i in worst) ? "-" : costs ? cost_of(i) : error_of(i))
            }
            if (!costs && doubt[circuits[c], reltols[r]] > 0.1)
                cell(sprintf("reference sure to %.1f", doubt[circuits[c], reltols[r]]))
            finish()
        }
}

# Of the numbers given in a list: median, smallest, largest.
function spread(a, n)
{
    if (!n) return "-"
    sort(a, n)
    return brief(median(a, n)) " (" brief(a[1]) " .. " brief(a[n]) ")"
}

function summary_table(    m, r, c, i, n, list, good, all)
{
    heading("Error / reltol of the worst vector: median over the circuits (range)")
    row("method"); for (r = 1; r <= reltol_count; r++) cell(reltols[r]); cell("within 0.2 .. 3"); finish(); rule(reltol_count + 1)
    for (m = 1; m <= method_count; m++) {
        row(methods[m]); good = all = 0
        for (r = 1; r <= reltol_count; r++) {
            n = 0
            for (c = 1; c <= circuit_count; c++) {
                i = circuits[c] SUBSEP methods[m] SUBSEP reltols[r]; all++
                if (i in worst) { list[++n] = worst[i]; good += worst[i] >= 0.2 && worst[i] <= 3 }
            }
            cell(spread(list, n))
        }
        cell(good " of " all); finish()
    }
}

function time_at(circuit, method, target,    r, i, n, error, time)
{
    n = 0
    for (r = 1; r <= reltol_count; r++) {
        i = circuit SUBSEP method SUBSEP reltols[r]
        if (i in worst) { error[++n] = worst[i] * reltols[r]; time[n] = seconds[i] }
    }
    return least_time(n, error, time, target)
}

function work_table(target,    c, m, t, best)
{
    heading(sprintf("Processor time in ms for an error of %.0e", target) "; auto in units of the best other method")
    row("circuit"); for (m = 1; m <= method_count; m++) cell(methods[m]); cell("auto / best"); finish(); rule(method_count + 1)
    for (c = 1; c <= circuit_count; c++) {
        row(circuits[c]); best = "-"
        for (m = 1; m <= method_count; m++) {
            t = time_at(circuits[c], methods[m], target)
            cell(t == "-" ? t : brief(1000 * t))
            if (methods[m] != "auto" && t != "-" && (best == "-" || t < best)) best = t
        }
        t = time_at(circuits[c], "auto", target)
        cell(t == "-" || best == "-" ? "-" : sprintf("%.2f", t / best)); finish()
    }
}

END {
    table("Error / reltol of the worst vector (of the median vector)")
    if (!markdown) table("Steps tried / Newton iterations / factorisations / solves / ms", 1)
    if (reltol_count > 1) { work_table(1e-3); work_table(1e-5) }
    summary_table()
    if (failed) printf "\nWithout a result: %s.\n", failed
}
