// The free amounts of one node, or of a whole machine, over time: a step function from an origin
// on, constant after its last step.
#pragma once

#include "machine/nodes.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class FreeSteps {
  public:
    struct Step {
        Time begin;
        Amounts free;
    };

    FreeSteps(Time origin, const Amounts& free) : steps_{{origin, free}} {}

    void forget_before(Time now);

    // Forgets what lies before `now`, adds `times` · `change` over [begin, end); now <= begin.
    void add(Time now, Time begin, Time end, const Amounts& change, std::int64_t times);

    // Whether both say the same from the later of their first times on, if that is within the first
    // step of both.
    bool same_as(const FreeSteps& other) const;

    // Equal where steps are the same; hardly ever elsewhere.
    std::uint32_t mark() const;

    std::size_t size() const { return steps_.size(); }
    const Step& operator[](std::size_t i) const { return steps_[i]; }
    Time end_of(std::size_t i) const {
        return i + 1 < steps_.size() ? steps_[i + 1].begin : kNever;
    }

    // The step that holds at `time`, which is not before the first.
    std::size_t at(Time time) const {
        const std::size_t near = std::min<std::size_t>(steps_.size(), kNear);
        for (std::size_t i = 1; i < near; ++i)
            if (steps_[i].begin > time) return i - 1;
        return near == steps_.size() ? near - 1 : search(time);
    }

  private:
    static constexpr std::size_t kNear = 12; // steps gone through before the rest is searched

    std::size_t search(Time time) const;
    std::size_t split(Time time);
    void merge(std::size_t i);

    std::vector<Step> steps_; // by begin
};

} // namespace slotwise
