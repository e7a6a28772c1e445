// Eigen: array expressions, the formulas in the spelling that came out fastest.
#include "peer.h"
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

typedef Eigen::Map<const Eigen::ArrayXf> In;
typedef Eigen::Map<Eigen::ArrayXf> Out;
#define EXPRESSION(name, e)                                                    \
  static void eigen_loop_##name(const struct call *c) {                        \
    In x(c->in[0], c->n), y(c->in[1], c->n), z(c->in[2], c->n);                \
    Out(c->out, c->n) = e;                                                     \
  }                                                                            \
  PEER(eigen_##name, eigen_loop_##name(c))

EXPRESSION(gelu_tanh, 0.5f * x * (1.0f + (0.79788456f * x * (1.0f + 0.044715f * x * x)).tanh()))
EXPRESSION(gelu_erf, 0.5f * x * (1.0f + (x * 0.70710678f).erf()))
EXPRESSION(tanh, x.tanh())
EXPRESSION(exp, x.exp())
EXPRESSION(sigmoid, x.logistic())
EXPRESSION(silu, x * x.logistic())
EXPRESSION(log, x.log())
EXPRESSION(sin, x.sin())
EXPRESSION(sqrt, x.sqrt())
EXPRESSION(muladd, x *y + z)
