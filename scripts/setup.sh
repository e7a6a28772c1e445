#!/bin/sh
# Makes sure that a clang which yolk can use (16 or newer) is there, installing it through apt where that is allowed.
# Where it is not, one line says what to install and yolk goes on with its interpreter. Never fails.
# "setup.sh test" makes sure of what only tests need, too: Chromium, in which they open the report page.
set -u

usable() { # usable CLANG: succeeds if it runs and is new enough
	major=$("$1" --version 2>/dev/null | sed -n 's/.*clang version \([0-9][0-9]*\).*/\1/p' | head -n 1)
	[ -n "$major" ] && [ "$major" -ge 16 ]
}

have_clang() {
	for name in clang $(seq -f 'clang-%g' 30 -1 16); do
		path=$(command -v "$name") || continue
		case $path in /*) usable "$path" && return 0 ;; esac # nothing from a relative directory of PATH is run
	done
	return 1
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
		sudo -n "$@"
	else
		return 1
	fi
}

have_browser() {
	for name in chromium chromium-browser google-chrome-stable google-chrome; do
		command -v "$name" >/dev/null && return 0
	done
	return 1
}

if [ "${1:-}" = test ] && ! have_browser; then
	if command -v apt-get >/dev/null 2>&1 && as_root true; then
		echo "yolk: installing chromium through apt" >&2
		as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null 2>&1
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null 2>&1
	fi
	have_browser || echo "yolk: no Chromium was found: the report page will not be opened in one. For that: apt-get install chromium (as root)" >&2
fi

if [ -n "${YOLK_CLANG:-}" ]; then # the user has chosen: nothing to install
	[ "$YOLK_CLANG" = off ] || usable "$YOLK_CLANG" ||
		echo "yolk: YOLK_CLANG=$YOLK_CLANG is no clang 16 or newer: kernels will run on the interpreter" >&2
	exit 0
fi
have_clang && exit 0
if command -v apt-get >/dev/null 2>&1 && as_root true; then
	log=$(mktemp)
	echo "yolk: installing clang through apt" >&2
	as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >"$log" 2>&1
	newest=$(apt-cache search --names-only '^clang-[0-9]+$' | sed -n 's/^clang-\([0-9]*\) .*/\1/p' | sort -n | tail -n 1)
	for version in 19 "$newest"; do
		[ -n "$version" ] && [ "$version" -ge 16 ] || continue
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			"clang-$version" binutils >>"$log" 2>&1 && break
	done
	if have_clang; then
		rm -f "$log"
		exit 0
	fi
	tail -n 3 "$log" >&2
	rm -f "$log"
fi
echo "yolk: no clang 16 or newer was found: kernels will run on the interpreter. To compile them: apt-get install clang-19 (as root)" >&2
exit 0
