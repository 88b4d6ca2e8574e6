// Logarithms that give the same double on every platform: the C library's differ between systems,
// and two jobs whose scores differ in the last bit may change places.
#pragma once

namespace slotwise {

// Of a finite x > 0. Computed to about 2^-68 and rounded once, so correctly rounded but for one
// argument in tens of thousands; exact at the powers of the base.
double log2(double x);
double log10(double x);
double log(double x); // natural

} // namespace slotwise
