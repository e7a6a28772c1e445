// Package team divides a piece of work among a bounded number of goroutines.
//
// In goes a [Job] of numbered chunks; [Team.Run] returns when all have been done, each of them once. The package does not
// know what a chunk is, and decides neither how many there are nor whether dividing pays.
//
// The goroutine that calls Run works too. The others, the workers, belong to the team, which has at most one less than
// GOMAXPROCS of them however many calls are running: a call takes those that are free at the moment and does without the
// others, so calls at the same time, or a call from within a chunk, neither wait for one another nor start more threads than
// there are processors.
//
// A worker that has nothing to do looks out for work for a while, so that handing over costs a few hundred nanoseconds in
// calls one after another, and then parks. Waking it takes some 10 µs of the caller's time and 50 to 100 µs until it is there
// (on a virtual machine, where the processor has to be woken too), so it is woken by a call that lasts much longer than that, or
// comes soon after another, and a short call that comes alone has only itself.
//
// Every participant has a range of adjacent chunks, the same in each call with the same numbers, so that what it touched
// last time may still be in its cache, and takes chunks from the ranges of others when its own is done.
package team

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Job is work in chunks. Do is called from several goroutines at once, for every chunk once. It may panic but must not call
// runtime.Goexit.
type Job interface{ Do(chunk int) }

// Team has the workers that its runs share. The zero Team is ready for use. Its workers live as long as the program.
type Team struct {
	grow    sync.Mutex
	workers atomic.Pointer[[]*worker]
	runs    sync.Pool    // of *run
	last    atomic.Int64 // when the last run ended, since epoch
}

// lookout is for how long a worker looks out for work before it parks, and a caller for workers before it blocks: about
// twice what waking takes, so that to look out is at worst as dear again. With less, a thread that loses its processor for as long as
// that would find the other one parked, and so on.
const lookout = 200 * time.Microsecond

// worthWaking is the length of a call for which alone a worker is woken.
const worthWaking = 300 * time.Microsecond

var epoch = time.Now()

