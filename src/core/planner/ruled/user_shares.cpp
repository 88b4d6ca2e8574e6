#include "planner/ruled/user_shares.hpp"

#include <cmath>
#include <limits>

namespace slotwise {

namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLongestSince = 200; // half-lives until x is reset, long before it underflows

} // namespace

UserShares::UserShares(double half_life)
    : half_life_(half_life), per_processor_(half_life / kLn2) {}

std::uint32_t UserShares::number_of(std::int32_t user) {
    const auto next = static_cast<std::uint32_t>(shares_.size());
    const auto [found, is_new] = numbers_.try_emplace(user, next);
    if (is_new) shares_.push_back({.user = user});
    return found->second;
}

void UserShares::note_change(std::int32_t user, ProcCount processors) {
    Share& share = shares_[number_of(user)];
    share.in_use += processors;
    share.is_stale = true;
    if (changed_.size() < kMostChanges)
        changed_.push_back(static_cast<std::uint32_t>(&share - shares_.data()));
    else
        has_all_changed_ = true;
}

void UserShares::set_now(const UserOrder& order, const ReplayJobs& jobs, Time now) {
    order_ = &order;
    jobs_ = &jobs;
    if (now == now_) return;
    now_ = now;
    if (static_cast<double>(now - origin_) > kLongestSince * half_life_) {
        origin_ = now;
        for (Share& share : shares_)
            share.is_stale = true;
        has_all_changed_ = true;
    }
    x_ = std::exp2(-static_cast<double>(now - origin_) / half_life_);
}

// Computes the factor d of a user from the exact usage at this instant. The factor is valid until
// one of the user's jobs starts or ends.
void UserShares::learn(Share& share) {
    share.limit = static_cast<double>(share.in_use) * per_processor_;
    share.factor = (-order_->score_of(*jobs_, share.user, now_) - share.limit) / x_;
    share.is_stale = false;
}

double UserShares::leads_until(std::uint32_t one, std::uint32_t other) {
    const Share& a = at_now(one);
    const Share& b = at_now(other);
    return leads_until(a, b.usage, b.doubt, b.factor);
}

double UserShares::leads_decaying_until(std::uint32_t one, double usage) {
    return leads_until(at_now(one), usage, kRelativeError * usage, usage / x_);
}

// Returns the elapsed() time until which one user certainly stays ahead of another. Rounding errors
// only become smaller as x falls.
double UserShares::leads_until(const Share& one, double usage, double doubt, double factor) const {
    const double spare = usage - one.usage - 2 * (one.doubt + doubt);
    if (spare <= 0) return -std::numeric_limits<double>::infinity();
    const double approach = factor - one.factor;
    return approach <= 0 ? std::numeric_limits<double>::infinity() : elapsed() + spare / approach;
}

int UserShares::compare_exactly(std::int32_t one, std::int32_t other) const {
    const double a = order_->score_of(*jobs_, one, now_);
    const double b = order_->score_of(*jobs_, other, now_);
    return a > b ? -1 : a < b ? 1 : 0;
}

} // namespace slotwise
