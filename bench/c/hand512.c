// Kernels written by hand for AVX-512: what a patient programmer reaches for one function at a time, and so what generated
// code is measured against. Tables and polynomials are computed when the library is loaded, in double precision, by
// interpolation in Chebyshev points, which is within a small factor of minimax; the comments give the mathematics.
//
// Several vectors go through a body together, operation by operation, so that the pipes do not wait for results. The loop
// prefetches between the level-2 and the last-level cache and streams beyond it. Tails are single vectors and one masked one.
#include "peer.h"
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define EACH _Pragma("clang loop unroll(full)") for (int u = 0; u < count; u++)
#define MOST 8 // vectors in flight at most

typedef __m512 vec;
typedef void body(vec *v, const vec *v2, const vec *v3, const int count);

INLINE vec all(float x) { return _mm512_set1_ps(x); }
INLINE vec bits(__m512i x) { return _mm512_castsi512_ps(x); }
INLINE __m512i ints(vec x) { return _mm512_castps_si512(x); }
INLINE vec lookup16(vec index, vec table) { return _mm512_permutexvar_ps(ints(index), table); }
INLINE vec lookup32(vec index, vec low, vec high) { return _mm512_permutex2var_ps(low, ints(index), high); }
INLINE vec fmadd(vec a, vec b, vec c) { return _mm512_fmadd_ps(a, b, c); }
INLINE vec fnmadd(vec a, vec b, vec c) { return _mm512_fnmadd_ps(a, b, c); } // c - a*b
// The one of smaller magnitude: with the sign of x, or positive. A NaN in x gives limit.
INLINE vec bound(vec x, vec limit) { return _mm512_range_ps(x, limit, 2); }
INLINE vec bound_abs(vec x, vec limit) { return _mm512_range_ps(x, limit, 2 | 2 << 2); }

// A sum with this number rounds to a multiple of 2^-b, whose low bits are then the low bits of the sum.
#define MAGIC(b) (0x1.8p23f / (1 << (b)))

#define LEVEL2 (1 << 20)      // bytes
#define LAST_LEVEL (32 << 20) // bytes
enum { PLAIN, FETCH, STREAM };

// Inputs may be the output. That the tables are neither is for the compiler to know, or it would load them every time.
#define MEMORY const float *restrict x, const float *restrict y, const float *restrict z, float *restrict out, int64_t n

INLINE int64_t vectors(body f, const int count, const int mode, const int inputs, int64_t i, MEMORY) {
  for (; i + 16 * count <= n; i += 16 * count) {
    vec a[MOST], b[MOST], c[MOST];
    EACH a[u] = _mm512_loadu_ps(x + i + 16 * u);
    if (inputs > 1) EACH b[u] = _mm512_loadu_ps(y + i + 16 * u);
    if (inputs > 2) EACH c[u] = _mm512_loadu_ps(z + i + 16 * u);
    if (mode == FETCH) EACH _mm_prefetch(x + i + 16 * u + 256, _MM_HINT_T0);
    if (mode == STREAM) EACH _mm_prefetch(x + i + 16 * u + 1024, _MM_HINT_T0);
    f(a, b, c, count);
    if (mode == FETCH) EACH __builtin_prefetch(out + i + 16 * u + 128, 1);
    EACH if (mode == STREAM) _mm512_stream_ps(out + i + 16 * u, a[u]);
    else _mm512_storeu_ps(out + i + 16 * u, a[u]);
  }
  return i;
}

INLINE int64_t masked(body f, const int inputs, int64_t i, int64_t elements, MEMORY) {
  __mmask16 m = (__mmask16)((1u << elements) - 1);
  vec a = _mm512_maskz_loadu_ps(m, x + i), b, c;
  if (inputs > 1) b = _mm512_maskz_loadu_ps(m, y + i);
  if (inputs > 2) c = _mm512_maskz_loadu_ps(m, z + i);
  f(&a, &b, &c, 1);
  _mm512_mask_storeu_ps(out + i, m, a);
  return i + elements;
}

