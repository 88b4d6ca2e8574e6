// A power of two that is the same double on every platform (see numeric/logarithm.hpp).
#pragma once

namespace slotwise {

// 2^x, computed to about 2^-68 and rounded once; 0 for x < -1075 and infinite for x >= 1024.
double exp2(double x);

} // namespace slotwise
