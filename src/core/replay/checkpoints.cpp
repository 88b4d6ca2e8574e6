#include "replay/checkpoints.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns true if the single checkpoint, at `checkpoint_at`, falls within this attempt.
bool has_the_one(const AttemptWork& work, const Interruption& rule) {
    return rule.checkpoint_at > work.done && rule.checkpoint_at < work.done + work.left;
}

} // namespace

Time length_of(const AttemptWork& work, const Interruption& rule) {
    if (work.left <= 0) return 0;
    if (rule.checkpoint_every > 0)
        return work.left + (work.left - 1) / rule.checkpoint_every * rule.checkpoint_cost;
    return work.left + (has_the_one(work, rule) ? rule.checkpoint_cost : 0);
}

Time saved_after(const AttemptWork& work, Time elapsed, const Interruption& rule) {
    if (rule.requeue != Requeue::from_checkpoint) return 0;
    if (rule.checkpoint_every > 0) {
        const Time period = rule.checkpoint_every + rule.checkpoint_cost;
        return std::min(work.left, elapsed / period * rule.checkpoint_every);
    }
    if (!has_the_one(work, rule)) return 0;
    const Time to_checkpoint = rule.checkpoint_at - work.done;
    return elapsed >= to_checkpoint + rule.checkpoint_cost ? to_checkpoint : 0;
}

} // namespace slotwise
