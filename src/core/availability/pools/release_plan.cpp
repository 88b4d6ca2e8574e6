#include "availability/pools/release_plan.hpp"

#include <algorithm>

namespace slotwise {

namespace {

Duration length_until(Time until, Time now) {
    return static_cast<Duration>(std::clamp<Time>(until - now, 0, kMaxDuration));
}

} // namespace

BackfillBounds ReleasePlan::bounds(Time now, ProcCount processors) const {
    const auto extra = [&](std::int64_t left) {
        return static_cast<ProcCount>(std::clamp<std::int64_t>(left, 0, processors));
    };
    if (fence_.from == kNever)
        return {free_, length_until(reserved_.from, now), extra(reserved_.left)};
    if (std::min(fence_.from, reserved_.from) <= now && least_from(now) < free_)
        return {free_, 0, extra(least_from(now))};
    Span first;
    for (const Span& span : {reserved_, fence_})
        if (span.from > now && span.from < first.from && span.left < free_) first = span;
    return {free_, length_until(first.from, now), extra(first.left)};
}

void ReleasePlan::reserve(Time now, Time length, ProcCount processors) {
    drop();
    if (may_have_fence_) {
        const Time start = earliest(now, length, processors);
        if (start == kNever) return;
        reserved_ = {start, start + length, processors,
                     free_at(start) - processors - fence_.at(start)};
        fence_.left -= reserved_.at(fence_.from);
        return;
    }
    const Releases::Point enough = releases_.reaching(processors - free_);
    const Time start = std::max(enough.time, now);
    reserved_ = {start, kNever, processors, free_ + enough.released - processors};
}

void ReleasePlan::fence(Time from, Time to, ProcCount processors) {
    fence_ = {from, to, processors, free_at(from) - processors - reserved_.at(from)};
    reserved_.left -= fence_.at(reserved_.from);
}

void ReleasePlan::list(Time after, Time before, std::vector<Release>& into) const {
    releases_.for_each_between(after, before, [&](Time time, ProcCount processors) {
        into.push_back({time, processors});
    });
}

// Returns true if the job leaves enough processors for the fence, which may already have begun. A
// job of length 0 always does.
bool ReleasePlan::fits_beside_fence(Time now, Time length, ProcCount processors) const {
    if (length == 0 || now + length <= fence_.from || now >= fence_.to) return true;
    return processors <= (fence_.from > now ? fence_.left : least_from(now));
}

// Returns the number of processors that the reservation and the fence leave free now. Jobs that
// have exceeded their estimates count as ended.
std::int64_t ReleasePlan::least_from(Time now) const {
    return free_at(now) - reserved_.at(now) - fence_.at(now);
}

// Returns the earliest start that the fence allows.
Time ReleasePlan::earliest(Time now, Time length, ProcCount processors) const {
    const auto reaching = [&](std::int64_t wanted) {
        return wanted <= free_ ? now : std::max(releases_.reaching(wanted - free_).time, now);
    };
    const Time start = reaching(processors);
    if (start >= fence_.to || start + length <= fence_.from) return start;
    const std::int64_t beside = std::int64_t{processors} + fence_.processors;
    if (start < fence_.from && free_at(fence_.from) >= beside) return start;
    return std::max(start, std::min(reaching(beside), fence_.to));
}

} // namespace slotwise
