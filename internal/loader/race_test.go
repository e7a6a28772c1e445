//go:build race

package loader

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// The detector ends a program that races, so the races run in a child process.
func TestRaceRanges(t *testing.T) {
	const variable = "YOLK_TEST_RACE"
	kinds := map[string]func(unsafe.Pointer, int){"read": ReadRange, "write": WriteRange}
	if pair := os.Getenv(variable); pair != "" {
		first, second, _ := strings.Cut(pair, " ")
		buf := make([]byte, 4096)
		var wg sync.WaitGroup
		wg.Go(func() { kinds[first](unsafe.Pointer(&buf[0]), 3000) })
		wg.Go(func() { kinds[second](unsafe.Pointer(&buf[2000]), 2096) })
		wg.Wait()
		return
	}
	for _, c := range []struct {
		pair string
		race bool
	}{{"read write", true}, {"write write", true}, {"read read", false}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRaceRanges$")
		cmd.Env = append(os.Environ(), variable+"="+c.pair)
		out, _ := cmd.CombinedOutput()
		if got := strings.Contains(string(out), "DATA RACE"); got != c.race {
			t.Errorf("%s: race reported: %t, want %t\n%s", c.pair, got, c.race, out)
		}
	}
	ReadRange(nil, 0)
	WriteRange(nil, 0)
}
