// Gates of sections. The room of a gate is the most processors that a job behind it may take.
//
// Example: gate 1 has the sections 3 and 4 and room for 8 processors. A class of 16 processors in
// section 3 counts as closed. With room for 0, neither section is read.
#pragma once

#include "planner/ruled/pages/front_minima.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

class SectionGates {
  public:
    using Gate = std::uint32_t;
    using Section = std::uint32_t;
    static constexpr Gate kNoGate = 0; // always open
    static constexpr ProcCount kAnyRoom = FrontMinima::kClosed - 1;

    ProcCount room(Gate gate) const { return gates_[gate].room; }
    void set_room(Gate gate, ProcCount room);

    // True if some gate has room for any job.
    bool any_open() const { return n_open_ > 0; }

    // Puts a section behind a gate, or takes it away from there.
    void add(Gate gate, Section section);
    void remove(Gate gate, Section section);

    // Sections behind a gate, in no particular order; none for kNoGate.
    const std::vector<Section>& sections_of(Gate gate) const { return gates_[gate].sections; }

    // Records that a search read `n_read` pages behind the gate and found no class there.
    // count_pages() returns the number of pages behind the gate.
    template <class CountPages>
    void note_misses(Gate gate, std::uint32_t n_read, CountPages&& count_pages) {
        if (gate == kNoGate) return;
        gates_[gate].n_misses += n_read;
        if (gates_[gate].n_misses < kMostMisses) return;
        if (gates_[gate].n_misses > kMostMisses * count_pages()) to_drop_ = gate;
    }

    // True if a gate had so many misses that its classes should be moved to sections without one.
    bool has_gate_to_drop() const { return to_drop_ != kNoGate; }
    // Returns and forgets that gate; kNoGate: there is none.
    Gate take_gate_to_drop() { return std::exchange(to_drop_, kNoGate); }

  private:
    struct State {
        ProcCount room = 0;
        std::uint32_t n_misses = 0; // since it last had no room
        std::vector<Section> sections;
    };
    static constexpr std::uint32_t kMostMisses = 64; // per page

    std::vector<State> gates_ = {{kAnyRoom, 0, {}}};
    std::vector<std::uint32_t> places_; // by section: its index in the sections of its gate
    std::size_t n_open_ = 0;            // gates with room, without kNoGate
    Gate to_drop_ = kNoGate;
};

} // namespace slotwise
