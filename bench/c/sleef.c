// SLEEF: the functions of 1 ULP (u10) and, where there are some, those of 3.5 ULP (u35).
#include "lanes.h"
#include <sleef.h>

LANES(sleef_u10_gelu_tanh, half_times_one_plus(x, Sleef_tanhf16_u10(gelu_argument(x))))
LANES(sleef_u10_gelu_erf, half_times_one_plus(x, Sleef_erff16_u10(mul(x, all(0.70710678f)))))
LANES(sleef_u10_tanh, Sleef_tanhf16_u10(x))
LANES(sleef_u10_exp, Sleef_expf16_u10(x))
LANES(sleef_u10_sigmoid, logistic(all(1), Sleef_expf16_u10(minus(x))))
LANES(sleef_u10_silu, logistic(x, Sleef_expf16_u10(minus(x))))
LANES(sleef_u10_log, Sleef_logf16_u10(x))
LANES(sleef_u10_sin, Sleef_sinf16_u10(x))
LANES(sleef_u10_sqrt, Sleef_sqrtf16(x))
LANES(sleef_u35_gelu_tanh, half_times_one_plus(x, Sleef_tanhf16_u35(gelu_argument(x))))
LANES(sleef_u35_tanh, Sleef_tanhf16_u35(x))
LANES(sleef_u35_log, Sleef_logf16_u35(x))
LANES(sleef_u35_sin, Sleef_sinf16_u35(x))
