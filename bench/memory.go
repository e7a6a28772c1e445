//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// memory is what all peers work on, other processes too: three inputs and an output.
type memory struct {
	file  *os.File
	bytes []byte
}

// apart separates arrays, in bytes: whole cache lines, and no multiple of a page, at which a load waits for a store that
// only looks like one to the same place.
const apart = 1<<10 + 64

func newMemory(elements int) (*memory, error) {
	fd, err := unix.MemfdCreate("arrays", 0)
	if err != nil {
		return nil, fmt.Errorf("memory for the arrays: %w", err)
	}
	file := os.NewFile(uintptr(fd), "arrays")
	size := offset(4, elements)
	if err := file.Truncate(int64(size)); err != nil {
		return nil, err
	}
	bytes, err := syscall.Mmap(fd, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("memory for the arrays: %w", err)
	}
	return &memory{file, bytes}, nil
}

func (m *memory) close() {
	syscall.Munmap(m.bytes)
	m.file.Close()
}

// offset is where array i of n elements begins, in bytes; array 3 is the output.
func offset(i, n int) int { return i * ((4*n+63)/64*64 + apart) }

func (m *memory) array(i, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&m.bytes[offset(i, n)])), n)
}

// fill sets the inputs of a function.
func (m *memory) fill(f *function, n int) (in [3][]float32, out []float32) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range in {
		in[k] = m.array(k, n)
		if f.point != nil {
			for i := range in[k] {
				in[k][i] = f.point(i)[k]
			}
			continue
		}
		if k >= f.inputs {
			continue
		}
		for i := range in[k] {
			in[k][i] = float32(f.lo + (f.hi-f.lo)*rng.Float64())
		}
	}
	return in, m.array(3, n)
}
