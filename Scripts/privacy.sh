#!/bin/sh
# Makes the privacy manifests that Apple's store wants, from the list below, and holds them against what objects name.
#
# usage: privacy.sh                    checks that each manifest is what the list makes, and that no other one is there
#        privacy.sh --write            writes them
#        privacy.sh --objects FOLDER   checks the list against FOLDER/ROOM.o, which `make check-apple` compiles for iOS
#        privacy.sh --self-test FOLDER takes each row out of the list, adds one, breaks a manifest: each has to be told
#
# A manifest lies in the room that calls: SwiftPM puts it into that room's bundle, and so into each product with the room.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

# What needs a reason: a name, and its category. A name is a whole symbol of C; or a part of one that Swift or Objective-C
# mangles, after `~`. All are from Apple's list, but for the clocks: Apple names only mach_absolute_time, which these read.
named='
stat                        FileTimestamp
fstat                       FileTimestamp
fstatat                     FileTimestamp
lstat                       FileTimestamp
getattrlist                 FileTimestamp DiskSpace
fgetattrlist                FileTimestamp DiskSpace
getattrlistat               FileTimestamp DiskSpace
getattrlistbulk             FileTimestamp
~12creationDate             FileTimestamp
~16modificationDate         FileTimestamp
~23contentModificationDate  FileTimestamp
~contentModificationDateKey FileTimestamp
~fileModificationDate       FileTimestamp
~NSFileCreationDate         FileTimestamp
~NSFileModificationDate     FileTimestamp
~NSURLCreationDateKey       FileTimestamp
~NSURLContentModificationDateKey FileTimestamp
mach_absolute_time          SystemBootTime
mach_continuous_time        SystemBootTime
clock_gettime               SystemBootTime
clock_gettime_nsec_np       SystemBootTime
~systemUptime               SystemBootTime
statfs                      DiskSpace
fstatfs                     DiskSpace
statvfs                     DiskSpace
fstatvfs                    DiskSpace
~NSFileSystemFreeSize       DiskSpace
~NSFileSystemSize           DiskSpace
~NSURLVolume                DiskSpace
~volumeAvailableCapacity    DiskSpace
~volumeTotalCapacity        DiskSpace
~activeInputModes           ActiveKeyboards
~NSUserDefaults             UserDefaults
~12UserDefaults             UserDefaults
'

# Which room calls what for which reason, as Apple numbers them.
#   C617.1  metadata of files in the app's own container, or its group's: who else could write to a vault's file
#   E174.1  whether there is room to write: a vault says so before it begins
#   35F9.1  time that passed between events in the app: idle time, waits, timeouts. It never leaves the device
reasons='
ThumbturnApple     SystemBootTime 35F9.1
ThumbturnFiles     FileTimestamp  C617.1
ThumbturnFiles     SystemBootTime 35F9.1
ThumbturnFiles     DiskSpace      E174.1
ThumbturnSimulator SystemBootTime 35F9.1
'
[ -z "${PRIVACY_REASONS:-}" ] || reasons=$PRIVACY_REASONS # of the self-test
sources=${PRIVACY_SOURCES:-$root/Sources}