INLINE void loop(body f, const int count, const int inputs, MEMORY) {
  int64_t bytes = 4 * n * (inputs + 1), i = 0;
  if (bytes > LAST_LEVEL / 4 * 3) {
    int64_t head = (-(uintptr_t)out % 64) / 4;
    if (head) i = masked(f, inputs, 0, head, x, y, z, out, n);
    i = vectors(f, count, STREAM, inputs, i, x, y, z, out, n);
    _mm_sfence();
  } else if (bytes > LEVEL2 && bytes <= 4 * LEVEL2) {
    i = vectors(f, count, FETCH, inputs, i, x, y, z, out, n);
  } else {
    i = vectors(f, count, PLAIN, inputs, i, x, y, z, out, n);
  }
  i = vectors(f, 1, PLAIN, inputs, i, x, y, z, out, n);
  if (i < n) masked(f, inputs, i, n - i, x, y, z, out, n);
}

#define HAND(name, count, inputs) \
  __attribute__((noinline)) static void run_##name(MEMORY) { loop(name, count, inputs, x, y, z, out, n); } \
  PEER(hand_##name, run_##name(c->in[0], c->in[1], c->in[2], c->out, c->n))

// Tables, filled by init. Aligned for whole loads.
#define TABLE(name, n) static float name[n] __attribute__((aligned(64)))
#define LOW(t) _mm512_load_ps(t)
#define HIGH(t) _mm512_load_ps(t + 16)

// interpolate gives the polynomial that is f in n points, lowest coefficient first.
static void interpolate(double (*f)(double), const double *x, int n, double *c) {
  double d[16];
  for (int i = 0; i < n; i++) d[i] = f(x[i]);
  for (int j = 1; j < n; j++) // divided differences
    for (int i = n - 1; i >= j; i--) d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - j]);
  memset(c, 0, n * sizeof *c);
  for (int i = n - 1; i >= 0; i--) { // Newton's form to powers
    for (int k = n - 1; k > 0; k--) c[k] = c[k - 1] - x[i] * c[k];
    c[0] = d[i] - x[i] * c[0];
  }
}

static double chebyshev(int i, int n) { return cos(M_PI * (i + 0.5) / n); }

// fit interpolates f in the Chebyshev points of [lo, hi].
static void fit(double (*f)(double), double lo, double hi, int degree, double *c) {
  double x[16];
  for (int i = 0; i <= degree; i++) x[i] = (lo + hi) / 2 + (hi - lo) / 2 * chebyshev(i, degree + 1);
  interpolate(f, x, degree + 1, c);
}

// gelu(x) = x/(1 + exp2(y)), y = x*(a + b*x^2). exp2(y) = 2^floor(y) * 2^(i/16) * 2^f, i/16 + f the fraction of y.
TABLE(exp2_16, 16);
static float exp2_cubic[4];
#define GELU_C 0.79788456080286535588
#define LOG2E 1.44269504088896340736

