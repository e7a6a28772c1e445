package ufunc_test

import (
	"flag"
	"os"
	"testing"
)

// Tests have a cache of their own: the user's is neither read nor filled.
func TestMain(m *testing.M) {
	// Properties are drawn the same way in every run, unless the flags of rapid say otherwise.
	for name, value := range map[string]string{"rapid.seed": "6", "rapid.checks": "5000", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	if os.Getenv("YOLK_CACHE") != "" || os.Getenv(jobVariable) != "" { // a child of a test
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "yolk-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("YOLK_CACHE", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
