// memcpy of the C library: what it costs to move an array, on one thread and on two.
#include "peer.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

PEER(libc_memcpy, memcpy(c->out, c->in[0], 4 * c->n))

// pair is two threads that copy half of the array each and wait for one another after every repetition.
struct pair {
  const struct call *c;
  atomic_long done;
};

static void half(struct pair *p, int second) {
  const struct call *c = p->c;
  int64_t first = c->n / 2 & ~63, from = second ? first : 0, count = second ? c->n - first : first;
  for (int64_t r = 1; r <= c->reps; r++) {
    memcpy(c->out + from, c->in[0] + from, 4 * count);
    atomic_fetch_add(&p->done, 1);
    while (atomic_load(&p->done) < 2 * r) __asm__ volatile("" ::: "memory");
  }
}

static void *helper(void *p) { return half(p, 1), NULL; }

int32_t libc_memcpy_pair(const struct call *c) {
  struct pair p = {c, 0};
  pthread_t t;
  if (pthread_create(&t, NULL, helper, &p)) return 1;
  half(&p, 0);
  pthread_join(t, NULL);
  return 0;
}
