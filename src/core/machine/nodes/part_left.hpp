// The share of a node's capacity that the units of a job would leave free. The best-fit rule
// minimises it.
//
// Example: a node with 4 cores and 10 GB has 3 cores and 10 GB free. Two units of 1 core and 5 GB
// each leave 1 core and no memory free, so the share is 1/4 + 0/10 = 0.25.
#pragma once

#include "machine/nodes/amounts.hpp"

#include <cstddef>
#include <cstdint>

namespace slotwise {

// Returns the share that is left free, summed over the resources. `free` is what is free before the
// units are placed, and `each` is what each unit takes.
template <class Free>
double part_left(const Free& free, std::int32_t units, const Amounts& each,
                 const Amounts& capacity) {
    double sum = 0;
    for (std::size_t r = 0; r < capacity.size(); ++r)
        if (capacity[r] > 0)
            sum +=
                static_cast<double>(free[r] - units * each[r]) / static_cast<double>(capacity[r]);
    return sum;
}

} // namespace slotwise
