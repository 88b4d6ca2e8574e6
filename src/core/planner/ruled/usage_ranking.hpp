// Ranks users with waiting jobs by a lower bound on their decayed usage.
//
// Users are sorted from time to time, by their usage at that instant. Usage never drops by more
// than half in one half-life. At any later time, each user's usage is therefore at least a certain
// fraction of the earlier usage. This fraction is the same for all users. A search for the user
// with the smallest usage reads only the first users of the ranking.
//
// Example: users 1, 2 and 3 had used 10, 20 and 40 when they were sorted. After 50 s, with a
// half-life of 100 s, their usage is at least 7.1, 14.1 and 28.3, respectively. If the usage of
// user 2 is still 20, user 3 need not be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

class UsageRanking {
  public:
    // Adds a user who has a waiting job. Does nothing if the user is already included.
    void add(std::uint32_t user) {
        if (user >= is_here_.size()) is_here_.resize(std::size_t{user} + 1, 0);
        if (is_here_[user] != 0) return;
        is_here_[user] = 1;
        users_.push_back({0, user});
    }

    void clear() { *this = {}; }

    // Discards all bounds. Must be called whenever `x`, the argument of renew(), is reset to 1.
    void forget_bounds() { n_sorted_ = 0; }

    // If the bounds have become imprecise, removes the users for which waits(user) returns false,
    // and sorts the others by usage(user). `x` must halve in each half-life.
    template <class Waits, class Usage> void renew(double x, Waits&& waits, Usage&& usage) {
        const std::size_t n_new = users_.size() - n_sorted_;
        const bool is_old = x < kOld * x_ && n_searches_ > n_sorted_ / 4;
        if (!is_old && n_new <= 16 + n_sorted_ / 8) return;
        std::erase_if(users_, [&](const Ranked& each) {
            is_here_[each.user] = waits(each.user);
            return is_here_[each.user] == 0;
        });
        for (Ranked& each : users_)
            each.usage = usage(each.user);
        std::sort(users_.begin(), users_.end());
        n_sorted_ = users_.size();
        n_searches_ = 0;
        x_ = x;
    }

    // Calls visit(user, bound) for users in ascending order of the bound. Neither `user` nor any
    // later one has a usage below the bound. Stops when the bound exceeds the value that the last
    // call returned.
    template <class Visitor> void for_each(double x, Visitor&& visit) {
        ++n_searches_;
        double most = std::numeric_limits<double>::infinity();
        for (std::size_t i = n_sorted_; i < users_.size() && most >= 0; ++i)
            most = visit(users_[i].user, 0.0);
        const double left = x / x_ * kRounding;
        for (std::size_t i = 0; i < n_sorted_ && users_[i].usage * left <= most; ++i)
            most = visit(users_[i].user, users_[i].usage * left);
    }

  private:
    static constexpr double kOld = 0.97;
    static constexpr double kRounding = 1 - 1e-8; // factor that allows for rounding errors in usage

    struct Ranked {
        double usage; // usage when the users were sorted
        std::uint32_t user;
        bool operator<(const Ranked& other) const { return usage < other.usage; }
    };

    std::vector<Ranked> users_; // the sorted users, followed by new ones
    std::vector<std::uint8_t> is_here_;
    std::size_t n_sorted_ = 0;
    std::size_t n_searches_ = 0; // number of searches since the users were sorted
    double x_ = 1;               // value of x when the users were sorted
};

} // namespace slotwise
