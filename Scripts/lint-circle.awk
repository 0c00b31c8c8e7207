# For lint.sh, after lint-names.awk: prints what names what within a circle of files, but between two files that are `known` to
# stand in one; and the known ones that stand in none any more.

BEGIN {
    count = split(known, word, " ")
    for (i = 1; i <= count; i++) listed["Sources/Library/Thumbturn/Core/Vault+" word[i] ".swift"] = 1
}
declared() { if (!(name in owner)) owner[name] = path; else if (owner[name] != path) owner[name] = "several" }
{ file[NR] = path; lines = NR; files[path] = 1; hide() }
END {
    for (i = 1; i <= lines; i++) {
        rest = code[i]
        while (next_name()) {
            below = owner[name]
            if (below == "" || below == "several" || below == file[i] || (file[i], name) in hidden) continue
            edge[file[i], below] = name
        }
    }
    # A file stands in no circle once all that it names stand in none, or all that name it.
    do {
        progress = 0
        for (path in files) {
            if (path in done) continue
            below = above = 0
            for (other in files) {
                if (other in done) continue
                if ((path, other) in edge) below = 1
                if ((other, path) in edge) above = 1
            }
            if (!below || !above) { done[path] = 1; progress = 1 }
        }
    } while (progress)
    for (path in files) for (other in files)
        if (!(path in done) && !(other in done) && (path, other) in edge && !(path in listed && other in listed))
            print path " names " edge[path, other] " of " other
    for (path in listed) if (path in files && path in done) print path " stands in no circle: take it off the list"
}
