#!/bin/bash
# Installs the packages of out/ in a clean Debian without a toolchain, and uses them there as their owner would: the vault, its
# backup, an account with the service, the pages, and the end of it all.
#
# usage: test-package.sh      after `make package`; needs what `setup.sh --package` installs, and Debian's mirror
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(cat VERSION)
architecture=$(dpkg --print-architecture)
most=$((20 * 1024)) # KiB that the command may take once it is installed

(cd out && sha256sum --check --quiet SHA256SUMS)
for name in thumbturn thumbturnd thumbturn-playground; do
    python3 - "out/${name}_${version}_$architecture.spdx.json" "$name" <<'PYTHON'
import json, re, sys

document, name = json.load(open(sys.argv[1])), sys.argv[2]
names = {package["SPDXID"]: package["name"] for package in document["packages"]}
assert document["spdxVersion"] == "SPDX-2.3" and len(names) == len(document["packages"])
assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", key) for key in names), names
assert all(package["versionInfo"] for package in document["packages"]), document["packages"]
ends = {end for row in document["relationships"] for end in (row["spdxElementId"], row["relatedSpdxElement"])}
assert ends == set(names) | {"SPDXRef-DOCUMENT"}, ends
linked = {"Swift's standard library", "libdispatch", "libstdc++", "libgcc", "libssl3", "libsodium23", "libargon2-1", "libsqlite3-0", "libc6"}
linked |= {
    "thumbturn": {"libcurl4", "libsystemd0", "libtss2-tctildr0"}, "thumbturnd": {"libpq5"}, "thumbturn-playground": {"libcurl4"},
}[name]
assert linked <= set(names.values()), linked - set(names.values())
PYTHON
done
size=$(dpkg-deb --field "out/thumbturn_${version}_$architecture.deb" Installed-Size)
if [ "$size" -gt "$most" ]; then
    echo "test-package: the command takes $size KiB, and may take $most" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/test"
cp out/*.deb VERSION Scripts/test-package-inside.sh "$work/test/"
# What this machine takes its packages from, the clean one does too.
sources=/etc/apt/sources.list.d/debian.sources
[ -e "$sources" ] || sources=/etc/apt/sources.list
mmdebstrap --quiet --variant=apt --format=null --include=bash,man-db,mandoc,systemd \
    --customize-hook="copy-in $work/test /" \
    --customize-hook='chroot "$1" bash /test/test-package-inside.sh' \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" /dev/null "$sources"
echo "test-package: the command takes $size KiB; installed, used and removed in a clean Debian"
