// Powers of two that are the same doubles on every platform (see numeric/logarithm.hpp).
#pragma once

namespace slotwise {

// Returns 2^x, computed with a relative error of about 2^-68 and then rounded once. The result is 0
// for x < -1075 and infinite for x >= 1024.
double exp2(double x);

} // namespace slotwise
