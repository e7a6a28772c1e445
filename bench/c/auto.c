// Plain C that the compiler vectorises: the formulas as a C programmer writes them where no library function is in the way.
#include "peer.h"
#include <math.h>
#include <string.h>

#define LOOP(name, expression)                                                 \
  static void loop_##name(const float *restrict in, float *restrict out, int64_t n) { \
    for (int64_t i = 0; i < n; i++) {                                          \
      float x = in[i];                                                         \
      out[i] = (expression);                                                   \
    }                                                                          \
  }                                                                            \
  PEER(auto_##name, loop_##name(c->in[0], c->out, c->n))

// The published demonstration: gelu with a rational function for tanh, good for inputs in [0, 1).
static inline float demo(float a) {
  float h = 0.5f * a, s = sqrtf(2 / (float)M_PI), u = s * (a + 0.044715f * (a * (a * a)));
  float u2 = u * u, u3 = u * u2;
  float t = (10 * u3 + 105 * u) / (((u * u3) + 45 * u2) + 105);
  return h * (1 + t);
}

// exp2 by rounding to an integer n and a polynomial (the first terms of the Taylor series of 2^f, |f| <= 1/2), n added
// to the exponent. Inputs are clamped so that the exponent does not overflow.
static inline float exp2_poly(float y) {
  y = y < -126 ? -126 : y;
  y = y > 127 ? 127 : y;
  float t = y + 0x1.8p23f, f = y - (t - 0x1.8p23f);
  float p = 1.3333558e-3f + f * 1.5403530e-4f;
  p = 9.6181291e-3f + f * p;
  p = 5.5504109e-2f + f * p;
  p = 2.4022651e-1f + f * p;
  p = 6.9314718e-1f + f * p;
  p = 1 + f * p;
  uint32_t e, r;
  memcpy(&e, &t, 4);
  memcpy(&r, &p, 4);
  r += e << 23;
  memcpy(&p, &r, 4);
  return p;
}
#define LOG2E 1.44269504f

LOOP(demo, demo(x))
LOOP(exp, exp2_poly(LOG2E *x))
LOOP(gelu_tanh, x / (1 + exp2_poly(-2 * LOG2E * 0.79788456f * (x + 0.044715f * x * x * x))))
LOOP(tanh, 1 - 2 / (1 + exp2_poly(2 * LOG2E * x)))
LOOP(sigmoid, 1 / (1 + exp2_poly(-LOG2E * x)))
LOOP(silu, x / (1 + exp2_poly(-LOG2E * x)))
LOOP(sqrt, sqrtf(x))

static void loop_muladd(const float *restrict x, const float *restrict y, const float *restrict z, float *restrict out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[i] = x[i] * y[i] + z[i];
}
PEER(auto_muladd, loop_muladd(c->in[0], c->in[1], c->in[2], c->out, c->n))

// The steps z = z^2 + c until |z| > 2, at most 256. Contraction would change some of them.
static void loop_mandelbrot(const float *restrict cx, const float *restrict cy, int32_t *restrict counts, int64_t n) {
#pragma clang fp contract(off)
  for (int64_t i = 0; i < n; i++) {
    float x = 0, y = 0;
    int32_t k = 0;
    for (; k < 256; k++) {
      float x2 = x * x, y2 = y * y;
      if (x2 + y2 > 4) break;
      y = 2 * x * y + cy[i];
      x = x2 - y2 + cx[i];
    }
    counts[i] = k;
  }
}
PEER(auto_mandelbrot, loop_mandelbrot(c->in[0], c->in[1], (int32_t *)c->out, c->n))
