package native

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
)

// Vectors that are loaded to pick strided elements from end with the last element or before, also where a vector has fewer
// lanes than the stride.
func TestPickStaysInside(t *testing.T) {
	offset := regexp.MustCompile(`getelementptr \w+, ptr %strided, i64 (-?\d+)`)
	for _, f := range []format{binary32, binary64} {
		for _, bits := range []int{128, 256, 512} {
			for stride := 2; stride <= 4; stride++ {
				t.Run(fmt.Sprintf("%s/%d/%d", f.llvm, bits, stride), func(t *testing.T) {
					m := mover{emitter: &emitter{}, format: f, lanes: bits / f.bits}
					m.pick(stride, "%strided")
					loads := offset.FindAllStringSubmatch(m.body.String(), -1)
					if len(loads) == 0 {
						t.Fatal("no loads")
					}
					for _, l := range loads {
						at, err := strconv.Atoi(l[1])
						if err != nil || at < 0 || at+m.lanes > (m.lanes-1)*stride+1 {
							t.Errorf("%d elements at %d; the last one is %d", m.lanes, at, (m.lanes-1)*stride)
						}
					}
				})
			}
		}
	}
}
