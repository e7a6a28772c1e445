package ufunc_test

import (
	"os"
	"testing"
)

// Tests have a cache of their own: the user's is neither read nor filled.
func TestMain(m *testing.M) {
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
