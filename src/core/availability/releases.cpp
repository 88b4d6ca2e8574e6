#include "availability/releases.hpp"

namespace slotwise {

Releases::Point Releases::reaching(std::int64_t processors) const {
    std::int64_t released = 0;
    Slot found = Wheel::kFar;
    wheel_.any_group([&](unsigned group) {
        if (released + in_group_[group] < processors) {
            released += in_group_[group];
            return false;
        }
        return wheel_.any_slot(group, [&](Slot slot) {
            found = slot;
            if (released + in_slot_[slot] >= processors) return true;
            released += in_slot_[slot];
            return false;
        });
    });
    Point point{kNever, released};
    wheel_.any_in(found, [&](Time time, ProcCount there) {
        point.released += there;
        if (point.released < processors) return false;
        point.time = time;
        return true;
    });
    return point;
}

std::int64_t Releases::released_by(Time time) const {
    const Slot last = wheel_.slot_of(time);
    const unsigned last_group = last / Wheel::kInGroup;
    std::int64_t released = 0;
    wheel_.any_group([&](unsigned group) {
        if (wheel_.is_earlier(group, last_group)) {
            released += in_group_[group];
            return false;
        }
        return group != last_group || wheel_.any_slot(group, [&](Slot slot) {
            if (slot >= last) return true;
            released += in_slot_[slot];
            return false;
        });
    });
    wheel_.any_in(last, [&](Time end, ProcCount there) {
        if (end > time) return true;
        released += there;
        return false;
    });
    return released;
}

} // namespace slotwise
