package team

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tally counts how often each chunk was done, and how many goroutines were at it at once.
type tally struct {
	done      []atomic.Int32
	now, most *atomic.Int32
	do        func(chunk int)
}

func newTally(chunks int) *tally {
	return &tally{done: make([]atomic.Int32, chunks), now: new(atomic.Int32), most: new(atomic.Int32)}
}

func (j *tally) Do(chunk int) {
	n := j.now.Add(1)
	for m := j.most.Load(); n > m && !j.most.CompareAndSwap(m, n); m = j.most.Load() {
	}
	j.done[chunk].Add(1)
	if j.do != nil {
		j.do(chunk)
	}
	j.now.Add(-1)
}

func (j *tally) check(t *testing.T) {
	t.Helper()
	for c := range j.done {
		if n := j.done[c].Load(); n != 1 {
			t.Errorf("chunk %d of %d was done %d times", c, len(j.done), n)
		}
	}
	if n := j.now.Load(); n != 0 {
		t.Errorf("%d goroutines were still at work when Run returned", n)
	}
}

// manyProcessors lets a test run with more goroutines at once than the machine may have processors.
func manyProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(8)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Every chunk is done once, whatever the numbers, with workers that are parked or look out, and nobody is at work after.
func TestEveryChunkOnce(t *testing.T) {
	manyProcessors(t)
	var team Team
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		threads, chunks := rng.IntN(10), rng.IntN(40)
		j := newTally(chunks)
		switch rng.IntN(20) {
		case 0:
			time.Sleep(2 * lookout)
		case 1:
			j.do = func(int) { time.Sleep(time.Microsecond) }
		}
		team.Run(threads, chunks, time.Duration(rng.IntN(2))*time.Second, j)
		j.check(t)
		if most := int(j.most.Load()); most > max(1, threads) {
			t.Errorf("%d goroutines at once, not at most %d", most, threads)
		}
	}
}

// Workers do take part: a chunk may wait for another one to begin, if the call is one that wakes.
func TestWorkersTakePart(t *testing.T) {
	manyProcessors(t)
	var team Team
	j := newTally(2)
	var both sync.WaitGroup
	both.Add(2)
	j.do = func(int) {
		both.Done()
		both.Wait()
	}
	team.Run(2, 2, time.Hour, j)
	j.check(t)
}

// Calls at the same time, and from within chunks, share the workers: there are never more than GOMAXPROCS-1.
func TestWorkersAreShared(t *testing.T) {
	manyProcessors(t)
	var team Team
	before := runtime.NumGoroutine()
	var callers sync.WaitGroup
	for g := range 64 {
		callers.Go(func() {
			for range 50 {
				j := newTally(16)
				j.do = func(chunk int) {
					if chunk == g%16 {
						inner := newTally(5)
						team.Run(8, 5, time.Hour, inner)
						inner.check(t)
					}
				}
				team.Run(8, 16, time.Hour, j)
				j.check(t)
			}
		})
	}
	callers.Wait()
	if n := len(*team.workers.Load()); n > 7 {
		t.Errorf("%d workers with GOMAXPROCS 8", n)
	}
	extra := 0
	for range 10_000 { // a caller that is done is still counted until its goroutine has ended
		if extra = runtime.NumGoroutine() - before; extra <= 7 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left", extra)
}

// A panic in any chunk, on any goroutine, comes out of Run, after everybody has stopped; the team stays usable.
func TestPanics(t *testing.T) {
	manyProcessors(t)
	var team Team
	for bad := range 12 {
		j := newTally(12)
		j.do = func(chunk int) {
			if chunk == bad {
				j.now.Add(-1)
				panic(bad)
			}
		}
		func() {
			defer func() {
				if v := recover(); v != bad {
					t.Errorf("a panic with %v came out as %v", bad, v)
				}
			}()
			team.Run(4, 12, time.Hour, j)
			t.Errorf("the panic of chunk %d got lost", bad)
		}()
		if n := j.now.Load(); n != 0 {
			t.Errorf("%d goroutines were at work after the panic", n)
		}
		fine := newTally(12)
		team.Run(4, 12, time.Hour, fine)
		fine.check(t)
	}
}

// A run that is over holds on to nothing of its job.
func TestJobsAreLetGo(t *testing.T) {
	manyProcessors(t)
	var team Team
	var collected atomic.Bool
	func() {
		j := newTally(100)
		runtime.SetFinalizer(j, func(*tally) { collected.Store(true) })
		team.Run(4, 100, time.Hour, j)
	}()
	for range 100 {
		if runtime.GC(); collected.Load() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the job is still held")
}
