// A loop around vector-library functions of 16 lanes, with a masked tail, and the formulas made of them.
#include "peer.h"
#include <immintrin.h>
#include <math.h>

typedef __m512 vec;
static inline vec all(float x) { return _mm512_set1_ps(x); }
static inline vec mul(vec a, vec b) { return _mm512_mul_ps(a, b); }
static inline vec gelu_argument(vec x) { // sqrt(2/pi)*(x + 0.044715*x^3)
  return mul(x, _mm512_fmadd_ps(mul(x, x), all(0.79788456f * 0.044715f), all(0.79788456f)));
}
static inline vec half_times_one_plus(vec x, vec t) { return _mm512_fmadd_ps(mul(all(0.5f), x), t, mul(all(0.5f), x)); }
static inline vec logistic(vec x, vec e) { return _mm512_div_ps(x, _mm512_add_ps(all(1), e)); } // e = exp(-...)
static inline vec minus(vec x) { return _mm512_sub_ps(all(-0.0f), x); }

#define LANES(name, expression)                                                \
  static void lanes_##name(const float *in, float *out, int64_t n) {           \
    int64_t i = 0;                                                             \
    for (; i + 16 <= n; i += 16) {                                             \
      vec x = _mm512_loadu_ps(in + i);                                         \
      _mm512_storeu_ps(out + i, expression);                                   \
    }                                                                          \
    if (i < n) {                                                               \
      __mmask16 m = (__mmask16)((1u << (n - i)) - 1);                          \
      vec x = _mm512_maskz_loadu_ps(m, in + i);                                \
      _mm512_mask_storeu_ps(out + i, m, expression);                           \
    }                                                                          \
  }                                                                            \
  PEER(name, lanes_##name(c->in[0], c->out, c->n))
