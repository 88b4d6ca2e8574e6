// What a scheduler asks of a machine. A scheduler is a template over it, instantiated once a
// machine and chosen once a replay, so that nothing in a pass is dispatched at run time.
#pragma once

#include "types.hpp"

#include <concepts>

namespace slotwise {

// `free` bounds what can start (a wider job never fits); `fits` is exact. `allocate` follows a true
// `fits` for the same processors; `release` gives back what the job was allocated.
template <class Machine>
concept MachineModel = std::copyable<Machine> && requires(Machine machine, const Machine constant,
                                                          JobId job, ProcCount processors) {
    { constant.free() } -> std::same_as<ProcCount>;
    { constant.fits(processors) } -> std::same_as<bool>;
    machine.allocate(job, processors);
    machine.release(job, processors);
};

} // namespace slotwise
