package ufunc

import (
	"context"
	"fmt"

	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/jit/cache"
	"github.com/go-yolk/yolk/native"
)

// assemble is the kernel of a module: what clang makes of its text, or made of it before, if that is cached.
func assemble(ctx context.Context, text string, target native.Target, cached bool) (k *jit.Kernel, how string, err error) {
	var store *cache.Store
	if cached {
		if store, err = process.store(); err != nil {
			process.notice("yolk keeps no kernels on disk", "", err)
		}
	}
	var clang *jit.Clang
	if store != nil {
		clang, _ = foundClang(store)
	}
	if clang == nil {
		if clang, err = jit.FindClang(ctx, process.env); err != nil {
			return nil, "", err
		}
		if store != nil {
			keepClang(store, clang)
		}
	}
	id := clang.Identity()
	key := cache.NewKey("module", fmt.Sprintf("level %d\nclang %q %d %d %q\n%s", optLevel, id.Path, id.Size, id.ModTime, id.Version, text))
	if store != nil {
		if code, ok := look(store, key); ok {
			k, err := jit.Load(jit.Object{Code: code, Target: target.Triple, Clang: id}, alone.Kernel)
			if err == nil {
				return k, "from the cache; compiled by " + clang.String(), nil
			}
			process.notice("yolk makes a kernel of its cache again", "", err)
		}
	}
	object, err := clang.Build(ctx, text, jit.BuildOptions{Target: target.Triple, Level: optLevel})
	if err != nil {
		return nil, "", err
	}
	if k, err = jit.Load(object, alone.Kernel); err != nil {
		return nil, "", err
	}
	if store != nil {
		keep(store, key, object.Code)
	}
	return k, "compiled by " + clang.String(), nil
}
