// A simulation as Python holds it.
#pragma once

#include "bindings.hpp"
#include "engine/simulation.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

namespace slotwise::bindings {

struct Stepped {
    template <class... Arguments>
    explicit Stepped(Arguments&&... arguments)
        : simulation(std::forward<Arguments>(arguments)...) {}

    Simulation simulation;
    std::atomic<bool> in_use = false;
    std::uint64_t version = 1; // counts moves, which may have changed the columns
};

using SteppedPtr = std::shared_ptr<Stepped>;

// Allows one call at a time.
class Use {
  public:
    explicit Use(Stepped& stepped) : stepped_(stepped) {
        if (stepped.in_use.exchange(true))
            throw std::runtime_error("the simulation is in the middle of a call, of another thread "
                                     "or of its own dispatcher; give each thread a copy of it");
    }
    ~Use() { stepped_.in_use = false; }
    Use(const Use&) = delete;

    Simulation* operator->() { return &stepped_.simulation; }
    Simulation& operator*() { return stepped_.simulation; }

  private:
    Stepped& stepped_;
};

class Move : public Use {
  public:
    explicit Move(Stepped& stepped) : Use(stepped) { ++stepped.version; }
};

// A dispatcher that calls `dispatch`; null if that is None.
std::shared_ptr<Dispatcher> dispatcher_of(const py::object& dispatch);

// Binds the functions that write the state and make it again from what was written.
void bind_recipe(py::class_<Stepped, SteppedPtr>& simulation);

} // namespace slotwise::bindings
