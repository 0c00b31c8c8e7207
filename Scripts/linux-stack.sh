#!/bin/bash
# What the tests of the Linux adapter talk to, apart from this system: a bus of its own with the rules of the stock
# system bus, a stand-in for polkit and for logind, and the real fprintd with libfprint's virtual reader.
#
# usage: linux-stack.sh up DIR [--image]     prints `export NAME=value` lines; --image adds a reader that takes pictures
#        linux-stack.sh down DIR             stops every process of it and waits for its end
#        linux-stack.sh check DIR            fails when a process of it is left
#        linux-stack.sh start|stop DIR NAME  one of bus, polkit, logind, fprintd
#
# Needs what `setup.sh --linux` installs. Runs as root or as an ordinary user. DIR is one stack; sockets lie in it, so its
# path stays below 80 bytes, and other users must be able to walk there if they are to reach the bus.
set -euo pipefail
command=${1:?up, down, check, start or stop}
mkdir -p "${2:?a folder}"
folder=$(cd "$2" && pwd) # fprintd changes its directory
bus=unix:path=$folder/bus.sock
seconds=20 # until something that should come up counts as broken
# No service may be started by a bus, and none of this may find the bus of the system.
export DBUS_SYSTEM_BUS_ADDRESS=$bus

[ ${#folder} -le 80 ] || { echo "linux-stack: the path is too long for sockets: $folder" >&2; exit 2; }

# launch NAME COMMAND...: starts a process that outlives this script, and remembers which one it was.
launch() {
    local name=$1
    shift
    setsid "$@" >"$folder/$name.log" 2>&1 </dev/null &
    # A number may be used again; with the time of its start it is one process.
    echo "$! $(awk '{ print $22 }' "/proc/$!/stat")" >"$folder/$name.pid"
}

# Waits for a name on the bus, or for the process behind it to have ended.
await() { gdbus wait --address "$bus" --timeout "$seconds" "$1" >/dev/null; }

# ask NAME PATH METHOD ARGUMENT...: calls a method, and prints the answer.
ask() { gdbus call --address "$bus" --timeout "$seconds" --dest "$1" --object-path "$2" --method "$3" "${@:4}"; }

start_bus() {
    local user
    user=$(id -u)
    # The policies of Debian's system.conf and of the services that are here, and `own` for who runs the stack.
    cat >"$folder/bus.conf" <<XML
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
    "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>$bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
    <allow send_destination="net.reactivated.Fprint"/>
    <allow send_destination="org.freedesktop.PolicyKit1"/>
    <allow send_destination="org.freedesktop.login1"/>
  </policy>
  <policy user="$user">
    <allow own="*"/>
    <allow send_type="method_call"/>
  </policy>
</busconfig>
XML
    # It writes its address once it listens; reading that is the wait.
    rm -f "$folder/ready" "$folder/bus.sock"
    mkfifo "$folder/ready"
    exec 3<>"$folder/ready"
    launch bus dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile --print-address=3
    read -r -t "$seconds" -u 3 _ || { echo "linux-stack: the bus did not start" >&2; return 1; }
    exec 3>&-
}

start_polkit() {
    launch polkit /usr/bin/python3 -m dbusmock --system --template polkitd
    await org.freedesktop.PolicyKit1
    ask org.freedesktop.PolicyKit1 /org/freedesktop/PolicyKit1/Authority org.freedesktop.DBus.Mock.AllowUnknown true
}

start_logind() {
    launch logind /usr/bin/python3 -m dbusmock --system --template logind
    await org.freedesktop.login1
    local object=(org.freedesktop.login1 /org/freedesktop/login1)
    ask "${object[@]}" org.freedesktop.DBus.Mock.AddSession c1 seat0 "$(id -u)" tester true
    ask "${object[@]}" org.freedesktop.DBus.Mock.AddSession c2 seat0 "$(id -u)" tester true
    # logind knows the session of who asks; the stand-in does not.
    ask "${object[@]}" org.freedesktop.DBus.Mock.AddMethod org.freedesktop.login1.Manager GetSession s o \
        'ret = "/org/freedesktop/login1/session/c1"'
}

start_fprintd() {
    local image=()
    [ ! -e "$folder/image" ] || image=("FP_VIRTUAL_IMAGE=$folder/image.sock")
    mkdir -p "$folder/prints"
    launch fprintd env "FP_VIRTUAL_DEVICE=$folder/reader.sock" "${image[@]}" \
        FP_DRIVERS_WHITELIST=virtual_device:virtual_image FP_DRIVERS_ALLOWLIST=virtual_device:virtual_image \
        "STATE_DIRECTORY=$folder/prints" /usr/libexec/fprintd -t
    await net.reactivated.Fprint
    ask net.reactivated.Fprint /net/reactivated/Fprint/Manager net.reactivated.Fprint.Manager.GetDefaultDevice
}

# Ends processes and waits until each is gone, without a race with a number that is used again.
stop() {
    for name in "$@"; do
        [ -e "$folder/$name.pid" ] || continue
        /usr/bin/python3 - "$folder/$name.pid" <<'PY'
import os, select, signal, sys

process, start = open(sys.argv[1]).read().split()
try:
    descriptor = os.pidfd_open(int(process))
    if open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[19] != start:
        sys.exit()
except (ProcessLookupError, FileNotFoundError):
    sys.exit()
for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, None)):
    try:
        signal.pidfd_send_signal(descriptor, number)
    except ProcessLookupError:
        break
    # Readable once it has ended, even where nobody fetches what is left of it.
    if select.select([descriptor], [], [], patience)[0]:
        break
PY
        rm -f "$folder/$name.pid"
    done
}

down() {
    stop fprintd logind polkit bus
    rm -f "$folder"/*.sock "$folder/ready"
}

# Names what still runs with this bus in its environment, apart from this script and who called it.
check() {
    local process left=0
    for process in /proc/[0-9]*; do
        tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -xF "DBUS_SYSTEM_BUS_ADDRESS=$bus" >/dev/null || continue
        echo "linux-stack: left behind: ${process#/proc/} $(tr '\0' ' ' <"$process/cmdline")" >&2
        left=1
    done
    return $left
}

case $command in
    up)
        down
        rm -rf "$folder/prints"
        chmod 755 "$folder"
        if [ "${3-}" = --image ]; then touch "$folder/image"; else rm -f "$folder/image"; fi
        for name in bus polkit logind fprintd; do
            "start_$name" >/dev/null || { tail -n 3 "$folder"/*.log >&2; down; exit 1; }
        done
        echo "export THUMBTURN_TEST_STACK=$folder THUMBTURN_TEST_BUS=$bus THUMBTURN_TEST_READER=$folder/reader.sock"
        ;;
    down) down ;;
    check) check ;;
    start) "start_${3:?a name}" >/dev/null ;;
    stop) stop "${3:?a name}" ;;
    *) echo "linux-stack: up, down, check, start or stop, not '$command'" >&2; exit 2 ;;
esac
