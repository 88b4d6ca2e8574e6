#include "planner/reservation/many_promises.hpp"

#include <bit>
#include <cassert>
#include <utility>

namespace slotwise {

ManyPromises::ManyPromises(PromiseProfile profile, PromiseQueue& promises, const StartGrid& grid)
    : grid_(grid), profile_(std::move(profile)) {
    relist(promises);
    latest_.refresh(promises);
}

void ManyPromises::list(PromiseId id, PromiseQueue& promises) {
    const Promise& p = promises.of(id);
    latest_.note(p, promises.base());
    promises_ = &promises;
    join(profile_.split_at(p.start), id);
}

void ManyPromises::unlist(PromiseId id, PromiseQueue& promises) {
    const Time start = promises.of(id).start;
    promises_ = &promises;
    if (start >= profile_.origin())
        leave(profile_.locate(start), id);
    else
        starts_.forget(id);
}

void ManyPromises::join(PromiseProfile::Position at, PromiseId id) {
    assert(profile_.time(at) == promises_->of(id).start);
    PlannedStarts starts = profile_.starts(at);
    starts_.join(starts, id, *promises_);
    profile_.set_starts(at, starts);
}

void ManyPromises::leave(PromiseProfile::Position at, PromiseId id) {
    assert(profile_.time(at) == promises_->of(id).start);
    PlannedStarts starts = profile_.starts(at);
    assert(starts.first != kNoPromise);
    starts_.leave(starts, id, *promises_);
    profile_.set_starts(at, starts);
}

void ManyPromises::relist(PromiseQueue& promises) {
    promises_ = &promises;
    starts_ = {};
    const auto for_each = [&](auto&& visit) {
        for (std::size_t block = 0; block < promises.n_blocks(); ++block)
            for (std::uint64_t lanes = promises.all(block); lanes != 0; lanes &= lanes - 1) {
                const auto index = static_cast<std::uint32_t>(std::countr_zero(lanes));
                const PromiseId id = promises.id({block, index});
                const Time start = promises.of(id).start;
                if (start >= profile_.origin()) visit(profile_.split_at(start), id);
            }
    };
    for_each([&](PromiseProfile::Position at, PromiseId) { profile_.set_starts(at, {}); });
    for_each([&](PromiseProfile::Position at, PromiseId id) { join(at, id); });
    for (FreedRange& range : left_)
        range.until_rank = kNoRank;
}

} // namespace slotwise
