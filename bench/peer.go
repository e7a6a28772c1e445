//go:build linux

package main

import (
	"errors"
	"regexp"
	"time"
)

// kind says what a peer is there for.
type kind string

const (
	ours     kind = "yolk"
	bound    kind = "memcpy"   // what moving the data costs
	hand     kind = "by hand"  // intrinsics, for this benchmark
	compiled kind = "compiler" // plain loops
	product  kind = "product"
)

// peer is one way to compute functions.
type peer struct {
	name string
	kind kind
	// start prepares a function. It returns errLacks if the peer does not have it, errAbsent if it would.
	start func(f *function, n int) (runner, error)
}

// runner computes the function over the arrays some times and says how long that took.
type runner func(reps int) (time.Duration, error)

var (
	errLacks  = errors.New("the peer lacks the function")
	errAbsent = errors.New("the peer has the function, but is not on this machine")
)

// startPeers finds out what is on the machine. stop ends the processes of peers.
func startPeers(m *memory, filter *regexp.Regexp, skipped func(format string, args ...any)) (peers []peer, stop func()) {
	var stops []func()
	add := func(p []peer, stop func(), err error) {
		if err != nil {
			skipped("skipped: %v", err)
			return
		}
		for _, q := range p {
			if q.kind == ours || q.kind == bound || filter.MatchString(q.name) {
				peers = append(peers, q)
			}
		}
		if stop != nil {
			stops = append(stops, stop)
		}
	}
	add(goPeers(m), nil, nil)
	for _, l := range libraries {
		p, err := l.peers(m)
		add(p, nil, err)
		if err != nil {
			add(l.absent(), nil, nil)
		}
	}
	for _, s := range scripts {
		if filter.MatchString(s.name) {
			add(s.start(m))
		}
	}
	return peers, func() {
		for _, s := range stops {
			s()
		}
	}
}

// timed makes a runner of a call.
func timed(call func()) runner {
	return func(reps int) (time.Duration, error) {
		start := time.Now()
		for range reps {
			call()
		}
		return time.Since(start), nil
	}
}
