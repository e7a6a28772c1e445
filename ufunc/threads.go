package ufunc

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// Threads divides calls among at most n threads, the caller's included; 0 is GOMAXPROCS at the time of the call, 1 is the
// default. The bits of the results do not depend on it, and calls that are too short to gain run on one thread.
//
// The threads besides the caller's come from a team that all kernels of the process share, of GOMAXPROCS-1 goroutines: calls at
// the same time divide it among them instead of starting more threads than there are processors. Its members look out for
// work for some 50 µs after the last and then park, so calls one after another gain most; [Kernel.Call] on
// many goroutines that are there anyway needs no Threads. The interpreter runs on one thread.
func Threads(n int) Option {
	return func(c *config) {
		if n < 0 {
			c.fault("ufunc: Threads(%d)", n)
		}
		c.threads = n
	}
}

// How calls are divided, in nanoseconds of one thread by the estimate of [native.Target.Nanoseconds]. Two cores of Zen 5: handing work to a
// member of the team that is awake takes some 0.3 µs, waking one 5 µs of the caller's time.
const (
	leastDivided  = 8_000  // a call shorter than this runs on one thread
	leastPart     = 2_000  // calling the kernel once more is below 2 % of it
	mostPart      = 50_000 // threads that share a processor with others wait this long for the last part
	partsPerShare = 4      // for each thread, so that the first to finish can take over some of the others' work
)

// workers is the number of threads that a call of n elements may use; 1 if it is too short.
func (k *Kernel) workers(e *executor, n int) int {
	if k.config.threads == 1 || e.nanoseconds()*float64(n) < leastDivided {
		return 1
	}
	all := runtime.GOMAXPROCS(0)
	if k.config.threads == 0 {
		return all
	}
	return min(k.config.threads, all)
}

// division is a call on several threads.
type division struct {
	parts  operand.Parts
	native *jit.Kernel
	whole  int64 // elements
	fault  atomic.Int32
}

// Do calls the kernel on one part, unless another one has failed.
func (d *division) Do(part int) {
	if d.fault.Load() != 0 {
		return
	}
	var data [8]unsafe.Pointer // more than that go to the heap
	var count [operand.MaxDims]int64
	p, c, s := d.parts.Args(part, data[:0], count[:0])
	if f := d.native.Call(&jit.Args{Data: &p[0], Count: &c[0], Stride: &s[0], Whole: d.whole}); f != 0 {
		d.fault.CompareAndSwap(0, int32(f))
	}
}

// divide runs native code on the argument block of n elements on several threads.
func (k *Kernel) divide(e *executor, workers, n int, data []unsafe.Pointer, count, stride []int64) jit.Fault {
	d := k.divisions.Get().(*division)
	share := e.nanoseconds() * float64(n) / float64(workers)
	perShare := max(1, int(share/min(max(share/partsPerShare, leastPart), mostPart)))
	d.parts.Divide(data, count, stride, workers*perShare)
	d.native, d.whole = e.native, int64(n)
	d.fault.Store(0)
	process.team.Run(workers, d.parts.Len(), time.Duration(share)*time.Duration(workers), d)
	fault := jit.Fault(d.fault.Load())
	d.parts.Release()
	k.divisions.Put(d)
	return fault
}
