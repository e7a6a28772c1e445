package ufunc

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/jit/cache"
	"github.com/go-yolk/yolk/native"
)

// shelf is where the code of one kernel is kept on disk.
type shelf struct {
	store    *cache.Store
	identity string // but for the compiler
}

// lockLimit is how long a process waits for another one to make what it needs: many times what a kernel takes.
const lockLimit = 20 * time.Second

// shelf returns the place for the kernel's code, nil if it is not kept.
func (k *Kernel) shelf(target native.Target) *shelf {
	identity, ok := k.kernelIdentity(target)
	if !ok {
		return nil
	}
	store, err := process.store()
	if err != nil {
		process.notice("yolk keeps no kernels on disk", "", err)
	}
	if store == nil {
		return nil
	}
	return &shelf{store, identity}
}

// key is the key of the code that clang makes.
func (s *shelf) key(clang *jit.Clang) cache.Key {
	id := clang.Identity()
	return cache.NewKey("kernel", fmt.Sprintf("%sclang %q %d %d %q\n", s.identity, id.Path, id.Size, id.ModTime, id.Version))
}

func (s *shelf) lock(ctx context.Context) (unlock func(), waited bool, err error) {
	return s.store.Lock(ctx, cache.NewKey("making", s.identity), lockLimit)
}

// An entry is the length of the summary as JSON (4 bytes, little endian), the summary, and the shared library.

// keep puts the code on the shelf.
func (s *shelf) keep(k *Kernel, e *executor, b *build) {
	clang, err := b.clang()
	if err != nil {
		return
	}
	r, err := e.summary()
	if err != nil {
		return
	}
	r.Stages = append([]stage{k.frontend}, e.stages...)
	summary, err := json.Marshal(r)
	if err != nil {
		return
	}
	data := binary.LittleEndian.AppendUint32(nil, uint32(len(summary)))
	keep(s.store, s.key(clang), append(append(data, summary...), e.object.Code...))
}

// load takes the code from the shelf, if it is there and can be loaded.
func (s *shelf) load(k *Kernel, target native.Target) *executor {
	e := &executor{target: target, symbols: alone, lasting: true}
	var clang *jit.Clang
	var data []byte
	found, err := timed("cache", func() (before, after string, err error) {
		var ok bool
		if clang, ok = foundClang(s.store); !ok {
			return "", "", cache.ErrMiss
		}
		if data, ok = look(s.store, s.key(clang)); !ok {
			return "", "", cache.ErrMiss
		}
		return s.key(clang).String(), size(len(data)), nil
	})
	if err != nil {
		return nil
	}
	summary, code, err := splitEntry(data)
	if err != nil {
		process.notice("yolk makes a kernel of its cache again", k.name, err)
		return nil
	}
	e.stages = append(e.stages, found)
	e.object = jit.Object{Code: code, Target: target.Triple, Clang: clang.Identity()}
	if err := e.load(); err != nil {
		process.notice("yolk makes a kernel of its cache again", k.name, err)
		return nil
	}
	e.reason = fmt.Sprintf("from the cache %s; compiled by %v", filepath.Join(s.store.Dir(), s.key(clang).String()), clang)
	e.summary = func() (*Report, error) {
		r := new(Report)
		if err := json.Unmarshal(summary, r); err != nil {
			return nil, err
		}
		r.Made, r.Stages = r.Stages, nil
		return r, nil
	}
	// The compiler is deterministic: what it made then it makes again.
	e.run = sync.OnceValues(func() (*compiler.Run, error) {
		run, err := k.optimise(context.Background(), target, nil)
		if err == nil {
			k.choose(run, e.trials)
		}
		return run, err
	})
	if k.config.tune {
		r, err := e.summary()
		if err != nil {
			process.notice("yolk makes a kernel of its cache again", k.name, err)
			return nil
		}
		e.trials = r.Trials
		for _, t := range e.trials {
			if t.Chosen {
				e.target.Interleave = t.Interleave
			}
		}
	}
	return e
}

func splitEntry(data []byte) (summary, code []byte, err error) {
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, nil, errors.New("ufunc: an entry is too short")
	}
	n := binary.LittleEndian.Uint32(data)
	return data[4 : 4+n], data[4+n:], nil
}

func isMiss(err error) bool { return errors.Is(err, cache.ErrMiss) }
