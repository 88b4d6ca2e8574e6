// Times at which running jobs will return their processors, according to their estimated ends.
#pragma once

#include "containers/timing_wheel.hpp"
#include "types.hpp"

#include <array>
#include <cstdint>

namespace slotwise {

class Releases {
  public:
    // Works fastest for jobs that are estimated to end within `horizon` of their start.
    Releases(Time origin, Duration horizon) : wheel_(origin, horizon) {}

    // Adds a job that starts `now` and is estimated to end at `end`.
    void add(Time end, ProcCount processors, Time now) {
        const Slot slot = wheel_.slot_of(end, now, [this](Slot nearer, ProcCount moved) {
            count(nearer, moved);
            count(Wheel::kFar, -moved);
        });
        wheel_.at(slot, end) += processors;
        count(slot, processors);
    }

    // Removes a job that is no longer running. The values must be those passed to add().
    void remove(Time end, ProcCount processors) {
        const Slot slot = wheel_.slot_of(end);
        wheel_.take(slot, end, [&](ProcCount& left) { return (left -= processors) == 0; });
        count(slot, -processors);
    }

    struct Point {
        Time time;             // kNever if too few processors are ever released
        std::int64_t released; // processors returned up to and including `time`
    };

    // Returns the earliest time by which at least `processors` processors have been returned.
    Point reaching(std::int64_t processors) const;

    // Returns the number of processors returned at or before `time`.
    std::int64_t released_by(Time time) const;

    // Calls visit(time, processors) for every release between `after` and `before` (both excluded),
    // in order.
    template <class Visitor> void for_each_between(Time after, Time before, Visitor&& visit) const {
        const auto visit_slot = [&](Slot slot) {
            return wheel_.any_in(slot, [&](Time time, ProcCount processors) {
                if (time > after && time < before) visit(time, processors);
                return time >= before;
            });
        };
        const unsigned first = wheel_.slot_of(after) / Wheel::kInGroup;
        const bool is_over = wheel_.any_group([&](unsigned group) {
            return !wheel_.is_earlier(group, first) && wheel_.any_slot(group, visit_slot);
        });
        if (!is_over) visit_slot(Wheel::kFar);
    }

  private:
    using Wheel = TimingWheel<ProcCount>;
    using Slot = Wheel::Slot;

    void count(Slot slot, ProcCount processors) {
        in_slot_[slot] += processors;
        in_group_[slot / Wheel::kInGroup] += processors;
    }

    Wheel wheel_;
    std::array<ProcCount, Wheel::kFar + 1> in_slot_{};
    std::array<ProcCount, Wheel::kFar / Wheel::kInGroup + 1> in_group_{};
};

} // namespace slotwise
