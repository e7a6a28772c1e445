//go:build !yolk_nojit && !(((linux && !android && !faketime && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64))) && !yolk_nojit)

package loader

import "runtime"

const reason = "not supported on " + runtime.GOOS + "/" + runtime.GOARCH
