#!/bin/sh
# Builds and vets the module for every platform that it is meant for; where native code cannot be loaded, kernels are
# interpreted. On js/wasm, under Node, their bits must be those of native code.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
export CGO_ENABLED=0

check() { # check WHERE FLAGS...
	echo "build and vet: $1"
	shift
	$GO build "$@" ./...
	$GO vet "$@" ./...
}
for platform in js/wasm wasip1/wasm openbsd/amd64 freebsd/amd64 linux/s390x linux/386 linux/arm64 \
	windows/amd64 windows/arm64 darwin/amd64 darwin/arm64; do
	GOOS=${platform%/*} GOARCH=${platform#*/} check $platform
done
check yolk_nojit -tags yolk_nojit

if ! command -v node >/dev/null; then
	echo "yolk: installing Node through apt" >&2
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs >&2 || true
fi
echo "test: js/wasm"
GOOS=js GOARCH=wasm YOLK_REQUIRE_NATIVE= $GO test -exec "$($GO env GOROOT)/lib/wasm/go_js_wasm_exec" \
	-run '^(TestPortableBits|Example.*|TestOperations|TestFMARoundsOnce|TestRunLengths|TestSpecials)$' ./compiler/interp ./ufunc
