#!/usr/bin/python3
"""Writes numpy.jsonl: calls of ufuncs with NumPy's answers, for numpy_test.go. Debian's python3-numpy (1.24).

Every array is a strided view of a buffer whose element i is value(dtype, salt, i): small whole numbers, so that sums are exact in
every order. Shapes, strides and so on come from a generator with a fixed seed. Run: /usr/bin/python3 -W ignore oracle.py > numpy.jsonl
"""
import json
import random
import sys

import numpy as np

rng = random.Random(20240601)
FLOATS = ["float32", "float64"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def value(dtype, salt, i):
    v = (i * 7 + salt * 5 + 3) % 23 - 11
    if dtype == "bool":
        return v % 3 == 0
    if dtype.startswith("uint"):
        return abs(v)
    return v


def buffer(dtype, salt, n):
    return np.array([value(dtype, salt, i) for i in range(n)], dtype=dtype)


def view(dtype, salt, shape):
    """A random view of that shape, and what describes it."""
    order = list(range(len(shape)))
    rng.shuffle(order)
    strides, step = [0] * len(shape), rng.choice([1, 1, 1, 2, 3])
    for k in order:
        strides[k] = step * rng.choice([1, 1, -1])
        step *= max(1, shape[k]) * rng.choice([1, 1, 2]) + rng.choice([0, 0, 1])
    lo = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides) if n > 0)
    hi = sum(max(0, (n - 1) * s) for n, s in zip(shape, strides) if n > 0)
    offset = -lo + rng.choice([0, 0, 1, 3])
    n = offset + hi + 1 + rng.choice([0, 2])
    data = buffer(dtype, salt, n)
    size = data.itemsize
    a = np.lib.stride_tricks.as_strided(data[offset:], shape=shape, strides=[s * size for s in strides])
    return a, {"salt": salt, "n": n, "offset": offset, "shape": list(shape), "stride": strides}


def plain(a):
    return [x.item() for x in np.asarray(a).flatten()]


def random_shape(most):
    return [rng.choice([0, 1, 1, 2, 3, 3, 4, 5]) if rng.random() < 0.9 else rng.randint(6, 9) for _ in range(rng.randint(0, most))]


def broadcastable(shape):
    s = [1 if rng.random() < 0.25 else n for n in shape]
    return s[rng.randint(0, len(s)) if rng.random() < 0.3 else 0:]


BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "less": np.less, "less_equal": np.less_equal, "equal": np.equal, "not_equal": np.not_equal, "greater": np.greater,
}
BITS = {
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
}
FOLDS = {"add": (np.add, 0), "multiply": (np.multiply, 1), "maximum": (np.maximum, None), "minimum": (np.minimum, None)}
cases = []


def case(kind, op, dtype, args, answer, **more):
    c = {"kind": kind, "op": op, "dtype": dtype, "args": args}
    c.update(more)
    if answer is None:
        c["error"] = True
    else:
        c["shape"], c["want"] = list(np.shape(answer)), plain(answer)
    cases.append(c)


def calls(count):
    for i in range(count):
        op, dtype = rng.choice(list(BINARY)), rng.choice(FLOATS + INTS)
        if rng.random() < 0.2:
            op, dtype = rng.choice(list(BITS)), rng.choice(INTS + ["bool"])
        f = BINARY.get(op) or BITS[op]
        shape = random_shape(4)
        sa, sb = broadcastable(shape), broadcastable(shape)
        if rng.random() < 0.15:
            sb = random_shape(4)  # often an error
        a, va = view(dtype, 1 + i % 7, sa)
        b, vb = view(dtype, 2 + i % 5, sb)
        try:
            answer = f(a, b)
        except ValueError:
            answer = None
        case("call", op, dtype, [va, vb], answer)


