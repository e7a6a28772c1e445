//go:build yolk_nojit

package loader

const reason = "the program was built with the tag yolk_nojit"
