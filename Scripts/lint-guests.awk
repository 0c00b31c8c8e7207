# For lint.sh, after lint-names.awk: prints the lines of the core that name a feature, and those of a feature that name another.

# Where a line stands: a feature, the core, or what may name both: the face, the register, the contracts.
function home(path,    part) {
    if (split(path, part, "/") < 5) return "face"
    if (part[4] == "Features") return part[6] == "" ? "face" : part[4] "/" part[5]
    return part[4] == "Vault" ? "face" : "core"
}
{ here = home(path) }
declared() && !((name, here) in owns) { owns[name, here] = 1; owners[name] = owners[name] " " here }
{ text[NR] = line; place[NR] = here; file[NR] = path; lines = NR; hide() }
END {
    for (i = 1; i <= lines; i++) {
        if (place[i] == "face") continue
        rest = code[i]
        while (next_name()) {
            if (!(name in owners) || (name, place[i]) in owns || (file[i], name) in hidden) continue
            if (owners[name] !~ /Features/) continue
            if (owners[name] ~ / (core|face)/) continue
            print text[i]
            break
        }
    }
}
