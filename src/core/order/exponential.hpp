// An exponential that gives the same double on every platform, as the logarithms beside it do.
#pragma once

namespace slotwise {

// e^x to within two units in the last place; 0 below -745, infinity above 709.
double exponential(double x);

} // namespace slotwise