INLINE void gelu_exp(vec *v, const vec *v2, const vec *v3, const int count) {
  const vec a = all(-2 * GELU_C * LOG2E), b = all(-2 * GELU_C * LOG2E * 0.044715), one = all(1), table = LOW(exp2_16);
  const vec c0 = all(exp2_cubic[0]), c1 = all(exp2_cubic[1]), c2 = all(exp2_cubic[2]), c3 = all(exp2_cubic[3]);
  vec y[MOST], t[MOST], f[MOST], p[MOST];
  EACH y[u] = _mm512_mul_ps(v[u], v[u]);
  EACH y[u] = fmadd(b, y[u], a);
  EACH y[u] = _mm512_mul_ps(v[u], y[u]);
  EACH t[u] = _mm512_add_round_ps(y[u], all(MAGIC(4)), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  EACH f[u] = _mm512_reduce_ps(y[u], 4 << 4 | 1);
  EACH t[u] = lookup16(t[u], table);
  EACH p[u] = fmadd(f[u], c3, c2);
  EACH p[u] = fmadd(f[u], p[u], c1);
  EACH p[u] = fmadd(f[u], p[u], c0);
  EACH t[u] = _mm512_scalef_ps(t[u], y[u]);
  EACH p[u] = fmadd(t[u], p[u], one);
  EACH v[u] = _mm512_div_ps(v[u], p[u]);
}

// gelu(x) = max(x, 0) - |x|*Q(|x|), Q(a) = 1 - Phi(a): 16 equal pieces of a polynomial each, the last one 0, so that
// signs of zero, NaN and the limits come out.
struct pieces {
  float width, inverse;
  float c[6][16] __attribute__((aligned(64)));
};
static struct pieces tanh_5, tanh_4, erf_5;
static double q_tanh(double a) { return 1 / (1 + exp(2 * GELU_C * (a + 0.044715 * a * a * a))); }
static double q_erf(double a) { return erfc(a * M_SQRT1_2) / 2; }

static double (*piece_function)(double);
static double piece_centre, piece_width;
static double piece(double d) { return piece_function(fabs(piece_centre + d * piece_width)); }

static void fill(struct pieces *p, double (*q)(double), double end, int degree) {
  p->width = end / 14.5;
  p->inverse = 1 / p->width;
  for (int i = 0; i < 15; i++) {
    double c[6];
    piece_function = q, piece_centre = i * (1.0 / p->inverse), piece_width = 1.0 / p->inverse;
    fit(piece, i == 0 ? 0 : -0.5, 0.5, degree, c);
    for (int k = 0; k <= degree; k++) p->c[k][i] = c[k];
  }
}

INLINE void gelu_pieces(vec *v, const struct pieces *p, const int degree, const int count) {
  const vec limit = all(15 * p->width), inverse = all(p->inverse), magic = all(MAGIC(0)), zero = all(-0.0f);
  vec c[6], a[MOST], t[MOST], d[MOST], q[MOST];
  for (int k = 0; k <= degree; k++) c[k] = _mm512_load_ps(p->c[k]);
  EACH a[u] = bound_abs(v[u], limit);
  EACH t[u] = fmadd(a[u], inverse, magic);
  EACH d[u] = _mm512_sub_ps(t[u], magic);
  EACH d[u] = _mm512_fmsub_ps(a[u], inverse, d[u]);
  EACH q[u] = lookup16(t[u], c[degree]);
#pragma clang loop unroll(full)
  for (int k = degree - 1; k >= 0; k--) EACH q[u] = fmadd(q[u], d[u], lookup16(t[u], c[k]));
  EACH v[u] = _mm512_max_ps(zero, v[u]);
  EACH v[u] = fnmadd(a[u], q[u], v[u]);
}
INLINE void gelu_tanh_5(vec *v, const vec *v2, const vec *v3, const int count) { gelu_pieces(v, &tanh_5, 5, count); }
INLINE void gelu_tanh_4(vec *v, const vec *v2, const vec *v3, const int count) { gelu_pieces(v, &tanh_4, 4, count); }
INLINE void gelu_erf_5(vec *v, const vec *v2, const vec *v3, const int count) { gelu_pieces(v, &erf_5, 5, count); }

// exp(x) = 2^k * P(r), k = x/ln2 rounded to 1/32, r = x - k*ln2 in two steps. The bound settles infinities: r is NaN there.
TABLE(exp2_32, 32);
static float exp_quadratic[3], exp_minus_quadratic[3];
static float ln2_high, ln2_low;

INLINE void exp_32(vec *v, const vec *v2, const vec *v3, const int count) {
  const vec magic = all(MAGIC(5)), high = all(ln2_high), low = all(ln2_low), half = all(0.5f);
  const vec t0 = LOW(exp2_32), t1 = HIGH(exp2_32);
  vec t[MOST], k[MOST], r[MOST], p[MOST];
  EACH t[u] = fmadd(v[u], all(LOG2E), magic);
  EACH k[u] = _mm512_sub_ps(t[u], magic);
  EACH r[u] = fnmadd(k[u], high, v[u]);
  EACH r[u] = fnmadd(k[u], low, r[u]);
  EACH r[u] = bound(r[u], half);
  EACH t[u] = lookup32(t[u], t0, t1);
  EACH p[u] = fmadd(r[u], all(exp_quadratic[2]), all(exp_quadratic[1]));
  EACH p[u] = fmadd(r[u], p[u], all(exp_quadratic[0]));
  EACH p[u] = _mm512_mul_ps(p[u], t[u]);
  EACH v[u] = _mm512_scalef_ps(p[u], k[u]);
}

// tanh(k/2 + d) = (T*E + d)/(E + T*d), T = tanh(k/2), E = d*coth(d) = 1 + c1*d^2 + c2*d^4.
TABLE(tanh_half, 32);
static float coth_c[2];

INLINE void tanh_32(vec *v, const vec *v2, const vec *v3, const int count) {
  const vec magic = all(MAGIC(1)), limit = all(9.2f), one = all(1), sign = all(-0.0f);
  const vec t0 = LOW(tanh_half), t1 = HIGH(tanh_half), c1 = all(coth_c[0]), c2 = all(coth_c[1]);
  vec a[MOST], t[MOST], d[MOST], e[MOST];
  EACH a[u] = _mm512_min_ps(limit, _mm512_andnot_ps(sign, v[u])); // a NaN stays
  EACH t[u] = _mm512_add_ps(a[u], magic);
  EACH d[u] = _mm512_sub_ps(a[u], _mm512_sub_ps(t[u], magic));
  EACH t[u] = lookup32(t[u], t0, t1);
  EACH a[u] = _mm512_mul_ps(d[u], d[u]);
  EACH e[u] = fmadd(a[u], c2, c1);
  EACH e[u] = fmadd(a[u], e[u], one);
  EACH a[u] = fmadd(t[u], d[u], e[u]);
  EACH e[u] = fmadd(t[u], e[u], d[u]);
  EACH e[u] = _mm512_div_ps(e[u], a[u]);
  EACH v[u] = bits(_mm512_ternarylogic_epi32(ints(sign), ints(v[u]), ints(e[u]), 0xca)); // sign of v, the rest of e
}

// sigmoid(x) = s/(s + exp(-r)), s = 2^k, as in exp. Both are scaled by 2^24, or s would be subnormal too early.
INLINE void logistic(vec *v, const int silu, const int count) {
  const vec magic = all(MAGIC(5)), high = all(ln2_high), low = all(ln2_low), half = all(0.5f), scale = all(0x1p24f);
  const vec t0 = _mm512_mul_ps(scale, LOW(exp2_32)), t1 = _mm512_mul_ps(scale, HIGH(exp2_32));
  const vec c0 = all(0x1p24f * exp_minus_quadratic[0]), c1 = all(0x1p24f * exp_minus_quadratic[1]), c2 = all(0x1p24f * exp_minus_quadratic[2]);
  vec x[MOST], t[MOST], k[MOST], p[MOST];
  EACH x[u] = _mm512_min_ps(all(60), v[u]);
  EACH t[u] = fmadd(x[u], all(LOG2E), magic);
  EACH k[u] = _mm512_sub_ps(t[u], magic);
  EACH x[u] = fnmadd(k[u], high, x[u]);
  EACH x[u] = fnmadd(k[u], low, x[u]);
  EACH x[u] = bound(x[u], half);
  EACH t[u] = lookup32(t[u], t0, t1);
  EACH p[u] = fmadd(x[u], c2, c1);
  EACH p[u] = fmadd(x[u], p[u], c0);
  EACH t[u] = _mm512_scalef_ps(t[u], k[u]);
  EACH p[u] = _mm512_add_ps(p[u], t[u]);
  EACH t[u] = _mm512_div_ps(t[u], p[u]);
  EACH v[u] = silu ? _mm512_mul_ps(t[u], v[u]) : t[u];
}
INLINE void sigmoid(vec *v, const vec *v2, const vec *v3, const int count) { logistic(v, 0, count); }
INLINE void silu(vec *v, const vec *v2, const vec *v3, const int count) { logistic(v, 1, count); }

// log(2^e * m) = e*ln2 + log(c) + log1p(r), r = m/c - 1, c near m from 16 entries by the leading bits of m in [1, 2).
// c is 1 in the first piece and 2 in the last, so that logarithms of numbers near 1 keep their relative error.
TABLE(log_inverse, 16);
TABLE(log_c, 16);
static float log1p_c[3];

INLINE void log_16(vec *v, const vec *v2, const vec *v3, const int count) {
  const vec inverse = LOW(log_inverse), logarithm = LOW(log_c), minus = all(-1), ln2 = all(M_LN2);
  vec e[MOST], r[MOST], p[MOST], i[MOST];
  EACH e[u] = _mm512_getexp_ps(v[u]);
  EACH r[u] = _mm512_getmant_ps(v[u], _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);
  EACH i[u] = bits(_mm512_srli_epi32(ints(r[u]), 19));
  EACH r[u] = fmadd(r[u], lookup16(i[u], inverse), minus);
  EACH e[u] = fmadd(e[u], ln2, lookup16(i[u], logarithm));
  EACH p[u] = fmadd(r[u], all(log1p_c[2]), all(log1p_c[1]));
  EACH p[u] = fmadd(r[u], p[u], all(log1p_c[0]));
  EACH i[u] = _mm512_mul_ps(r[u], r[u]);
  EACH e[u] = _mm512_add_ps(e[u], r[u]);
  EACH v[u] = fmadd(i[u], p[u], e[u]);
}

// sin(k*pi + r) = (-1)^k * (r + r^3*P(r^2)), pi in three parts, all positive, or -0 would be lost. Large arguments leave
// the loop.
static float sin_c[4], pi_1, pi_2, pi_3;
#define SIN_LIMIT 30000.0f

INLINE void sin_9(vec *v, const vec *v2, const vec *v3, const int count) {
  const vec magic = all(MAGIC(0)), p1 = all(pi_1), p2 = all(pi_2), p3 = all(pi_3);
  vec t[MOST], k[MOST], r[MOST], s[MOST], p[MOST];
  EACH t[u] = fmadd(v[u], all(M_1_PI), magic);
  EACH k[u] = _mm512_sub_ps(t[u], magic);
  EACH r[u] = fnmadd(k[u], p1, v[u]);
  EACH r[u] = fnmadd(k[u], p2, r[u]);
  EACH r[u] = fnmadd(k[u], p3, r[u]);
  EACH s[u] = _mm512_mul_ps(r[u], r[u]);
  EACH p[u] = fmadd(s[u], all(sin_c[3]), all(sin_c[2]));
  EACH p[u] = fmadd(s[u], p[u], all(sin_c[1]));
  EACH p[u] = fmadd(s[u], p[u], all(sin_c[0]));
  EACH s[u] = _mm512_mul_ps(s[u], r[u]);
  EACH p[u] = fmadd(s[u], p[u], r[u]);
  EACH v[u] = bits(_mm512_xor_si512(ints(p[u]), _mm512_slli_epi32(ints(t[u]), 31)));
}

INLINE int64_t sin_vectors(const int count, const int mode, int64_t i, const float *restrict x, float *restrict out, int64_t n) {
  for (; i + 16 * count <= n; i += 16 * count) {
    vec v[MOST], largest = all(0);
    EACH v[u] = _mm512_loadu_ps(x + i + 16 * u);
    if (mode == FETCH) EACH _mm_prefetch(x + i + 16 * u + 256, _MM_HINT_T0);
    if (mode == STREAM) EACH _mm_prefetch(x + i + 16 * u + 1024, _MM_HINT_T0);
    EACH largest = _mm512_range_ps(largest, v[u], 3 | 2 << 2); // a NaN does not matter
    if (__builtin_expect(_mm512_cmp_ps_mask(largest, all(SIN_LIMIT), _CMP_GT_OQ), 0)) return i;
    sin_9(v, 0, 0, count);
    if (mode == FETCH) EACH __builtin_prefetch(out + i + 16 * u + 128, 1);
    EACH if (mode == STREAM) _mm512_stream_ps(out + i + 16 * u, v[u]);
    else _mm512_storeu_ps(out + i + 16 * u, v[u]);
  }
  return i;
}

__attribute__((noinline)) static int64_t sin_each(int64_t i, int64_t count, const float *x, float *out) {
  for (int64_t end = i + count; i < end; i++) out[i] = sin(x[i]);
  return i;
}

__attribute__((noinline)) static void run_sin(const float *restrict x, float *restrict out, int64_t n) {
  int64_t bytes = 8 * n, i = 0, head = (-(uintptr_t)out % 64) / 4;
  if (bytes > LAST_LEVEL / 4 * 3) i = sin_each(0, head, x, out);
  while (n - i >= 96) {
    if (bytes > LAST_LEVEL / 4 * 3) {
      i = sin_vectors(6, STREAM, i, x, out, n);
      _mm_sfence();
    } else if (bytes > LEVEL2 && bytes <= 4 * LEVEL2) {
      i = sin_vectors(6, FETCH, i, x, out, n);
    } else {
      i = sin_vectors(6, PLAIN, i, x, out, n);
    }
    if (n - i >= 96) i = sin_each(i, 96, x, out);
  }
  while ((i = sin_vectors(1, PLAIN, i, x, out, n)) + 16 <= n) i = sin_each(i, 16, x, out);
  if (i < n) {
    __mmask16 m = (__mmask16)((1u << (n - i)) - 1);
    vec v = _mm512_maskz_loadu_ps(m, x + i);
    if (_mm512_cmp_ps_mask(_mm512_abs_ps(v), all(SIN_LIMIT), _CMP_GT_OQ)) {
      sin_each(i, n - i, x, out);
      return;
    }
    sin_9(&v, 0, 0, 1);
    _mm512_mask_storeu_ps(out + i, m, v);
  }
}
PEER(hand_sin_9, run_sin(c->in[0], c->out, c->n))

// sqrt(x) by the estimate of 1/sqrt(x) and one Newton step: y = x*e, y + y*(1 - y*e)/2. 0, infinities and negative numbers
// are fixed up; vectors with subnormal numbers take the exact instruction.
INLINE void sqrt_newton(vec *v, const vec *v2, const vec *v3, const int count) {
  const vec one = all(1), half = all(0.5f);
  // Of x: QNaN and SNaN give x, zeros x, -infinity and negatives the indefinite NaN, +infinity x.
  const __m512i table = _mm512_set1_epi32(1 | 1 << 4 | 1 << 8 | 0 << 12 | 4 << 16 | 1 << 20 | 4 << 24 | 0 << 28);
  vec e[MOST], y[MOST], r[MOST];
  __mmask16 small = 0;
  EACH small |= _mm512_cmp_epu32_mask(_mm512_sub_epi32(ints(v[u]), _mm512_set1_epi32(1)), _mm512_set1_epi32(0x007fffff), _MM_CMPINT_LT);
  if (__builtin_expect(small, 0)) {
    EACH v[u] = _mm512_sqrt_ps(v[u]);
    return;
  }
  EACH e[u] = _mm512_rsqrt14_ps(v[u]);
  EACH y[u] = _mm512_mul_ps(v[u], e[u]);
  EACH r[u] = fnmadd(y[u], e[u], one);
  EACH e[u] = _mm512_mul_ps(y[u], half);
  EACH y[u] = fmadd(e[u], r[u], y[u]);
  EACH v[u] = _mm512_fixupimm_ps(y[u], v[u], table, 0);
}

INLINE void muladd(vec *v, const vec *v2, const vec *v3, const int count) { EACH v[u] = fmadd(v[u], v2[u], v3[u]); }

// The steps z = z^2 + c until |z| > 2, at most 256, as integers: the vectors go round while any lane has not left, and the
// masks say which ones count.
INLINE void mandelbrot(vec *v, const vec *v2, const vec *v3, const int count) {
#pragma clang fp contract(off)
  vec x[MOST], y[MOST];
  __m512i steps[MOST];
  __mmask16 inside[MOST], any = 1;
  EACH x[u] = y[u] = all(0), steps[u] = _mm512_setzero_si512(), inside[u] = 0xffff;
  for (int n = 0; n < 256 && any; n++) {
    any = 0;
    EACH {
      vec x2 = x[u] * x[u], y2 = y[u] * y[u];
      inside[u] = _mm512_mask_cmp_ps_mask(inside[u], x2 + y2, all(4), _CMP_NGT_UQ);
      steps[u] = _mm512_mask_add_epi32(steps[u], inside[u], steps[u], _mm512_set1_epi32(1));
      y[u] = (x[u] + x[u]) * y[u] + v2[u];
      x[u] = x2 - y2 + v[u];
      any |= inside[u];
    }
  }
  EACH v[u] = bits(steps[u]);
}

HAND(gelu_exp, 4, 1)
HAND(gelu_tanh_5, 2, 1)
HAND(gelu_tanh_4, 2, 1)
HAND(gelu_erf_5, 2, 1)
HAND(exp_32, 6, 1)
HAND(tanh_32, 6, 1)
HAND(sigmoid, 6, 1)
HAND(silu, 6, 1)
HAND(log_16, 4, 1)
HAND(sqrt_newton, 4, 1)
HAND(muladd, 4, 3)
HAND(mandelbrot, 4, 2)

static double log1p_rest(double r) { return fabs(r) < 1e-8 ? -0.5 + r / 3 : (log1p(r) - r) / (r * r); }
static double coth_of_square(double s) { return s < 1e-12 ? 1.0 / 3 : (sqrt(s) / tanh(sqrt(s)) - 1) / s; }
static double sin_of_square(double s) { return s < 1e-8 ? -1.0 / 6 + s / 120 : (sin(sqrt(s)) - sqrt(s)) / (s * sqrt(s)); }
static double exp_minus(double r) { return exp(-r); }

__attribute__((constructor)) static void init(void) {
  double c[8];
  for (int i = 0; i < 16; i++) exp2_16[i] = exp2(i / 16.0);
  for (int i = 0; i < 32; i++) exp2_32[i] = exp2(i / 32.0), tanh_half[i] = tanh(i / 2.0);
  fit(exp2, 0, 1 / 16.0, 3, c);
  for (int i = 0; i < 4; i++) exp2_cubic[i] = c[i];
  fit(exp, -M_LN2 / 64, M_LN2 / 64, 2, c);
  for (int i = 0; i < 3; i++) exp_quadratic[i] = c[i];
  fit(exp_minus, -M_LN2 / 64, M_LN2 / 64, 2, c);
  for (int i = 0; i < 3; i++) exp_minus_quadratic[i] = c[i];
  ln2_high = floor(M_LN2 * 2048) / 2048; // 11 bits: times k exact
  ln2_low = M_LN2 - ln2_high;
  fit(coth_of_square, 0, 1 / 16.0, 1, c);
  coth_c[0] = c[0], coth_c[1] = c[1];
  for (int i = 0; i < 16; i++) {
    double m = i == 0 ? 1 : i == 15 ? 2 : 1 + (i + 0.5) / 16;
    log_inverse[i] = 1 / m;
    log_c[i] = -log(log_inverse[i]);
    if (i == 0 || i == 15) continue;
    float inverse = log_inverse[i]; // of its neighbours, the one whose logarithm is nearest to a float
    double least = 1;
    for (int k = 0; k < 4000; k++) {
      double exact = -log(inverse), error = fabs(exact - (float)exact);
      if (error < least) least = error, log_inverse[i] = inverse, log_c[i] = exact;
      inverse = nextafterf(inverse, 1);
    }
  }
  // An error of this polynomial counts r times: so take four Chebyshev points, the third of them 0, and leave that one out.
  const double half = 0.047, at[] = {half * (chebyshev(0, 4) - chebyshev(2, 4)), half * (chebyshev(1, 4) - chebyshev(2, 4)), half * (chebyshev(3, 4) - chebyshev(2, 4))};
  interpolate(log1p_rest, at, 3, c);
  for (int i = 0; i < 3; i++) log1p_c[i] = c[i];
  fit(sin_of_square, 0, M_PI * M_PI / 4, 3, c);
  for (int i = 0; i < 4; i++) sin_c[i] = c[i];
  pi_1 = floor(M_PI * 512) / 512; // 11 bits
  pi_2 = floor((M_PI - pi_1) * 0x1p22) / 0x1p22;
  pi_3 = M_PI - pi_1 - pi_2;
  fill(&tanh_5, q_tanh, 5.4, 5);
  fill(&tanh_4, q_tanh, 5.2, 4);
  fill(&erf_5, q_erf, 5.6, 5);
}
