// libmvec, the vector functions of the GNU C library (within 4 ULP).
#include "lanes.h"
vec _ZGVeN16v_tanhf(vec);
vec _ZGVeN16v_erff(vec);
vec _ZGVeN16v_expf(vec);
vec _ZGVeN16v_logf(vec);
vec _ZGVeN16v_sinf(vec);

LANES(mvec_gelu_tanh, half_times_one_plus(x, _ZGVeN16v_tanhf(gelu_argument(x))))
LANES(mvec_gelu_erf, half_times_one_plus(x, _ZGVeN16v_erff(mul(x, all(0.70710678f)))))
LANES(mvec_tanh, _ZGVeN16v_tanhf(x))
LANES(mvec_exp, _ZGVeN16v_expf(x))
LANES(mvec_sigmoid, logistic(all(1), _ZGVeN16v_expf(minus(x))))
LANES(mvec_silu, logistic(x, _ZGVeN16v_expf(minus(x))))
LANES(mvec_log, _ZGVeN16v_logf(x))
LANES(mvec_sin, _ZGVeN16v_sinf(x))
