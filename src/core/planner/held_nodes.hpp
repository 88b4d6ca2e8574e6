// The reservations of a pool of nodes, in the order in which a pass makes them. They are compared
// with those of the previous pass: a reservation that is the same as before gets the same number.
//
// Example: nodes 1 and 2 are reserved for the head at time 100, as reservation number 7. The next
// pass drops this reservation and makes the same one again; its number is again 7. Jobs that were
// refused because of reservation 7 are therefore still refused.
#pragma once

#include "availability/node_search.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class HeldNodes {
  public:
    struct Held {
        JobId job = kNoJob;
        Time from = 0;
        Time to = 0;
        std::uint64_t changed = 0; // value of NodeState::changed() when the reservation was made
        // Value of FreedNodeSpans::count() when a search last found no earlier start.
        std::uint64_t n_freed = 0;
        NodeHold hold;

        bool keeps_as(const Held& other) const {
            return job == other.job && from == other.from && to == other.to && hold == other.hold;
        }
    };

    // Identifies a set of reservations by its size and the number of the last reservation.
    struct Mark {
        std::size_t count = 0;
        std::uint64_t number = 0;

        bool operator==(const Mark&) const = default;
    };

    const std::vector<Held>& held() const { return held_; }
    Mark present() const { return {held_.size(), held_.empty() ? 0 : numbers_[held_.size() - 1]}; }

    // Returns true if the reservations that the mark describes are among the current ones.
    bool stands(const Mark& mark) const {
        return mark.count <= held_.size() &&
               (mark.count == 0 || numbers_[mark.count - 1] == mark.number);
    }

    // Returns the reservation of the previous pass at this position if all earlier ones are the
    // same. Otherwise returns null.
    const Held* repeated() const {
        return held_.size() < before_.size() && repeats_ ? &before_[held_.size()] : nullptr;
    }

    void add(Held held) {
        const Held* last = repeated();
        if (last == nullptr || !last->keeps_as(held)) {
            repeats_ = false;
            numbers_.resize(held_.size());
            numbers_.push_back(++newest_);
        }
        held_.push_back(std::move(held));
    }

    // Repeats the reservation that repeated() returns, which must be in lingering(). `changed` is
    // the current value of NodeState::changed().
    void keep_repeated(std::uint64_t changed) {
        Held& last = before_[held_.size()];
        last.changed = changed;
        held_.push_back(std::move(last));
    }

    // Drops the reservations, but leaves them in the plan. From then on, lingering() lists those
    // that have not been repeated. Requires that lingering() is empty.
    void drop() {
        if (held_.empty()) return;
        before_ = std::move(held_);
        held_.clear();
        repeats_ = true;
        lingers_ = true;
    }

    std::span<const Held> lingering() const {
        if (!lingers_ || held_.size() >= before_.size()) return {};
        return std::span(before_).subspan(held_.size());
    }
    void forget_lingering() { lingers_ = false; }

  private:
    std::vector<Held> held_;
    std::vector<Held> before_; // the reservations that drop() dropped last
    std::vector<std::uint64_t> numbers_;
    std::uint64_t newest_ = 0;
    bool repeats_ = false;
    bool lingers_ = false; // true while the dropped reservations are still in the plan
};

} // namespace slotwise
