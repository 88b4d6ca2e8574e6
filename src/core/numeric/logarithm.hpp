// Logarithms that are the same doubles on every platform. The logarithms of the C library differ
// between systems, and a difference in the last bit of a score may change the order of two jobs.
#pragma once

namespace slotwise {

// Returns the logarithm of a finite x > 0. It is computed with a relative error of about 2^-68 and
// then rounded once. Only about one result in tens of thousands is not correctly rounded.
// The result is exact if x is a power of the base.
double log2(double x);
double log10(double x);
double log(double x); // natural

} // namespace slotwise
