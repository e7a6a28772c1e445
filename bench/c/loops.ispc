// Kernels with loops, in ISPC. The argument is struct call of peer.h.
struct Call {
  const float *uniform in[3];
  float *uniform out;
  int64 n, reps;
};

// The steps z = z^2 + c until |z| > 2, at most 256.
static inline int steps(float cx, float cy) {
  float x = 0, y = 0;
  int n = 0;
  for (; n < 256; n++) {
    float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4) break;
    y = 2 * x * y + cy;
    x = x2 - y2 + cx;
  }
  return n;
}

export uniform int ispc_mandelbrot(const uniform Call *uniform c) {
  const uniform float *uniform cx = c->in[0], *uniform cy = c->in[1];
  uniform int *uniform counts = (uniform int *uniform)c->out;
  for (uniform int64 r = 0; r < c->reps; r++) {
    foreach (i = 0 ... (uniform int)c->n) counts[i] = steps(cx[i], cy[i]);
    memory_barrier();
  }
  return 0;
}
