# For lint.sh, after lint-names.awk: prints what names what within a circle of a room's files, or of its folders (`by` says which).
#
# Types alone count: two files of one type may call each other's functions, and the head of an extension names nothing, it says
# where its functions belong. With `functions` set, both count.

{
    split(path, part, "/")
    room = part[2] "/" part[3]
    here = path
    if (by == "folder") sub(/\/[^\/]*$/, "", here)
}
code[NR] ~ /^[a-z@]/ && match(code[NR], /(extension|struct|class|enum|protocol|actor) [A-Za-z0-9_.]+/) {
    split(substr(code[NR], RSTART, RLENGTH), part, " ")
    outer = part[2]
}
function own(name) {
    if (!((room, name) in owner)) owner[room, name] = here
    else if (owner[room, name] != here) owner[room, name] = "several"
}
declared() && (functions || name ~ /^[A-Z]/) { own(name); if (code[NR] ~ /^ /) own(outer "." name) }
{ file[NR] = path; place[NR] = here; rooms[NR] = room; lines = NR; hide() }
function isOwned(name, i) { return owner[rooms[i], name] != "" && owner[rooms[i], name] != "several" }
END {
    for (i = 1; i <= lines; i++) {
        rest = code[i]
        if (!functions) sub(/^([a-z@]+ )*extension [A-Za-z0-9_.]+/, "", rest)
        while (next_name()) {
            if (!functions && name !~ /^[A-Z]/ || (file[i], name) in hidden) continue
            # `Outer.Inner` names Inner, and nothing of ours if Outer is not.
            if (name ~ /^[A-Z]/ && match(rest, /^\.[A-Z][A-Za-z0-9_]*/)) {
                inner = substr(rest, 2, RLENGTH - 1)
                if (isOwned(name "." inner, i)) { name = name "." inner; rest = substr(rest, RLENGTH + 1) }
                else if (name != "Self" && owner[rooms[i], name] == "") { rest = substr(rest, RLENGTH + 1); continue }
            }
            if (!isOwned(name, i)) continue
            below = owner[rooms[i], name]
            if (below == place[i]) continue
            if (!((place[i], below) in edge)) { edge[place[i], below] = ++edges; above[edges] = place[i]; under[edges] = below }
            told[edge[place[i], below], file[i] " names " name " of " below] = 1
        }
    }
    # A place stands in no circle once all that it names stand in none, or all that name it.
    do {
        progress = 0
        split("", names)
        split("", named)
        for (e = 1; e <= edges; e++) if (!(e in cut)) { names[above[e]] = 1; named[under[e]] = 1 }
        for (e = 1; e <= edges; e++) if (!(e in cut) && !(above[e] in named && under[e] in names)) { cut[e] = 1; progress = 1 }
    } while (progress)
    for (e = 1; e <= edges; e++) if (!(e in cut)) { reach[above[e], under[e]] = 1; left[above[e]] = 1 }
    for (via in left) for (from in left) if ((from, via) in reach) for (to in left) if ((via, to) in reach) reach[from, to] = 1
    for (key in told) { split(key, part, SUBSEP); if ((under[part[1]], above[part[1]]) in reach) print part[2] }
}
