// For each instant, a list of the promises that start then, in policy order.
#pragma once

#include "availability/profile.hpp"
#include "queue/promise_queue.hpp"

#include <algorithm>

namespace slotwise {

// A point of the profile stores the first promise of its list. PromiseQueue links each promise to
// its neighbours in the list; the `previous` link of the first promise leads to the last one. A
// promise that starts before the origin of the profile is not in any list.
class PromisedStarts {
  public:
    static PromiseId last(const PlannedStarts& starts, const PromiseQueue& promises) {
        return promises.links(starts.first).previous;
    }

    void join(PlannedStarts& starts, PromiseId id, PromiseQueue& promises) {
        starts.narrowest = std::min(starts.narrowest, promises.of(id).processors);
        const PromiseId behind = place(starts, id, promises);
        auto& links = promises.links(id);
        joined_ = id;
        if (behind == kNoPromise) { // the promise becomes the first in the list
            links = {starts.first == kNoPromise ? id : last(starts, promises), starts.first};
            if (starts.first != kNoPromise) promises.links(starts.first).previous = id;
            starts.first = id;
            return;
        }
        links = {behind, promises.links(behind).next};
        promises.links(links.next == kNoPromise ? starts.first : links.next).previous = id;
        promises.links(behind).next = id;
    }

    void leave(PlannedStarts& starts, PromiseId id, PromiseQueue& promises) {
        const auto links = promises.links(id);
        forget(id);
        if (starts.first == id)
            starts.first = links.next;
        else
            promises.links(links.previous).next = links.next;
        if (starts.first == kNoPromise) {
            starts = {};
            return;
        }
        promises.links(links.next == kNoPromise ? starts.first : links.next).previous =
            links.previous;
        if (promises.of(id).processors == starts.narrowest) refresh(starts, promises);
    }

    // Forgets a promise that no longer exists. The promise must not be in any list.
    void forget(PromiseId id) {
        if (joined_ == id) joined_ = kNoPromise;
    }

  private:
    // Returns the promise after which `id` belongs, or kNoPromise if `id` comes first. A
    // compression sweep moves promises in policy order. The search therefore begins at the promise
    // that most recently joined a list, if it has the same start.
    PromiseId place(const PlannedStarts& starts, PromiseId id, const PromiseQueue& promises) const {
        const std::uint32_t rank = promises.of(id).rank;
        const auto precedes = [&](PromiseId other) { return promises.of(other).rank < rank; };
        if (starts.first == kNoPromise || !precedes(starts.first)) return kNoPromise;
        PromiseId behind = last(starts, promises);
        if (precedes(behind)) return behind;
        if (joined_ != kNoPromise && promises.of(joined_).start == promises.of(id).start) {
            behind = joined_;
            while (precedes(behind) && precedes(promises.links(behind).next))
                behind = promises.links(behind).next;
        }
        while (!precedes(behind))
            behind = promises.links(behind).previous;
        return behind;
    }

    void refresh(PlannedStarts& starts, const PromiseQueue& promises) const {
        const ProcCount least = starts.narrowest;
        starts.narrowest = promises.of(starts.first).processors;
        for (PromiseId id = promises.links(starts.first).next;
             id != kNoPromise && starts.narrowest > least; id = promises.links(id).next)
            starts.narrowest = std::min(starts.narrowest, promises.of(id).processors);
    }

    PromiseId joined_ = kNoPromise; // the promise that most recently joined a list
};

} // namespace slotwise
