# For lint.sh, over the lines of its `code`: what a file declares for others to call, and the names that a line uses.

{ match($0, /:[0-9]+:/); line = $0; path = substr($0, 1, RSTART - 1); code[NR] = substr($0, RSTART + RLENGTH + 1) }
# A text of several lines names nothing.
{ isQuoted = code[NR] ~ /"""/ ? !wasQuoted : wasQuoted; if (wasQuoted) code[NR] = ""; wasQuoted = isQuoted }
code[NR] ~ /"/ { code[NR] = unquoted(code[NR]) }
# A line without its literals, but with what they interpolate.
function unquoted(text,    left, i, c, depth, parens, isText) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (isText && c == "\\") {
            if (substr(text, ++i, 1) == "(") { isText = 0; parens[++depth] = 1; left = left " (" }
        } else if (c == "\"") {
            isText = !isText
            left = left c
        } else if (!isText) {
            left = left c
            if (c == "(") parens[depth]++
            if (c == ")" && --parens[depth] == 0 && depth > 0) { depth--; isText = 1 }
        }
    }
    return left
}
# Whether this line declares a type, or a function or computed property that other files can name: `name` says which.
function declared(    words, count, i, word, rest) {
    rest = code[NR]
    if (rest !~ /^(    )?[a-z@]/ || rest ~ /(^|[^a-z])(private|fileprivate)[^a-z(]/) return 0
    if (rest ~ /^    / && isComputed(rest)) {
        match(rest, /var [a-z][A-Za-z0-9_]*/)
        name = substr(rest, RSTART + 4, RLENGTH - 4)
        property[name] = 1
        return 1
    }
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
# Whether a line declares a property that is computed: a type, then a body.
function isComputed(text) { return text ~ /(^|[^A-Za-z0-9_])var [a-z][A-Za-z0-9_]*: [^={]*\{/ }
# Keeps what a file says by a name of its own: its types, also generic ones, its private functions, its parameters, its constants.
function hide(    rest, word, kept, count, i) {
    if (match(code[NR], /(struct|class|enum|protocol|actor|typealias) [A-Z][A-Za-z0-9_]*/)) {
        split(substr(code[NR], RSTART, RLENGTH), kept, " ")
        hidden[path, kept[2]] = 1
    }
    if (match(code[NR], /(^|[^A-Za-z])(func|struct|class|enum|actor|typealias|subscript|init)[ A-Za-z0-9_?]*<[^>]*>/)) {
        count = split(substr(code[NR], RSTART, RLENGTH), kept, /[<,>] *(let )?/)
        for (i = 2; i <= count; i++) { sub(/:.*/, "", kept[i]); hidden[path, kept[i]] = 1 }
    }
    rest = code[NR]
    while (match(rest, /(let|var|for|in) [a-z][A-Za-z0-9_]*/)) {
        word = substr(rest, RSTART, RLENGTH)
        sub(/^[a-z]+ /, "", word)
        if (rest ~ ("(let|var) " word) || rest ~ /\{ *\(?[a-z, ]*\)? in/) hidden[path, word] = 1
        rest = substr(rest, RSTART + RLENGTH)
    }
    rest = code[NR]
    while (match(rest, /[a-z][A-Za-z0-9_]*:/)) {
        hidden[path, substr(rest, RSTART, RLENGTH - 1)] = 1
        rest = substr(rest, RSTART + RLENGTH)
    }
    if (match(code[NR], /func [a-z][A-Za-z0-9_]*/)) hidden[path, substr(code[NR], RSTART + 5, RLENGTH - 5)] = 1
}
# Takes the next name that `rest` uses: a type, or a function of this object that it calls or a property that it reads.
function next_name(    before, last) {
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
        before = substr(rest, 1, RSTART - 1)
        last = name
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (name ~ /^[A-Z]/) return 1
        if (last == "func" || rest !~ /^([(<]| \{)/ && !(name in property)) continue
        if (before !~ /\.$/ || last ~ /^(self|vault)$/) return 1
    }
    return 0
}
