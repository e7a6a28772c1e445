#!/bin/sh
# Runs tests of native code on an emulated arm64, and on emulated processors of lower x86-64 levels: the bits must be those of
# this machine, and no instruction may be one that the processor lacks. It needs a clang and Debian's qemu-user-static,
# libc6-arm64-cross and lld; what is missing it installs through apt where that is allowed, and otherwise it fails.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
sh scripts/setup.sh

programs() { # programs PATTERN...: those in /usr/bin with one of the names
	for program in "$@"; do
		[ ! -x "$program" ] || echo "$program"
	done
}
linkers() { programs /usr/bin/ld.lld /usr/bin/ld.lld-[0-9]*; }
compilers() { programs /usr/bin/clang /usr/bin/clang-[0-9]*; }
complete() {
	command -v qemu-aarch64-static && command -v qemu-x86_64-static && [ -d /usr/aarch64-linux-gnu/lib ] && [ -n "$(linkers)" ]
} >/dev/null

if ! complete; then
	version=$(compilers | sed -n 's/.*clang-\([0-9]*\)$/\1/p' | sort -n | tail -n 1)
	echo "yolk: installing emulators through apt" >&2
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq >&2 || true
	apt-get install -y -qq --no-install-recommends qemu-user-static libc6-arm64-cross "lld${version:+-$version}" >&2 || true
	if ! complete; then
		echo "yolk: no emulators: apt-get install qemu-user-static libc6-arm64-cross lld (as root)" >&2
		exit 1
	fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_ENABLED=0 YOLK_REQUIRE_NATIVE=1

# An emulated program starts this machine's compiler, whose ld knows no arm64: PATH holds what is needed and nothing else.
mkdir "$work/bin"
for program in $(compilers) $(linkers); do
	ln -s "$program" "$work/bin/"
done
arm64() { # arm64 PACKAGE TESTS
	echo "arm64: $1"
	GOARCH=arm64 $GO test -c -o "$work/test" "./$1"
	(cd "$1" && PATH=$work/bin "$qemu" -L /usr/aarch64-linux-gnu "$work/test" -test.run "^($2)$")
}
qemu=$(command -v qemu-aarch64-static)
arm64 native 'TestFence|TestContiguous|TestScalars|TestMatrix|TestInPlace|TestMinMag|TestMixedTypes|TestConstants|TestLookup'
arm64 ufunc 'TestPortableBits'
arm64 jit 'TestKernel|TestLoadWithoutTempDir|TestSubnormalsSurvive'

# Programs with kernels that yolk gen has compiled, there; and the headers of those for macOS.
echo "yolk gen for arm64 and macOS"
YOLK_REQUIRE_EMULATOR=1 $GO test -count=1 -run '^TestScripts$/^gen-elsewhere$' ./cmd/yolk

# qemu 7.2 has no AVX-512. What it does not emulate is taken from the models, so that it need not say so.
$GO test -c -o "$work/test" ./ufunc
for cpu in Nehalem Haswell,-pcid,-x2apic,-tsc-deadline,-hle,-invpcid,-rtm; do
	echo "${cpu%%,*}: ufunc"
	(cd ufunc && qemu-x86_64-static -cpu $cpu "$work/test" -test.run '^TestPortableBits$')
done
