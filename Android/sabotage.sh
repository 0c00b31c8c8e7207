#!/bin/sh
# Plants each mistake of sabotage.txt in a copy of the adapter, one at a time, and expects a test of test.sh to notice.
#
# usage: sabotage.sh [NAME...]   those alone
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$root/.build/android/sabotage
status=0
planted=0

# A line of the table: name | level | file below Android | a sed script that plants it, or @ and a file that takes its place.
while IFS='|' read -r name level file script; do
    case $name in '' | '#'*) continue ;; esac
    if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
    rm -rf "$scratch"
    mkdir -p "$scratch"
    cp -R "$here/device" "$here/jni" "$scratch"
    case $script in
        @*) cp "$here/${script#@}" "$scratch/$file" ;;
        *) sed -i -E "$script" "$scratch/$file" ;;
    esac
    if cmp -s "$scratch/$file" "$here/$file"; then
        echo "sabotage: $name plants nothing: $file has changed" >&2
        exit 1
    fi
    planted=$((planted + 1))
    log=$scratch/log
    if THUMBTURN_ANDROID_SOURCES="$scratch/device" THUMBTURN_ANDROID_JNI=.build/android/sabotage/jni "$here/test.sh" --api "$level" \
        >"$log" 2>&1; then
        printf '%-34s NOT SEEN\n' "$name"
        status=1
        continue
    fi
    seen=$(sed -n 's/^[^ ]* Test "\{0,1\}\(.*\) recorded an issue.*clause → \.\([A-Za-z]*\).*/\2/p' "$log" | head -1)
    [ -n "$seen" ] || seen=$(sed -n 's/^[^ ]* Test \(.*\) recorded an issue.*/\1/p' "$log" | head -1)
    if [ -z "$seen" ]; then
        echo "sabotage: $name ends without a test that saw it:" >&2
        tail -5 "$log" >&2
        status=1
        continue
    fi
    printf '%-34s %s\n' "$name" "$seen"
done <"$here/sabotage.txt"
echo "$planted planted"
exit "$status"
