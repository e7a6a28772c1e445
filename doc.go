// Package yolk is the module's root: it holds end-to-end benchmarks only. Users import package ufunc.
package yolk
