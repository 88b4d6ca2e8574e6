// The share of a node's capacity that units of a job would leave free; best fit minimises it.
//
// Example: a node of 4 cores and 10 GB has 3 cores and 10 GB free. Two units of 1 core and 5 GB
// each leave 1 core and no memory: 1/4 + 0/10 = 0.25.
#pragma once

#include "machine/nodes/amounts.hpp"

#include <cstddef>
#include <cstdint>

namespace slotwise {

// The sum is over the resources. `free` is the amount free before the units take `each`.
inline double part_left(const Amounts& free, std::int32_t units, const Amounts& each,
                        const Amounts& capacity) {
    double sum = 0;
    for (std::size_t r = 0; r < capacity.size(); ++r)
        if (capacity[r] > 0)
            sum +=
                static_cast<double>(free[r] - units * each[r]) / static_cast<double>(capacity[r]);
    return sum;
}

} // namespace slotwise
