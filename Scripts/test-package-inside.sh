#!/bin/bash
# What test-package.sh runs in the clean Debian, as root there; /test has the packages.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
version=$(cat /test/VERSION)
say() { printf 'test-package: %s\n' "$*"; }
# What fails on the left of `&&`, or behind `!`, ends nothing by itself.
fail() {
    say "$*"
    exit 1
}

apt-get install --yes --quiet=2 --no-install-recommends /test/*.deb >/dev/null 2>&1 || apt-get install --yes --no-install-recommends /test/*.deb

found=$(command -v swift; find / -xdev -name 'libswiftCore*')
[ -z "$found" ] || fail "this Debian has a toolchain: $found"

# --- every file is there, and every library that may be loaded ---

for program in thumbturn thumbturnd; do
    [ "$($program --version)" = "$program $version" ]
    for text in copyright licences/Swift.txt licences/GCC.txt; do
        [ -s "/usr/share/doc/$program/$text" ] || fail "$program has no $text"
    done
    missing=$(ldd "/usr/bin/$program" | grep 'not found' || true)
    [ -z "$missing" ] || fail "$program: $missing"
done
lazy=$(grep -ao '"soname":\["[^"]*' /usr/bin/thumbturn | cut -d '"' -f 4)
present=$(ldconfig -p)
for soname in $lazy; do
    [[ $present == *"$soname "* ]] || fail "thumbturn may load $soname, which is missing"
done
# All of it, since who stops reading ends `man` with a failure. English is for everybody.
MANPAGER=cat man thumbturnd | grep 'service-key' >/dev/null
MANPAGER=cat man thumbturn | grep 'wallet import NAME' >/dev/null
for page in /usr/share/man/man1/thumbturn.1.gz /usr/share/man/man8/thumbturnd.8.gz; do
    zcat "$page" | mandoc -T lint -W error
done
bash -c '. /usr/share/bash-completion/completions/thumbturn && complete -p thumbturn' >/dev/null
for file in zsh/vendor-completions/_thumbturn fish/vendor_completions.d/thumbturn.fish; do
    [ -s "/usr/share/$file" ] || fail "$file is not there"
done
# An unknown word is only told, with exit code 0.
told=$(systemd-analyze verify /usr/lib/systemd/system/thumbturnd.service 2>&1) || fail "the unit: $told"
[ -z "$told" ] || fail "the unit: $told"

# --- an owner, who is nobody else ---

useradd --create-home owner
cat >/test/owner.sh <<'OWNER'
set -euo pipefail
cd
words='legal winner thank year wave sausage worth useful legal winner thank yellow'
pin='correct horse battery'
thumbturn help >/dev/null
thumbturn doctor >/dev/null
thumbturn init --device files --no-biometrics --secret-fd 3 3<<<"$pin" >/dev/null
thumbturn wallet import savings --secret-fd 3 3<<<"$pin"$'\n'"$words" >/dev/null
[ "$(thumbturn wallet export savings --secret-fd 3 3<<<"$pin")" = "$words" ]
thumbturn status --json | grep -q '"softwareFile"'
# A machine that is lost.
key=$(thumbturn recovery create --json --secret-fd 3 3<<<"$pin" | sed 's/.*"recoveryKey":"\([^"]*\)".*/\1/')
thumbturn recovery check --secret-fd 3 3<<<"$pin"$'\n'"$key" >/dev/null
thumbturn backup copy --secret-fd 3 3<<<"$pin" >/dev/null
rm -r .local
thumbturn restore copy --device files --secret-fd 3 3<<<"$key"$'\n'"$pin" >/dev/null
[ "$(thumbturn wallet export savings --secret-fd 3 3<<<"$pin")" = "$words" ]
# An account, by the library that is loaded for it.
thumbturn --vault "$HOME/account" account register ann@example.org --service http://127.0.0.1:8107 --device files --secret-fd 3 \
    3<<<"$pin" >/dev/null
thumbturn --vault "$HOME/account" unlock --secret-fd 3 3<<<"$pin" >/dev/null
OWNER

# --- the service, as its unit starts it ---

id thumbturnd >/dev/null
[ "$(stat -c '%U %a' /var/lib/thumbturnd)" = 'thumbturnd 700' ]
. /etc/default/thumbturnd
# shellcheck disable=SC2086  # the options are words on purpose
setpriv --reuid thumbturnd --regid thumbturnd --clear-groups env -i XDG_STATE_HOME=/var/lib \
    /usr/bin/thumbturnd serve $OPTIONS 2>/test/log &
service=$!
for _ in $(seq 100); do grep -q '"listening"\|listen' /test/log && break; sleep .1; done
setpriv --reuid owner --regid owner --clear-groups env -i HOME=/home/owner PATH=/usr/bin:/bin LC_ALL=C.UTF-8 bash /test/owner.sh
kill $service
wait $service
[ "$(stat -c '%U %a' /var/lib/thumbturnd/keys/service.key)" = 'thumbturnd 600' ]

# --- the end: programs go, what they kept stays ---

apt-get purge --yes --quiet=2 thumbturn thumbturnd >/dev/null 2>&1
for left in /usr/bin/thumbturn /usr/bin/thumbturnd /etc/default/thumbturnd /usr/share/doc/thumbturn; do
    [ ! -e $left ] || fail "$left is left behind"
done
[ -s /var/lib/thumbturnd/keys/service.key ] || fail "the service's key is gone"
[ -d /home/owner/.local/share/thumbturn ] || fail "the owner's vaults are gone"
