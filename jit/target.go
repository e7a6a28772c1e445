package jit

import (
	"fmt"
	"runtime"
	"strings"
)

// Triple returns LLVM's name for a target, given by its Go names. Known are linux
// and darwin on amd64 and arm64.
func Triple(goos, goarch string) (string, error) {
	switch goos + "/" + goarch {
	case "linux/amd64":
		return "x86_64-unknown-linux-gnu", nil
	case "linux/arm64":
		return "aarch64-unknown-linux-gnu", nil
	case "darwin/amd64":
		return "x86_64-apple-macosx11.0.0", nil // macOS 11: as on arm64
	case "darwin/arm64":
		return "arm64-apple-macosx11.0.0", nil // the first macOS on arm64
	}
	return "", fmt.Errorf("jit: no target for %s/%s", goos, goarch)
}

// HostTriple returns LLVM's name for the machine this program was built for.
func HostTriple() (string, error) { return Triple(runtime.GOOS, runtime.GOARCH) }

// machine splits a triple into what the choice of a linker depends on.
func machine(triple string) (arch string, elf, native bool) {
	arch, system, _ := strings.Cut(triple, "-")
	elf = strings.Contains(system, "linux")
	host, err := HostTriple()
	if err != nil {
		return arch, elf, false
	}
	hostArch, hostSystem, _ := strings.Cut(host, "-")
	native = arch == hostArch && elf == strings.Contains(hostSystem, "linux")
	return arch, elf, native
}

// checkTriple keeps anything but a triple out of command lines.
func checkTriple(triple string) error {
	if triple == "" {
		return fmt.Errorf("jit: no target given")
	}
	for _, c := range triple {
		if !isWord(c) && c != '-' && c != '.' {
			return fmt.Errorf("jit: target %q contains %q", triple, c)
		}
	}
	return nil
}

// checkSymbol keeps anything but a C name out of command lines and symbol look-up.
func checkSymbol(symbol string) error {
	if symbol == "" {
		return fmt.Errorf("jit: no symbol given")
	}
	for _, c := range symbol {
		if !isWord(c) {
			return fmt.Errorf("jit: symbol %q contains %q", symbol, c)
		}
	}
	return nil
}

func isWord(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}
