#include "replay/usage/renewed_usage.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

constexpr double kNotFixed = -1;
constexpr double kDecay = 0.693; // Slurm's value of ln 2

// Returns base^exponent. Repeated squaring gives the same double on every platform, unlike pow.
double power(double base, Time exponent) {
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 != 0) result *= base;
        base *= base;
    }
    return result;
}

} // namespace

RenewedUsage::RenewedUsage(double half_life, UsageResets resets, UsageRenewals renewals,
                           std::vector<std::int32_t> account_of, std::size_t n_accounts)
    : per_second_(half_life == 0 ? 1.0 : std::max(1.0 - kDecay / half_life, 0.0)), resets_(resets),
      period_(renewals.period), next_renewal_(renewals.origin + renewals.period),
      last_renewal_(renewals.origin), cleared_(resets_.last(renewals.origin)),
      account_of_(std::move(account_of)), of_accounts_(n_accounts, 0.0),
      of_users_(account_of_.size(), 0.0), account_parts_(n_accounts, 0.0),
      user_parts_(account_of_.size(), kNotFixed) {}

void RenewedUsage::note_start(JobId job, std::int32_t user, ProcCount processors, Time now) {
    renew({}, {}, now);
    running_[job] = {user, processors, now};
}

void RenewedUsage::note_end(JobId job, Time now) {
    renew_before(now);
    const auto found = running_.find(job);
    if (found == running_.end()) return;
    count(found->second, now);
    running_.erase(found);
}

void RenewedUsage::renew(std::span<const JobId> waiting, std::span<const std::int32_t> user_of,
                         Time now) {
    renew_before(now);
    if (now < next_renewal_) return;
    begin_renewal(now);
    auto next = waiting.begin();
    const auto fix_before = [&](JobId job) {
        for (; next != waiting.end() && *next < job; ++next)
            of_user(user_of[*next]);
    };
    for (auto& [job, running] : running_) {
        fix_before(job);
        count(running, now);
    }
    fix_before(kNoJob);
}

UsageParts RenewedUsage::parts(std::int32_t user, Time now) {
    renew({}, {}, now);
    const auto account = static_cast<std::size_t>(account_of_[static_cast<std::size_t>(user)]);
    return {account_parts_[account], of_user(user)};
}

// While the machine is idle, all due renewals after the first are combined into one. The effect is
// the same apart from rounding, because fractions of usage do not change.
void RenewedUsage::renew_before(Time now) {
    while (next_renewal_ < now) {
        begin_renewal(next_renewal_);
        for (auto& [job, running] : running_)
            count(running, last_renewal_);
        if (running_.empty() && next_renewal_ < now) {
            begin_renewal(next_renewal_ + (now - 1 - next_renewal_) / period_ * period_);
        }
    }
}

void RenewedUsage::begin_renewal(Time now) {
    if (const Time cleared = resets_.last(now); cleared != cleared_) {
        cleared_ = cleared;
        all_ = 0;
        std::fill(of_accounts_.begin(), of_accounts_.end(), 0.0);
        std::fill(of_users_.begin(), of_users_.end(), 0.0);
    }
    for (std::size_t i = 0; i < of_accounts_.size(); ++i)
        account_parts_[i] = all_ > 0 ? of_accounts_[i] / all_ : 0.0;
    const double left = decay_over(now - last_renewal_);
    all_ *= left;
    for (double& usage : of_accounts_)
        usage *= left;
    for (double& usage : of_users_)
        usage *= left;
    std::fill(user_parts_.begin(), user_parts_.end(), kNotFixed);
    last_renewal_ = now;
    next_renewal_ = now + period_;
}

// Adds the usage that a job has accumulated since it was last counted. As in Slurm, all of it
// decays as if it were as old as its oldest part.
void RenewedUsage::count(Running& running, Time now) {
    const Time seconds = now - running.counted_until;
    const double used = running.processors * static_cast<double>(seconds) * decay_over(seconds);
    const auto user = static_cast<std::size_t>(running.user);
    all_ += used;
    of_accounts_[static_cast<std::size_t>(account_of_[user])] += used;
    of_users_[user] += used;
    running.counted_until = now;
}

double RenewedUsage::of_user(std::int32_t user) {
    const auto place = static_cast<std::size_t>(user);
    double& part = user_parts_[place];
    if (part < 0) part = all_ > 0 ? of_users_[place] / all_ : 0.0;
    return part;
}

double RenewedUsage::decay_over(Time seconds) const {
    return per_second_ == 1.0 ? 1.0 : power(per_second_, seconds);
}

} // namespace slotwise
