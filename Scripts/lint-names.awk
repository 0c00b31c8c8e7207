# For lint.sh, over the lines of its `code`: what a file declares for others to call, and the names that a line uses.

{ match($0, /:[0-9]+:/); line = $0; path = substr($0, 1, RSTART - 1); code[NR] = substr($0, RSTART + RLENGTH + 1) }
# Whether this line declares a type, or a function that other files can call: `name` says which.
function declared(    words, count, i, word, rest) {
    rest = code[NR]
    if (rest !~ /^(    )?[a-z@]/ || rest ~ /(^|[^a-z])(private|fileprivate)[^a-z(]/) return 0
    count = split(rest, word, /[^A-Za-z0-9_]+/)
    for (i = 1; i < count; i++) {
        if (word[i] ~ /^(func|struct|class|enum|protocol|actor|typealias)$/ && word[i + 1] ~ /^[A-Za-z]/) {
            if (word[i + 1] ~ /^(func|var|let)$/) continue
            name = word[i + 1]
            return 1
        }
        if (word[i] ~ /^(var|let|case|init|return|if|for|guard|switch)$/) return 0
    }
    return 0
}
# Keeps what a file says by a name of its own: its private functions, those of its types, and its parameters.
function hide(    rest, word, count, i) {
    rest = code[NR]
    while (match(rest, /[a-z][A-Za-z0-9_]*:/)) {
        hidden[path, substr(rest, RSTART, RLENGTH - 1)] = 1
        rest = substr(rest, RSTART + RLENGTH)
    }
    if (match(code[NR], /func [a-z][A-Za-z0-9_]*/)) hidden[path, substr(code[NR], RSTART + 5, RLENGTH - 5)] = 1
}
# Takes the next name that `rest` uses: a type, or a call of a function of this object.
function next_name(    before, last) {
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
        before = substr(rest, 1, RSTART - 1)
        last = name
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (name ~ /^[A-Z]/) { if (before !~ /"[^"]*$/) return 1; continue }
        if (rest ~ /^[(<]/ && (before !~ /\.$/ || last ~ /^(self|vault)$/) && last != "func") return 1
    }
    return 0
}
