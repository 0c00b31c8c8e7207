#!/bin/sh
# Puts what `Scripts/release.sh` built below a folder, with its pages, completions and unit; builds nothing.
#
# usage: install.sh ROOT PREFIX PROGRAM...     PROGRAM is thumbturn or thumbturnd; ROOT is empty but for a package
set -eu
root=$1 prefix=$2
shift 2
cd "$(dirname "$0")/.."
# What is written is for everybody, and not in the language of whoever builds it.
export LC_ALL=C.UTF-8
built=.build/release
shared=$root$prefix/share
written=$(mktemp)
trap 'rm -f "$written"' EXIT

# Puts what was written to a file, for everybody to read.
put() {
    [ -s "$written" ] || { echo "install: nothing was written for $1" >&2; exit 1; }
    install -D -m 644 "$written" "$1"
}

# What `make demo` built is not optimised.
if [ "$(readlink "$built")" = unoptimised/release ]; then
    echo "install: run 'make release' first" >&2
    exit 1
fi
for program in "$@"; do
    if [ ! -x "$built/$program" ]; then
        echo "install: $program is not built: run 'make release' first" >&2
        exit 1
    fi
    # Without symbols: they are two thirds of it.
    install -D -m 755 -s "$built/$program" "$root$prefix/bin/$program"
    # The playground comes with the command, which starts it; not in its package, which it would double.
    [ -n "$root" ] || [ "$program" != thumbturn ] || [ ! -x "$built/thumbturn-playground" ] \
        || install -D -m 755 -s "$built/thumbturn-playground" "$root$prefix/bin/thumbturn-playground"
done

for program in "$@"; do
    case $program in
        thumbturn)
            "$built/thumbturn" man >"$written"
            put "$shared/man/man1/thumbturn.1"
            # Debian's zsh looks in another place for what comes in packages.
            functions=zsh/site-functions
            [ "$prefix" != /usr ] || functions=zsh/vendor-completions
            for place in bash:bash-completion/completions/thumbturn "zsh:$functions/_thumbturn" \
                fish:fish/vendor_completions.d/thumbturn.fish; do
                "$built/thumbturn" completion "${place%%:*}" >"$written"
                put "$shared/${place#*:}"
            done
            ;;
        thumbturnd)
            sed "s/@VERSION@/$(cat VERSION)/" Packaging/thumbturnd.8 >"$written"
            put "$shared/man/man8/thumbturnd.8"
            sed "s,/usr/bin/thumbturnd,$prefix/bin/thumbturnd," Packaging/thumbturnd.service >"$written"
            put "$root$prefix/lib/systemd/system/thumbturnd.service"
            ;;
    esac
done
