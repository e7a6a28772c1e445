package ufunc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/team"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/jit/cache"
)

// process is what a process finds out and makes once.
var process = &processState{
	env: jit.NewEnv(nil), stores: map[string]place{}, functions: map[string]*function{}, codes: map[string]*code{}, said: map[string]bool{},
}

type processState struct {
	env  *jit.Env  // the compilers and their versions
	team team.Team // the threads of calls on several

	mu        sync.Mutex
	stores    map[string]place     // by the value of YOLK_CACHE
	functions map[string]*function // by identity
	codes     map[string]*code     // by identity
	said      map[string]bool      // notices
}

// maxKnown bounds the tables of functions and codes. A program that makes more different kernels than that, with domains that it computes for
// example, makes them anew now and then. The kernels themselves are not affected.
const maxKnown = 1024

// notice says something once in a process.
func (p *processState) notice(what, kernel string, why error) {
	p.mu.Lock()
	said := p.said[what]
	p.said[what] = true
	p.mu.Unlock()
	if said {
		return
	}
	log := slog.Default()
	if kernel != "" {
		log = log.With("kernel", kernel)
	}
	log.Warn(what, "because", why)
}

// surroundings are the variables that decide, with a kernel's identity, what becomes of it.
func surroundings() string {
	return fmt.Sprintf("YOLK_CLANG=%q\nYOLK_CACHE=%q\nPATH=%q\n", os.Getenv("YOLK_CLANG"), os.Getenv("YOLK_CACHE"), os.Getenv("PATH"))
}

// sharing is the identity of a function with options within this process; empty if there is none.
func sharing(source string, c *config) string {
	options, ok := c.identity()
	if source == "" || !ok || c.noCache {
		return ""
	}
	return fmt.Sprintf("%smust be native %t\n%s%s", surroundings(), c.mustNative, source, options)
}

// known returns what an earlier kernel of the same function and options has found out.
func (p *processState) known(source string, c *config) *function {
	identity := sharing(source, c)
	if identity == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.functions[identity]; f != nil && f.code.good() {
		return f
	}
	return nil
}

// learn is the other side of known.
func (p *processState) learn(source string, c *config, f *function) {
	identity := sharing(source, c)
	if identity == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.functions) >= maxKnown {
		clear(p.functions)
	}
	p.functions[identity] = f
}

// codeOf returns the code that k shares with the other kernels of its identity.
func (p *processState) codeOf(k *Kernel) *code {
	target, _ := k.target()
	identity, ok := k.kernelIdentity(target)
	if !ok {
		return newCode()
	}
	identity = fmt.Sprintf("%smust be native %t\n%s", surroundings(), k.config.mustNative, identity)
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.codes[identity]
	if c == nil || !c.good() {
		if len(p.codes) >= maxKnown {
			clear(p.codes)
		}
		c = newCode()
		p.codes[identity] = c
	}
	return c
}

// code is made once for all kernels of a process that would make the same.
type code struct {
	turn chan struct{} // full while somebody is making it
	made atomic.Pointer[executor]
}

// good is false of code that is worth another try: a compiler failed.
func (c *code) good() bool {
	e := c.made.Load()
	return e == nil || e.lasting
}

func newCode() *code { return &code{turn: make(chan struct{}, 1)} }

// get makes the code, or waits for another goroutine to make it. After an error the next one tries again.
func (c *code) get(ctx context.Context, make func(context.Context) (*executor, error)) (*executor, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if e := c.made.Load(); e != nil {
		return e, nil
	}
	e, err := make(ctx)
	if err != nil {
		return nil, err
	}
	c.made.Store(e)
	return e, nil
}

// store is the cache on disk, nil if there is none: YOLK_CACHE=off, or no directory that can be trusted, which the error says.
func (p *processState) store() (*cache.Store, error) {
	value := os.Getenv("YOLK_CACHE")
	p.mu.Lock()
	known, ok := p.stores[value]
	p.mu.Unlock()
	if ok {
		return known.store, known.err
	}
	s, err := cache.OpenFor(value)
	if errors.Is(err, cache.ErrOff) {
		err = nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stores[value] = place{s, err}
	return s, err
}

// place is a directory that was looked at.
type place struct {
	store *cache.Store
	err   error
}

// look reads an entry. What is wrong with it is said once; it is made again.
func look(s *cache.Store, k cache.Key) ([]byte, bool) {
	data, err := s.Get(k)
	if err != nil && !isMiss(err) {
		process.notice("yolk makes a kernel of its cache again", "", err)
	}
	return data, err == nil
}

// keep writes an entry. That it cannot is said once.
func keep(s *cache.Store, k cache.Key, data []byte) {
	if err := s.Put(k, data); err != nil {
		process.notice("yolk keeps no kernels on disk", "", err)
	}
}

// sourceKey is the key of a function that this program's front end has read.
func sourceKey(source string) cache.Key {
	return cache.NewKey("source", "program "+program()+"\n"+library()+"\n"+source)
}

// recall returns the function that an earlier run of this program has read and compared with fn, nil if there is none.
func (c *config) recall(source, name string) *ir.Func {
	if source == "" || c.noCache || program() == "" {
		return nil
	}
	s, _ := process.store() // that there is none is said when code is made
	if s == nil {
		return nil
	}
	text, ok := look(s, sourceKey(source))
	if !ok {
		return nil
	}
	f, err := ir.Parse(name, string(text), elementary.Defs()...)
	if err != nil {
		return nil
	}
	return f
}

// remember is the other side of recall.
func (c *config) remember(source string, f *ir.Func) {
	if source == "" || c.noCache || program() == "" || !elementaryOnly(f.AllDefs()) {
		return
	}
	if s, _ := process.store(); s != nil {
		keep(s, sourceKey(source), []byte(f.String()))
	}
}

// foundClang returns the compiler that an earlier process has found, if nothing has changed since.
func foundClang(s *cache.Store) (*jit.Clang, bool) {
	data, ok := look(s, cache.NewKey("clang", process.env.Search()))
	if !ok {
		return nil, false
	}
	var found jit.Found
	if json.Unmarshal(data, &found) != nil {
		return nil, false
	}
	return process.env.Reuse(found)
}

func keepClang(s *cache.Store, c *jit.Clang) {
	if data, err := json.Marshal(c.Found()); err == nil {
		keep(s, cache.NewKey("clang", process.env.Search()), data)
	}
}
