#!/bin/sh
# Installs what the benchmark beside other libraries (make peers) finds in Debian's packages, where that is allowed. The
# benchmark skips what is missing. Never fails.
set -u
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || exit 0
missing=
for package in g++ libsleef-dev libeigen3-dev libdnnl-dev python3-numpy python3-scipy python3-numba python3-numexpr python3-torch; do
	dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >/dev/null 2>&1
for package in $missing; do
	echo "yolk: installing $package through apt" >&2
	apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 || echo "yolk: no package $package" >&2
done
exit 0
