# docs.awk - runs what a page of the documentation shows, in the current folder, page by page:
#
#   awk -f docs.awk page.md             compares: says what differs, and how many commands there were
#   awk -v update=1 -f docs.awk page.md  writes the page with the outputs as they are now
#
# Blocks of ```console hold lines "$ command" (continued by "> " lines) and below them what the command prints, errors
# included.  In an output a line ".." stands for any lines, and ".." within a line for anything.  Everything else is
# compared as text; behind a comment <!-- within 1 % --> numbers may differ by so much, and behind <!-- a picture --> only the
# number of lines counts.

# What a command prints, into output[1..count].
function run(command,    line, count, pipe) {
    commands++
    pipe = "{ " command "\n} 2>&1 </dev/null"
    while ((pipe | getline line) > 0)
        output[++count] = line
    close(pipe)
    return count
}

function is_number(word) {
    return word ~ /^[-+]?[0-9]+\.?[0-9]*([eE][-+]?[0-9]+)?[,;)]?$/
}

# Equal words, or numbers that are near each other.
function words_agree(shown, real,    a, b, i, n, scale) {
    n = split(shown, a)
    if (split(real, b) != n)
        return 0
    for (i = 1; i <= n; i++) {
        if (a[i] == b[i])
            continue
        if (!within || !is_number(a[i]) || !is_number(b[i]))
            return 0
        scale = a[i] + 0 < 0 ? -a[i] : a[i] + 0
        if (b[i] - a[i] > within * scale || a[i] - b[i] > within * scale)
            return 0
    }
    return 1
}

function agree(shown, real,    parts, n, i, at) {
    n = split(shown, parts, /\.\./)
    if (n < 2)
        return shown == real || (within && words_agree(shown, real))
    for (i = 1; i <= n; i++) {
        at = parts[i] == "" ? 1 : index(real, parts[i])
        if (at == 0 || (i == 1 && at != 1))
            return 0
        if (i == n && parts[i] != "")
            return length(real) >= length(parts[i]) && substr(real, length(real) - length(parts[i]) + 1) == parts[i]
        real = substr(real, at + length(parts[i]))
    }
    return 1
}

# Lines shown[i ..] against output[k ..].
function rest_agrees(i, shown_count, k, count) {
    if (picture)
        return shown_count == count
    while (i <= shown_count) {
        if (shown[i] == "..") {
            if (i == shown_count)
                return 1
            for (; k <= count; k++)
                if (agree(shown[i + 1], output[k]) && rest_agrees(i + 1, shown_count, k, count))
                    return 1
            return 0
        }
        if (k > count || !agree(shown[i], output[k])) {
            failed_line = shown[i]
            return 0
        }
        i++
        k++
    }
    return k > count
}

# A command that the page has shown with its output.
function finish(    count, i) {
    if (command == "")
        return
    count = run(command)
    if (update && rest_agrees(1, shown_count, 1, count)) {
        for (i = 1; i <= shown_count; i++)
            print shown[i]
    } else if (update) {
        for (i = 1; i <= count; i++)
            print output[i]
    } else if (!rest_agrees(1, shown_count, 1, count)) {
        failures++
        printf "%s:%d: %s\n  shown: %s\n  but it prints:\n", FILENAME, command_line, command, failed_line
        for (i = 1; i <= count; i++)
            print "    " output[i]
    }
    command = ""
    shown_count = 0
}

/^<!-- within [0-9.]+ % -->$/ { within = $3 / 100 }
/^<!-- a picture -->$/ { picture = 1 }
inside && /^```$/ { finish(); inside = within = picture = 0 }
inside && /^\$ / {
    finish()
    command = substr($0, 3)
    command_line = FNR
    continued = 1
}
inside && /^> / && continued { command = command "\n" substr($0, 3) }
inside && !/^\$ / && !(/^> / && continued) {
    shown[++shown_count] = $0
    continued = 0
    next
}
update { print }
/^```console$/ { inside = 1 }
END {
    if (!update) {
        printf "%d commands\n", commands > "/dev/stderr"
        exit failures > 0
    }
}
