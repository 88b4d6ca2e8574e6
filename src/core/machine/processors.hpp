// A pool of processors that are all alike: any free ones serve any job.
#pragma once

#include "machine/machine_model.hpp"
#include "types.hpp"

namespace slotwise {

class Processors {
  public:
    explicit Processors(ProcCount count) : free_(count) {}

    ProcCount free() const { return free_; }
    bool fits(ProcCount processors) const { return processors <= free_; }
    void allocate(JobId, ProcCount processors) { free_ -= processors; }
    void release(JobId, ProcCount processors) { free_ += processors; }

  private:
    ProcCount free_;
};

static_assert(MachineModel<Processors>);

} // namespace slotwise
