package jit

import (
	"context"
	"os"
	"path/filepath"
)

// Ahead is a compiler that has been started before there is a text for it: it loads its libraries, which is half of the time that a kernel
// takes, beside whatever makes the text, and then waits for it on its standard input.
type Ahead struct {
	clang   *Clang
	options BuildOptions
	text    *os.File // the compiler's input, to be written
	kill    context.CancelFunc
	done    chan struct{} // closed when it has ended
	object  []byte
	err     error
}

// Ahead starts the compiler for one text. It is ended by [Ahead.Compile], or by the end of ctx.
func (c *Clang) Ahead(ctx context.Context, o BuildOptions) *Ahead {
	a := &Ahead{clang: c, options: o, done: make(chan struct{})}
	flags, err := c.compileFlags(o)
	var in *os.File
	if err == nil {
		in, a.text, err = os.Pipe()
	}
	if err != nil {
		a.err = err
		close(a.done)
		return a
	}
	ctx, a.kill = context.WithCancel(ctx)
	go func() {
		defer close(a.done)
		defer a.kill()
		defer a.text.Close()
		defer in.Close() // a writer is told
		limited, cancel := c.limited(ctx)
		defer cancel()
		a.err = c.env.withTemp(nil, func(dir string) error {
			_, _, err := run(limited, dir, in, c.path, append(flags, "-o", relocatableFile, "-")...)
			if err == nil {
				a.object, err = os.ReadFile(filepath.Join(dir, relocatableFile))
			}
			return err
		})
	}()
	return a
}

// Compile is [Clang.Compile] of the text, with the same result. It may be called once.
func (a *Ahead) Compile(ctx context.Context, ll string) ([]byte, error) {
	var err error
	if a.text != nil {
		defer context.AfterFunc(ctx, a.kill)()
		// An object keeps the name of what it was made of.
		_, err = a.text.WriteString("source_filename = \"" + sourceFile + "\"\n" + ll)
		a.text.Close()
	}
	if a.Wait(); a.err == nil && err == nil {
		return a.object, nil
	}
	// What is wrong, and where, is for the ordinary road to say; where a disk is full it knows others.
	return a.clang.Compile(ctx, ll, a.options)
}

// Wait returns when the compiler has ended.
func (a *Ahead) Wait() { <-a.done }
