#!/bin/sh
# Plants each mistake of sabotage.txt in a copy of device, glue and example, one at a time, and expects a test to notice: test.sh
# builds Swift once, then Java and C alone for each.
#
# usage: sabotage.sh [NAME...]   those alone
#
# Prints a table: the mistake, and the first test that saw it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$root/.build/android/sabotage
java=device/src/main/java/org/thumbturn/device
status=0
planted=0

# Makes a copy in which nothing is planted yet.
copy() {
    rm -rf "$scratch"
    mkdir -p "$scratch"
    cp -R "$here/device" "$here/jni" "$here/example" "$scratch"
}

# Runs what has to notice; fails as it does. The longest tests are left out but where the table says `vault`.
look() {
    case $1 in
        manifest) "$here/check.sh" --manifest "$scratch/example/src/main/AndroidManifest.xml" ;;
        kills) timeout 300 env THUMBTURN_ANDROID_PLANTED="$scratch" "$here/test.sh" --kills 120 34 ;;
        vault)
            timeout 300 env THUMBTURN_ANDROID_PLANTED="$scratch" "$here/test.sh" --api 34 \
                --skip 'Android(Contract|Memory|Refusal)Tests'
            ;;
        *)
            timeout 300 env THUMBTURN_ANDROID_PLANTED="$scratch" "$here/test.sh" --api "$1" \
                --skip AndroidMemoryTests --skip 'whole life|system mode'
            ;;
    esac
}

# Says what noticed, after its log.
noticed() {
    case $1 in
        manifest) sed -n 's/^error: \(.*\)/check.sh: \1/p' "$2" ;;
        kills) sed -n -e 's/^    \(.*\)/kills: \1/p' -e 's/^Exception in .*IllegalStateException: /kills: /p' "$2" ;;
        *)
            sed -n -e 's/^[^ ]* Test "\{0,1\}\([^"]*\)"\{0,1\} recorded an issue.*clause → \.\([A-Za-z]*\).*/\1 \2/p' \
                -e 's/^[^ ]* Test "\{0,1\}\([^"(]*\)[("].* recorded an issue.*/\1/p' \
                -e 's/.*ERROR: \(AddressSanitizer: [a-z-]*\).*/\1/p' "$2"
            ;;
    esac | head -1
}

"$here/test.sh" --build
# As a control: with nothing planted there is nothing to see.
for where in 30 34 vault kills manifest; do
    copy
    if ! look "$where" >"$scratch/log" 2>&1; then
        echo "sabotage: with nothing planted, $where fails: $(noticed "$where" "$scratch/log")" >&2
        exit 1
    fi
done
while IFS='|' read -r name where files script; do
    case $name in '' | '#'*) continue ;; esac
    if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
    copy
    for file in $files; do
        case $file in */*) ;; *) file=$java/$file ;; esac
        case $script in
            @*) cp "$here/${script#@}" "$scratch/$file" ;;
            *) sed -i -E "$script" "$scratch/$file" ;;
        esac
        if cmp -s "$scratch/$file" "$here/$file"; then
            echo "sabotage: $name plants nothing: $file has changed" >&2
            exit 1
        fi
    done
    planted=$((planted + 1))
    log=$scratch/log
    if look "$where" >"$log" 2>&1; then
        printf '%-34s NOT SEEN\n' "$name"
        status=1
        continue
    fi
    seen=$(noticed "$where" "$log")
    if [ -z "$seen" ]; then
        echo "sabotage: $name ends without a test that saw it:" >&2
        tail -5 "$log" >&2
        status=1
        continue
    fi
    printf '%-34s %s\n' "$name" "$seen"
done <"$here/sabotage.txt"
echo "$planted planted"
[ "$planted" -gt 0 ] || status=1
exit "$status"
