//go:build !yolk_syscalln && ((linux && !android && !faketime && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64))) && !yolk_nojit

// Empty on purpose: see cgocall.go.
