// Promises that start at the same instant, as lists in policy order.
#pragma once

#include "availability/profile.hpp"
#include "queue/promise_queue.hpp"

#include <algorithm>
#include <vector>

namespace slotwise {

// A point of the profile has the first promise of its list; the other promises are linked. Starts
// before the origin of the profile have no list.
class PromisedStarts {
  public:
    static constexpr PromiseId kNone = Profile::Starts::kNone;

    PromiseId next(PromiseId id) const { return links_[id].next; }
    PromiseId last(const Profile::Starts& starts) const { return links_[starts.first].previous; }

    void join(Profile::Starts& starts, PromiseId id, const PromiseQueue& promises) {
        const Promise& p = promises.of(id);
        if (id >= links_.size()) links_.resize(promises.n_ids());
        starts.narrowest = std::min(starts.narrowest, p.processors);
        const PromiseId behind = place(starts, id, promises);
        Link& link = links_[id];
        joined_ = id;
        if (behind == kNone) { // becomes the first
            link = {starts.first == kNone ? id : last(starts), starts.first};
            if (starts.first != kNone) links_[starts.first].previous = id;
            starts.first = id;
            return;
        }
        link = {behind, next(behind)};
        links_[link.next == kNone ? starts.first : link.next].previous = id;
        links_[behind].next = id;
    }

    void leave(Profile::Starts& starts, PromiseId id, const PromiseQueue& promises) {
        const Link link = links_[id];
        forget(id);
        if (starts.first == id)
            starts.first = link.next;
        else
            links_[link.previous].next = link.next;
        if (starts.first == kNone) {
            starts = {};
            return;
        }
        links_[link.next == kNone ? starts.first : link.next].previous = link.previous;
        if (promises.of(id).processors == starts.narrowest) refresh(starts, promises);
    }

    // A promise that is in no list ends.
    void forget(PromiseId id) {
        if (joined_ == id) joined_ = kNone;
    }

  private:
    struct Link {
        PromiseId previous; // of the first: the last
        PromiseId next;
    };

    // The promise behind which `id` belongs; kNone: before all. A sweep moves promises in policy
    // order, so the search begins at the one that joined last.
    PromiseId place(const Profile::Starts& starts, PromiseId id,
                    const PromiseQueue& promises) const {
        const std::uint32_t rank = promises.of(id).rank;
        if (starts.first == kNone || promises.of(starts.first).rank > rank) return kNone;
        PromiseId behind = last(starts);
        if (promises.of(behind).rank < rank) return behind;
        if (joined_ != kNone && promises.of(joined_).start == promises.of(id).start) {
            behind = joined_;
            while (promises.of(behind).rank < rank && promises.of(next(behind)).rank < rank)
                behind = next(behind);
        }
        while (promises.of(behind).rank > rank)
            behind = links_[behind].previous;
        return behind;
    }

    void refresh(Profile::Starts& starts, const PromiseQueue& promises) const {
        const ProcCount least = starts.narrowest;
        starts.narrowest = promises.of(starts.first).processors;
        for (PromiseId id = next(starts.first); id != kNone && starts.narrowest > least;
             id = next(id))
            starts.narrowest = std::min(starts.narrowest, promises.of(id).processors);
    }

    std::vector<Link> links_;    // by promise
    PromiseId joined_ = kNone;   // the promise that joined a list last
};

} // namespace slotwise