rooms() { echo "$reasons" | awk 'NF { print $1 }' | sort -u; }
folder() { ls -d "$sources"/*/"$1"; }

# manifest ROOM: prints it.
manifest() {
    cat <<'HEAD'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>NSPrivacyTracking</key>
	<false/>
	<key>NSPrivacyTrackingDomains</key>
	<array/>
	<key>NSPrivacyCollectedDataTypes</key>
	<array/>
	<key>NSPrivacyAccessedAPITypes</key>
	<array>
HEAD
    echo "$reasons" | awk -v room="$1" '$1 == room {
        print "\t\t<dict>"
        print "\t\t\t<key>NSPrivacyAccessedAPIType</key>"
        print "\t\t\t<string>NSPrivacyAccessedAPICategory" $2 "</string>"
        print "\t\t\t<key>NSPrivacyAccessedAPITypeReasons</key>"
        print "\t\t\t<array>"
        for (i = 3; i <= NF; i++) print "\t\t\t\t<string>" $i "</string>"
        print "\t\t\t</array>"
        print "\t\t</dict>"
    }'
    printf '\t</array>\n</dict>\n</plist>\n'
}

# Prints what is wrong with the manifests.
manifests() {
    for room in $(rooms); do
        file=$(folder "$room")/PrivacyInfo.xcprivacy
        manifest "$room" | cmp -s - "$file" || echo "$file is not what the list makes: Scripts/privacy.sh --write"
    done
    find "$sources" -name PrivacyInfo.xcprivacy | while read -r file; do
        room=$(basename "$(dirname "$file")")
        rooms | grep -qx "$room" || echo "$file: no row of the list is about $room"
    done
}

# Prints `ROOM CATEGORY NAME` for each name on the list that an object names. Selectors of Objective-C are no symbols, but
# lie in the object as text.
calls() {
    for object in "$1"/Thumbturn*.o; do
        room=$(basename "$object" .o)
        "$nm" --undefined-only "$object" | awk -v room="$room" -v named="$named" '
            BEGIN {
                lines = split(named, line, "\n")
                for (i = 1; i <= lines; i++) if (split(line[i], word, " ") > 1)
                    for (j = 2; j in word; j++) { if (word[1] ~ /^~/) part[substr(word[1], 2), word[j]]; else whole["_" word[1], word[j]] }
            }
            {
                for (key in whole) { split(key, pair, SUBSEP); if ($NF == pair[1]) print room, pair[2], $NF }
                for (key in part) { split(key, pair, SUBSEP); if (index($NF, pair[1])) print room, pair[2], $NF }
            }'
        for selector in systemUptime fileModificationDate activeInputModes; do
            category=$(echo "$named" | awk -v name="~$selector" '$1 == name { print $2 }')
            ! LC_ALL=C grep -qaF "$selector" "$object" || echo "$room $category $selector"
        done
    done | sort -u
}

# Prints where list and objects differ.
differences() {
    called=$(calls "$1")
    for room in $(rooms); do [ -f "$1/$room.o" ] || echo "no object of $room in $1"; done
    echo "$called" | while read -r room category name; do
        [ -n "$room" ] || continue
        echo "$reasons" | awk -v r="$room" -v c="$category" '$1 == r && $2 == c && NF > 2 { found = 1 } END { exit !found }' ||
            echo "$room calls $name, and gives no reason for $category"
    done
    echo "$reasons" | while read -r room category _; do
        [ -n "$room" ] || continue
        echo "$called" | grep -q "^$room $category " || echo "$room gives a reason for $category, and calls nothing that needs it"
    done
}

# tell TEXT: fails where there is any.
tell() {
    [ -n "$1" ] || return 0
    echo "$1" | sed 's/^/privacy: /' >&2
    return 1
}

# expect WHAT PATTERN COMMAND...: the command has to fail, and to say so.
expect() {
    what=$1 pattern=$2
    shift 2
    if said=$("$@" 2>&1); then echo "privacy: $what was not told" >&2; return 1; fi
    echo "$said" | grep -q "$pattern" || { echo "privacy: $what was told as: $said" >&2; return 1; }
    echo "privacy: refused: $what"
}

selfTest() {
    "$0" --objects "$1"
    rows=$(echo "$reasons" | grep -c .)
    [ "$rows" -gt 0 ] || { echo 'privacy: the list is empty' >&2; return 1; }
    for row in $(seq "$rows"); do
        # shellcheck disable=SC2046  # words on purpose
        set -- "$1" $(echo "$reasons" | grep . | sed -n "${row}p")
        expect "$2 without its reason for $3" "^privacy: $2 calls .* no reason for $3" \
            env PRIVACY_REASONS="$(echo "$reasons" | grep . | sed "${row}d")" "$0" --objects "$1"
    done
    expect 'a reason for nothing' 'calls nothing that needs it' \
        env PRIVACY_REASONS="$reasons
ThumbturnFiles UserDefaults CA92.1" "$0" --objects "$1"
    expect 'a folder without objects' 'no object of' "$0" --objects "$root/Scripts"
    copy=$(mktemp -d)
    for room in $(rooms); do
        mkdir -p "$copy/Door/$room"
        cp "$(folder "$room")/PrivacyInfo.xcprivacy" "$copy/Door/$room"
    done
    env PRIVACY_SOURCES="$copy" "$0"
    sed -i '/C617.1/d' "$copy/Door/ThumbturnFiles/PrivacyInfo.xcprivacy"
    expect 'a manifest without its reason' 'is not what the list makes' env PRIVACY_SOURCES="$copy" "$0"
    env PRIVACY_SOURCES="$copy" "$0" --write
    mkdir "$copy/Door/Other" && touch "$copy/Door/Other/PrivacyInfo.xcprivacy"
    expect 'a manifest that nobody made' 'no row of the list' env PRIVACY_SOURCES="$copy" "$0"
    rm -r "$copy"
}

nm=${NM:-$root/.build/apple-sdk/resources/bin/llvm-nm}
[ -x "$nm" ] || nm=llvm-nm
case ${1:-} in
    '') tell "$(manifests)" ;;
    --write) for room in $(rooms); do manifest "$room" >"$(folder "$room")/PrivacyInfo.xcprivacy"; done ;;
    --objects) tell "$(differences "$2")" ;;
    --self-test) selfTest "$2" ;;
    *) sed -n '4,7s/^# *//p' "$0" >&2; exit 2 ;;
esac
