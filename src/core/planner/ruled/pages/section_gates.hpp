// Gates of sections. The room of a gate is the largest number of processors that a job behind the
// gate may have.
//
// Example: sections 3 and 4 are behind gate 1, which has room for 8 processors. A class of 16
// processors in section 3 therefore counts as closed. If the gate has room for 0 processors,
// neither section is read.
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

    // Returns true if any gate has room for at least one processor.
    bool any_open() const { return n_open_ > 0; }

    // add() puts a section behind a gate; remove() undoes this.
    void add(Gate gate, Section section);
    void remove(Gate gate, Section section);

    // Returns the sections behind a gate, in no particular order. For kNoGate, the result is empty.
    const std::vector<Section>& sections_of(Gate gate) const { return gates_[gate].sections; }

    // Records that a search read `n_read` pages behind the gate without finding a class.
    // count_pages() must return the number of pages behind the gate.
    template <class CountPages>
    void note_misses(Gate gate, std::uint32_t n_read, CountPages&& count_pages) {
        if (gate == kNoGate) return;
        gates_[gate].n_misses += n_read;
        if (gates_[gate].n_misses < kMostMisses) return;
        if (gates_[gate].n_misses > kMostMisses * count_pages()) to_drop_ = gate;
    }

    // Returns true if searches behind a gate have failed so often that its classes should be moved
    // to sections without a gate.
    bool has_gate_to_drop() const { return to_drop_ != kNoGate; }
    // Returns the gate that has_gate_to_drop() refers to, and forgets it. Returns kNoGate if there
    // is none.
    Gate take_gate_to_drop() { return std::exchange(to_drop_, kNoGate); }

  private:
    struct State {
        ProcCount room = 0;
        std::uint32_t n_misses = 0; // pages read without success since the gate last had no room
        std::vector<Section> sections;
    };
    static constexpr std::uint32_t kMostMisses = 64; // limit on misses per page behind a gate

    std::vector<State> gates_ = {{kAnyRoom, 0, {}}};
    // For each section, its index among the sections of its gate.
    std::vector<std::uint32_t> places_;
    std::size_t n_open_ = 0; // number of gates with room, not counting kNoGate
    Gate to_drop_ = kNoGate;
};

} // namespace slotwise
