// A simulation for use from Python, with copy on write.
#pragma once

#include "bindings.hpp"
#include "engine/simulation.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

namespace slotwise::bindings {

// Copies share a simulation until one of them changes it. A copy that only reads it, or is never
// used, therefore costs nothing.
struct Stepped {
    template <class... Arguments>
    explicit Stepped(Arguments&&... arguments)
        : simulation(std::make_shared<Simulation>(std::forward<Arguments>(arguments)...)) {}
    explicit Stepped(std::shared_ptr<Simulation> shared) : simulation(std::move(shared)) {}

    std::shared_ptr<Simulation> simulation;
    std::atomic<bool> in_use = false;
    std::uint64_t version = 1; // a number that grows whenever the columns may have changed
};

using SteppedPtr = std::shared_ptr<Stepped>;

// Allows only one call at a time; a second call at the same time raises a RuntimeError.
class Use {
  public:
    explicit Use(Stepped& stepped) : stepped_(stepped) {
        if (stepped.in_use.exchange(true))
            throw std::runtime_error("the simulation is in the middle of a call, during which "
                                     "neither its dispatcher nor another thread may call it; give "
                                     "each thread its own copy");
    }
    ~Use() { stepped_.in_use = false; }
    Use(const Use&) = delete;

    Simulation* operator->() { return stepped_.simulation.get(); }
    Simulation& operator*() { return *stepped_.simulation; }

  protected:
    void own() {
        ++stepped_.version;
        if (stepped_.simulation.use_count() > 1)
            stepped_.simulation = std::make_shared<Simulation>(*stepped_.simulation);
    }

  private:
    Stepped& stepped_;
};

// Access to a simulation, for a call that changes it.
class Move : public Use {
  public:
    explicit Move(Stepped& stepped) : Use(stepped) { own(); }
};

// Access to a simulation, for a call that reads its jobs, including newly submitted ones.
class Look : public Use {
  public:
    explicit Look(Stepped& stepped) : Use(stepped) {
        if ((*this)->has_new_jobs()) own();
        (*this)->take_in();
    }
};

// Returns a dispatcher that calls `dispatch`, or null if `dispatch` is None.
std::shared_ptr<Dispatcher> dispatcher_of(const py::object& dispatch);

// Binds the functions that save and restore the state of a simulation.
void bind_recipe(py::class_<Stepped, SteppedPtr>& simulation);

} // namespace slotwise::bindings
