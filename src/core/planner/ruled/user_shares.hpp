// Compares users by their decayed usage, with the smallest usage first. The results are the same as
// those of a UserOrder, but are computed faster.
//
// As long as no job of a user starts or ends, the user's usage is n·c + d·x. Here n is the number
// of processors in use, c = half_life/ln 2, d is a factor that differs between users, and x =
// 2^(−t/half_life) is the same for all users. One multiplication per user is therefore enough to
// compare nearly all users. Exact scores are compared only if two users are nearly equal. Because
// usage is linear in x, it is also possible to compute how long one user stays ahead of another.
//
// Example with a half_life of 100: at time 0, the usage of user 1 is 400, and from then on, user 2
// uses 1 processor. At time 200, the usage of user 1 is 100, and that of user 2 is 108, so user 1
// comes first.
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

    // Returns the number of the user. A new user gets the next number.
    std::uint32_t number_of(std::int32_t user);

    // Records that the number of processors that the user occupies has changed by `processors`,
    // which may be negative.
    void note_change(std::int32_t user, ProcCount processors);

    // Sets the time of the comparisons that follow, which read `order` and `jobs`.
    void set_now(const UserOrder& order, const ReplayJobs& jobs, Time now);

    // Compares two users, given by number. Returns a negative number if `one` has the higher score,
    // and 0 if the scores are equal.
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

    // The following functions return a lower and an upper bound on the usage of a user, who is
    // given by number.
    double low(std::uint32_t number) {
        const Share& share = at_now(number);
        return share.usage - share.doubt;
    }
    double high(std::uint32_t number) {
        const Share& share = at_now(number);
        return share.usage + share.doubt;
    }

    // Returns x, which halves in each half-life. From time to time, x is reset to 1;
    // has_all_changed() then returns true.
    double x() const { return x_; }
    // Returns a measure of time that grows as x() falls.
    double elapsed() const { return -x_; }

    // Returns the value of elapsed() until which user `one` has certainly used less than user
    // `other`, if no job of either starts or ends. Returns minus infinity if this is uncertain even
    // now, and infinity if it will never change.
    double leads_until(std::uint32_t one, std::uint32_t other);

    // Returns the value of elapsed() until which user `one` has certainly used less than every user
    // whose usage is at least `usage` now, if no job of `one` starts or ends. The jobs of the other
    // users do not matter.
    double leads_decaying_until(std::uint32_t one, double usage);

    // Returns the users whose jobs have started or ended since forget_changes(). If
    // has_all_changed() is true, any user may have changed.
    const std::vector<std::uint32_t>& changed() const { return changed_; }
    bool has_all_changed() const { return has_all_changed_; }
    void forget_changes() {
        changed_.clear();
        has_all_changed_ = false;
    }

  private:
    static constexpr double kLeast = 1e-200; // values below this may be imprecise
    // A bound on the relative error of a few operations and of std::exp2. The actual error is many
    // times smaller.
    static constexpr double kRelativeError = 1e-9;
    static constexpr std::size_t kMostChanges = 256;

    struct Share {
        std::int32_t user;
        std::int64_t in_use = 0;
        bool is_stale = true; // true if in_use has changed since `factor` was computed
        double limit = 0;     // the term n·c of the usage
        double factor = 0;    // the factor d in the usage
        Time asked_at = kNever;
        double usage = 0; // approximate usage at the time asked_at
        double doubt = 0; // bound on the error of `usage`
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

    // The inputs of the current comparisons:
    const UserOrder* order_ = nullptr;
    const ReplayJobs* jobs_ = nullptr;
    Time now_ = kNever;
};

} // namespace slotwise