def masked(count):
    for i in range(count):
        op, dtype = rng.choice(["add", "subtract", "multiply", "maximum"]), rng.choice(FLOATS + INTS)
        shape = random_shape(3)
        a, va = view(dtype, 1 + i % 7, broadcastable(shape))
        b, vb = view(dtype, 2 + i % 5, broadcastable(shape))
        out = np.full(np.broadcast_shapes(a.shape, b.shape), 99, dtype=dtype)
        m, vm = view("bool", i % 4, broadcastable(list(out.shape)))
        BINARY[op](a, b, out=out, where=m)
        case("mask", op, dtype, [va, vb, vm], out)


def reductions(count):
    for i in range(count):
        op, dtype = rng.choice(list(FOLDS)), rng.choice(FLOATS + INTS)
        f, identity = FOLDS[op]
        shape = random_shape(4)
        if rng.random() < 0.1:
            shape = [rng.randint(20, 70)]
        a, va = view(dtype, i % 9, shape)
        if op == "multiply" and dtype in FLOATS:
            a = np.where(np.abs(a) > 2, np.sign(a), a)  # products stay exact
        more = {}
        if op == "multiply" and dtype in FLOATS:
            more["clip"] = True
        axis = None
        if len(shape) and rng.random() < 0.8:
            axis = tuple(sorted(rng.sample(range(len(shape)), rng.randint(1, len(shape)))))
            if rng.random() < 0.3:
                axis = tuple(k - len(shape) for k in axis)
            more["axes"] = list(axis)
        kw = {}
        if rng.random() < 0.3:
            kw["keepdims"] = more["keepdims"] = True
        if rng.random() < 0.3:
            kw["initial"] = more["initial"] = 3
        if rng.random() < 0.3 and identity is not None:
            m, vm = view("bool", i % 5, broadcastable(shape))
            kw["where"] = m
            more["where"] = vm
        try:
            answer = f.reduce(a, axis=axis, dtype=dtype, **kw)
        except ValueError:
            answer = None
        case("reduce", op, dtype, [va], answer, **more)


def accumulations(count):
    for i in range(count):
        op, dtype = rng.choice(list(FOLDS)), rng.choice(FLOATS[1:] + INTS)
        shape = [max(1, n) for n in random_shape(3)] or [5]
        a, va = view(dtype, i % 9, shape)
        axis = rng.randint(-len(shape), len(shape) - 1)
        if op == "multiply" and dtype in FLOATS:
            op = "add"
        case("accumulate", op, dtype, [va], FOLDS[op][0].accumulate(a, axis=axis, dtype=dtype), axes=[axis])


def outers(count):
    for i in range(count):
        op, dtype = rng.choice(["add", "subtract", "multiply", "maximum"]), rng.choice(FLOATS + INTS)
        a, va = view(dtype, i % 9, random_shape(2))
        b, vb = view(dtype, i % 4, random_shape(2))
        case("outer", op, dtype, [va, vb], BINARY[op].outer(a, b))


def reductions_at(count):
    for i in range(count):
        op, dtype = rng.choice(["add", "maximum", "minimum"]), rng.choice(FLOATS + INTS)
        shape = [max(1, n) for n in random_shape(3)] or [6]
        axis = rng.randint(0, len(shape) - 1)
        indices = [rng.randint(0, shape[axis] - 1) for _ in range(rng.randint(1, 4))]
        a, va = view(dtype, i % 9, shape)
        answer = FOLDS[op][0].reduceat(a, indices, axis=axis, dtype=dtype)
        case("reduceat", op, dtype, [va], answer, axes=[axis], indices=indices)


def ats(count):
    for i in range(count):
        op, dtype = rng.choice(["add", "subtract", "maximum"]), rng.choice(FLOATS + INTS)
        n = rng.randint(1, 9)
        a, va = view(dtype, i % 9, [n])
        indices = [rng.randint(0, n - 1) for _ in range(rng.randint(0, 8))]
        b, vb = view(dtype, i % 4, [len(indices)] if rng.random() < 0.8 else [])
        a = a.copy()
        BINARY[op].at(a, indices, b)
        case("at", op, dtype, [va, vb], a, indices=indices)


calls(1000)
masked(250)
reductions(600)
accumulations(100)
outers(100)
reductions_at(100)
ats(100)
for c in cases:
    json.dump(c, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")