// Run does chunks 0 to chunks-1 of the job on the calling goroutine and at most threads-1 others. length is how long the job
// would take on one thread, roughly. If a chunk panics, some of the others are left out, and Run panics with the same
// value when no worker is at work any more.
func (t *Team) Run(threads, chunks int, length time.Duration, job Job) {
	workers := min(threads, chunks, runtime.GOMAXPROCS(0)) - 1
	if workers < 1 {
		for c := range chunks {
			job.Do(c)
		}
		return
	}
	r, _ := t.runs.Get().(*run)
	if r == nil {
		r = &run{idle: make(chan struct{}, 1)}
	}
	wake := length > worthWaking || time.Since(epoch)-time.Duration(t.last.Load()) < lookout
	t.reserve(r, workers, wake)
	r.divide(job, chunks)
	r.active.Store(int32(len(r.team)))
	for i, h := range r.team {
		h.first = i + 1
		h.post.Store(r)
		if h.parked.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
	r.work(0)
	for _, h := range r.team {
		if h.post.CompareAndSwap(r, nil) { // it has not even begun
			r.active.Add(-1)
		}
	}
	r.wait()
	t.last.Store(int64(time.Since(epoch)))
	failure := r.failure.Swap(nil)
	clear(r.team)
	r.job, r.team = nil, r.team[:0]
	t.runs.Put(r)
	if failure != nil {
		panic(*failure)
	}
}

// reserve takes free workers, up to a number, parked ones only to wake them.
func (t *Team) reserve(r *run, n int, wake bool) {
	for _, h := range t.enlisted(n) {
		if h.parked.Load() && !wake {
			continue
		}
		if h.post.CompareAndSwap(nil, &reserved) {
			if r.team = append(r.team, h); len(r.team) == n {
				return
			}
		}
	}
}

// enlisted returns n workers, free or not.
func (t *Team) enlisted(n int) []*worker {
	if all := t.workers.Load(); all != nil && len(*all) >= n {
		return (*all)[:n]
	}
	t.grow.Lock()
	defer t.grow.Unlock()
	var all []*worker
	if old := t.workers.Load(); old != nil {
		all = append(all, *old...) // the old array is being read
	}
	for len(all) < n {
		h := &worker{wake: make(chan struct{}, 1)}
		all = append(all, h)
		go h.serve()
	}
	t.workers.Store(&all)
	return all[:n]
}

// What a worker's post holds besides nil, which is free, and a run that has been handed over.
var reserved, busy run

// worker is one goroutine.
type worker struct {
	post   atomic.Pointer[run]
	first  int // its range of the run that is posted
	parked atomic.Bool
	wake   chan struct{} // a token for every time that parked was cleared by a caller
	_      [64]byte      // workers are polled, each from its own cache line
}

func (h *worker) serve() {
	for {
		r := h.await()
		if !h.post.CompareAndSwap(r, &busy) {
			continue // withdrawn
		}
		r.work(h.first)
		h.post.Store(nil)
		r.leave()
	}
}

// await returns the next run that is posted.
func (h *worker) await() *run {
	for {
		var posted *run
		if until(lookout, func() bool { posted = h.posted(); return posted != nil }) {
			return posted
		}
		h.parked.Store(true)
		if r := h.posted(); r != nil && h.parked.CompareAndSwap(true, false) {
			return r
		}
		<-h.wake
	}
}

func (h *worker) posted() *run {
	if r := h.post.Load(); r != &reserved {
		return r
	}
	return nil
}

// until polls a condition for a time. It does not yield: the scheduler would wake other threads to look for work.
func until(d time.Duration, done func() bool) bool {
	for start := time.Now(); ; {
		for range 64 {
			if done() {
				return true
			}
		}
		if time.Since(start) > d {
			return false
		}
	}
}

// run is one call of Run. It is used again, and only ever by one call at a time.
type run struct {
	job     Job
	team    []*worker
	ranges  []chunkRange
	active  atomic.Int32 // workers that have the run
	waiting atomic.Bool  // the caller blocks, or is about to
	idle    chan struct{}
	failure atomic.Pointer[any]
}

// chunkRange is adjacent chunks, of which those from next on have not been taken. A next beyond the end is one that
// somebody asked for in vain.
type chunkRange struct {
	next atomic.Int64
	end  int64
	_    [48]byte // to a cache line
}

// divide gives every participant a range.
func (r *run) divide(job Job, chunks int) {
	n := len(r.team) + 1
	if cap(r.ranges) < n {
		r.ranges = make([]chunkRange, n)
	}
	r.job, r.ranges = job, r.ranges[:n]
	for i := range r.ranges {
		r.ranges[i].next.Store(int64(i * chunks / n))
		r.ranges[i].end = int64((i + 1) * chunks / n)
	}
}

// work takes chunks until there are none, from range first on.
func (r *run) work(first int) {
	defer func() {
		if v := recover(); v != nil {
			r.failure.CompareAndSwap(nil, &v)
			for i := range r.ranges {
				r.ranges[i].next.Store(r.ranges[i].end)
			}
		}
	}()
	for i := range r.ranges {
		from := &r.ranges[(first+i)%len(r.ranges)]
		for {
			c := from.next.Add(1) - 1
			if c >= from.end {
				break
			}
			r.job.Do(int(c))
		}
	}
}

// leave says that a worker is done with the run. What follows the count may happen in a later use of r, where it does no
// harm: the caller looks at the count whenever it wakes.
func (r *run) leave() {
	if r.active.Add(-1) == 0 && r.waiting.CompareAndSwap(true, false) {
		select {
		case r.idle <- struct{}{}:
		default: // one token is enough
		}
	}
}

// wait returns when no worker has the run.
func (r *run) wait() {
	gone := func() bool { return r.active.Load() == 0 }
	for !until(lookout, gone) {
		r.waiting.Store(true)
		if gone() {
			break
		}
		<-r.idle
	}
	r.waiting.Store(false)
}
