#include "site/crash_times.hpp"

#include "numeric/exponential.hpp"
#include "numeric/logarithm.hpp"

#include <algorithm>
#include <cmath>

namespace slotwise {

CrashTimes::CrashTimes(const Crashes& crashes, Time first_submit, Time since)
    : given_(crashes.times), law_(crashes.law), mean_(crashes.mean), shape_(crashes.shape),
      repair_(crashes.repair), random_(crashes.seed) {
    std::sort(given_.begin(), given_.end());
    const Time unrepaired = since - std::max<Time>(0, repair_ - 1);
    given_.erase(std::unique(given_.begin(), given_.end()), given_.end());
    given_.erase(given_.begin(), std::lower_bound(given_.begin(), given_.end(), unrepaired));
    if (law_ != Crashes::Law::none)
        next_ = first_submit + gap();
    else if (!given_.empty())
        next_ = given_.front();
}

void CrashTimes::pop() {
    if (law_ == Crashes::Law::none) {
        ++n_given_passed_;
        next_ = n_given_passed_ < given_.size() ? given_[n_given_passed_] : kNever;
        return;
    }
    const Time from = next_ + repair_;
    const Time length = gap();
    next_ = length < kMaxTime && from < 2 * kMaxTime ? from + length : kNever;
}

Time CrashTimes::gap() {
    const double hazard = -log(1.0 - random_.uniform());
    if (!(hazard > 0)) return 1;
    const bool bent = law_ == Crashes::Law::weibull && shape_ != 1.0;
    const double seconds = std::ceil(mean_ * (bent ? exp2(log2(hazard) / shape_) : hazard));
    if (!(seconds < static_cast<double>(kMaxTime))) return kMaxTime;
    return std::max<Time>(1, static_cast<Time>(seconds));
}

} // namespace slotwise
