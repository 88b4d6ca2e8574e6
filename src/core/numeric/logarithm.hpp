// Logarithms that are the same double on every platform. The C library's logarithms differ between
// systems, and a difference in the last bit of a score may swap two jobs.
#pragma once

namespace slotwise {

// Requires a finite x > 0. Computed to about 2^-68 and rounded once: correctly rounded except for
// one argument in tens of thousands, and exact at powers of the base.
double log2(double x);
double log10(double x);
double log(double x); // natural

} // namespace slotwise
