"""Python peers of the benchmark: the library is named on the command line. Each line of the input asks for a number of
calls of a function over arrays in the shared memory; the answer is their time in nanoseconds. Results go into arrays that
are there already, with the library's own means."""
import math
import mmap
import sys
import time

import numpy as np

f32 = np.float32
C, K, HALF, ONE, ROOT = f32(math.sqrt(2 / math.pi)), f32(0.044715), f32(0.5), f32(1), f32(math.sqrt(0.5))


def numpy_library():
    def passes(f):
        def start(x, y, z, out):
            return lambda t=np.empty_like(out): f(x, y, z, out, t)
        return start

    def gelu(x, y, z, out, t):
        np.multiply(x, x, out=t)
        np.multiply(t, x, out=t)
        np.multiply(t, K, out=t)
        np.add(t, x, out=t)
        np.multiply(t, C, out=t)
        np.tanh(t, out=t)
        np.add(t, ONE, out=t)
        np.multiply(t, x, out=t)
        np.multiply(t, HALF, out=out)

    def sigmoid(x, y, z, out, t):
        np.negative(x, out=t)
        np.exp(t, out=t)
        np.add(t, ONE, out=t)
        np.divide(ONE, t, out=out)

    def silu(x, y, z, out, t):
        np.negative(x, out=t)
        np.exp(t, out=t)
        np.add(t, ONE, out=t)
        np.divide(x, t, out=out)

    def muladd(x, y, z, out, t):
        np.multiply(x, y, out=out)
        np.add(out, z, out=out)

    def one(f):
        return lambda x, y, z, out: lambda: f(x, out=out)

    table = dict(gelu=passes(gelu), demo=passes(gelu), sigmoid=passes(sigmoid), silu=passes(silu), muladd=passes(muladd),
                 tanh=one(np.tanh), exp=one(np.exp), log=one(np.log), sin=one(np.sin), sqrt=one(np.sqrt))
    try:
        from scipy.special import erf
    except ImportError:
        return table

    def gelu_erf(x, y, z, out, t):
        np.multiply(x, ROOT, out=t)
        erf(t, out=t)
        np.add(t, ONE, out=t)
        np.multiply(t, x, out=t)
        np.multiply(t, HALF, out=out)

    table["gelu_erf"] = passes(gelu_erf)
    return table


def numba_library(**options):
    import numba

    T10, T45, T105 = f32(10), f32(45), f32(105)

    def demo(x):  # the rational function of the published demonstration
        u = C * (x + K * (x * (x * x)))
        u2 = u * u
        u3 = u * u2
        return HALF * x * (ONE + (T10 * u3 + T105 * u) / (((u * u3) + T45 * u2) + T105))

    sources = dict(
        gelu=lambda x: HALF * x * (ONE + math.tanh(C * (x + K * x * x * x))), demo=demo,
        gelu_erf=lambda x: HALF * x * (ONE + math.erf(x * ROOT)),
        tanh=lambda x: math.tanh(x), exp=lambda x: math.exp(x), sigmoid=lambda x: ONE / (ONE + math.exp(-x)),
        silu=lambda x: x / (ONE + math.exp(-x)), log=lambda x: math.log(x), sin=lambda x: math.sin(x), sqrt=lambda x: math.sqrt(x))

    def start(f):
        made = []

        def unary(x, y, z, out):
            if not made:
                made.append(numba.vectorize([numba.float32(numba.float32)], **options)(f))
            return lambda: made[0](x, out)
        return unary

    def muladd(x, y, z, out):
        t = numba.float32
        f = numba.vectorize([t(t, t, t)], **options)(lambda a, b, c: a * b + c)
        return lambda: f(x, y, z, out)

    def mandelbrot(x, y, z, out):
        counts = out.view(np.int32)
        f = numba.vectorize([numba.int32(numba.float32, numba.float32)], **options)(escape)
        return lambda: f(x, y, counts)

    table = dict({name: start(f) for name, f in sources.items()}, muladd=muladd)
    if not options:  # fast mathematics finds other numbers
        table["mandelbrot"] = mandelbrot
    return table


def escape(cx, cy):
    x, y, two = f32(0), f32(0), f32(2)
    for n in range(256):
        x2, y2 = x * x, y * y
        if x2 + y2 > f32(4):
            return n
        x, y = x2 - y2 + cx, two * x * y + cy
    return 256


def numba_loop_library():
    import numba

    inner = numba.njit(escape)

    @numba.njit
    def fill(x, y, counts):
        for i in range(x.size):
            counts[i] = inner(x[i], y[i])

    def mandelbrot(x, y, z, out):
        counts = out.view(np.int32)
        return lambda: fill(x, y, counts)

    return dict(mandelbrot=mandelbrot)


def numexpr_library():
    import numexpr

    numexpr.set_num_threads(1)
    tanh_form = "h*x*(one+tanh(c*(x+k*x*x*x)))"
    texts = dict(gelu=tanh_form, demo=tanh_form, tanh="tanh(x)", exp="exp(x)", sigmoid="one/(one+exp(-x))", silu="x/(one+exp(-x))",
                 log="log(x)", sin="sin(x)", sqrt="sqrt(x)", muladd="x*y+z")

    def start(text):
        def make(x, y, z, out):
            names = dict(x=x, y=y, z=z, c=C, k=K, h=HALF, one=ONE)

            def call():  # another expression may have been evaluated in between
                numexpr.evaluate(text, local_dict=names, out=out)
            return call
        return make

    return {name: start(text) for name, text in texts.items()}


def torch_library():
    import torch

    torch.set_num_threads(1)
    nn = torch._C._nn

    def start(f):
        def make(x, y, z, out):
            x, y, z, out = map(torch.from_numpy, (x, y, z, out))
            return lambda: f(x, y, z, out)
        return make

    return dict(
        gelu=start(lambda x, y, z, out: nn.gelu(x, approximate="tanh", out=out)),
        demo=start(lambda x, y, z, out: nn.gelu(x, approximate="tanh", out=out)),
        gelu_erf=start(lambda x, y, z, out: nn.gelu(x, out=out)),
        tanh=start(lambda x, y, z, out: torch.tanh(x, out=out)),
        exp=start(lambda x, y, z, out: torch.exp(x, out=out)),
        sigmoid=start(lambda x, y, z, out: torch.sigmoid(x, out=out)),
        silu=start(lambda x, y, z, out: nn.silu(x, out=out)),
        log=start(lambda x, y, z, out: torch.log(x, out=out)),
        sin=start(lambda x, y, z, out: torch.sin(x, out=out)),
        sqrt=start(lambda x, y, z, out: torch.sqrt(x, out=out)),
        muladd=start(lambda x, y, z, out: torch.addcmul(z, x, y, out=out)))


libraries = {
    "numpy": numpy_library, "numba": numba_library, "numba-fast": lambda: numba_library(fastmath=True), "numba-loop": numba_loop_library,
    "numexpr": numexpr_library, "torch": torch_library,
}


def main():
    table = libraries[sys.argv[1]]()
    memory = mmap.mmap(3, 0)
    clock = time.perf_counter_ns
    last, call = None, None
    print("ready", flush=True)
    for line in sys.stdin:
        name, n, reps, *offsets = line.split()
        if name not in table:
            print("-", flush=True)
            continue
        if last != (name, n):
            last = name, n
            call = table[name](*(np.frombuffer(memory, f32, int(n), int(o)) for o in offsets))
        todo = range(int(reps))
        start = clock()
        for _ in todo:
            call()
        print(clock() - start, flush=True)


main()
