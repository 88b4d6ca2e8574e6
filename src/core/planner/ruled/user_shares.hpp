// Users in the order of their decayed usage, least first: the same comparisons as a UserOrder,
// computed faster.
//
// Between two starts or ends of its jobs, the usage of a user is n·c + d·x. Here n are the
// processors in use, c = half_life/ln 2, and x = 2^(−t/half_life) is one number for all users. One
// product per user therefore suffices to order nearly all users. Exact scores are compared only for
// users that are nearly equal. Usage is a straight line in x, so it is also known until when one
// user stays ahead of another.
//
// Example: half_life 100, user 1 used 400 until now and user 2 uses 1 processor from now on. At 200
// user 1 counts as 100 and user 2 as 108, so user 1 is first.
#pragma once

#include "order/user_order.hpp"
#include "types.hpp"

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

class UserShares {
  public:
    explicit UserShares(double half_life);

    // Number of the user; assigns the next number to a user not seen before.
    std::uint32_t number_of(std::int32_t user);

    // Records that the user takes processors, or returns them (negative).
    void note_change(std::int32_t user, ProcCount processors);

    // Sets the instant of the comparisons that follow, which read `order` and `jobs`.
    void set_now(const UserOrder& order, const ReplayJobs& jobs, Time now);

    // Compares two numbered users: below 0 if `one` has the higher score, 0 if both are equal.
    int compare(std::uint32_t one, std::uint32_t other) {
        if (one == other) return 0;
        const Share& a = at_now(one);
        const Share& b = at_now(other);
        const double difference = a.usage - b.usage;
        const double doubt = a.doubt + b.doubt;
        if (difference > doubt) return 1;
        if (difference < -doubt) return -1;
        if (doubt == 0) return 0; // neither has any usage
        return compare_exactly(a.user, b.user);
    }

    // Usage of a numbered user is at least low(), at most high().
    double low(std::uint32_t number) {
        const Share& share = at_now(number);
        return share.usage - share.doubt;
    }
    double high(std::uint32_t number) {
        const Share& share = at_now(number);
        return share.usage + share.doubt;
    }

    // Falls by one half in a half-life. Begins anew at 1 from time to time; has_all_changed() then.
    double x() const { return x_; }
    // Grows with time while x() falls.
    double elapsed() const { return -x_; }

    // Time, in elapsed(), until which one user has certainly used less than the other, if no job
    // of theirs starts or ends: before now if that is not certain now, infinity if it remains so.
    double leads_until(std::uint32_t one, std::uint32_t other);

    // The same for any user whose usage is now at least `usage`, even if it runs no more jobs.
    double leads_decaying_until(std::uint32_t one, double usage);

    // Users that have started or ended jobs since forget_changes(), or all if has_all_changed().
    const std::vector<std::uint32_t>& changed() const { return changed_; }
    bool has_all_changed() const { return has_all_changed_; }
    void forget_changes() {
        changed_.clear();
        has_all_changed_ = false;
    }

  private:
    static constexpr double kLeast = 1e-200; // below this, a quotient may lose digits
    // Many times the relative error of a few operations and of std::exp2.
    static constexpr double kRelativeError = 1e-9;
    static constexpr std::size_t kMostChanges = 256;

    struct Share {
        std::int32_t user;
        std::int64_t in_use = 0;
        bool is_stale = true; // has changed since `factor` was computed
        double limit = 0;     // n·c
        double factor = 0;    // d
        Time asked_at = kNever;
        double usage = 0; // approximate usage at asked_at
        double doubt = 0; // bound of its error
    };

    double leads_until(const Share& one, double usage, double doubt, double factor) const;
    [[gnu::always_inline]] const Share& at_now(std::uint32_t number) {
        Share& share = shares_[number];
        if (share.is_stale) {
            learn(share);
        } else if (share.asked_at == now_) {
            return share;
        }
        const double moving = share.factor * x_;
        share.usage = share.limit + moving;
        share.doubt =
            kRelativeError * (share.limit + std::abs(moving)) + (moving != 0 ? kLeast : 0.0);
        share.asked_at = now_;
        return share;
    }
    void learn(Share& share);
    int compare_exactly(std::int32_t one, std::int32_t other) const;

    double half_life_;
    double per_processor_;
    std::unordered_map<std::int32_t, std::uint32_t> numbers_;
    std::vector<Share> shares_; // indexed by user number
    std::vector<std::uint32_t> changed_;
    bool has_all_changed_ = false;
    Time origin_ = 0; // time at which x is 1
    double x_ = 1;

    // Inputs of the present comparisons:
    const UserOrder* order_ = nullptr;
    const ReplayJobs* jobs_ = nullptr;
    Time now_ = kNever;
};

} // namespace slotwise
