// What the benchmark calls: peer functions named <peer>_<function>, one pointer in, 0 out. A call runs the kernel reps times.
#ifndef PEER_H
#define PEER_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct call {
  const float *in[3];
  float *out;
  int64_t n, reps;
};

#ifdef __cplusplus
}
#define PEER_LINKAGE extern "C"
#else
#define PEER_LINKAGE
#endif

// The optimiser must not merge repetitions.
#define PEER(name, kernel)                                                     \
  PEER_LINKAGE int32_t name(const struct call *c) {                            \
    for (int64_t r = 0; r < c->reps; r++) {                                    \
      kernel;                                                                  \
      __asm__ volatile("" ::: "memory");                                       \
    }                                                                          \
    return 0;                                                                  \
  }
#endif
