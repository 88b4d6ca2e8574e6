#include "replay/share_usage.hpp"

#include "numeric/exponential.hpp"

#include <map>
#include <utility>

namespace slotwise {

ShareUsage::ShareUsage(const JobTable& table, double half_life, UsageResets resets)
    : resets_(resets), of_accounts_(half_life), of_users_(half_life), of_all_(half_life) {
    number(table);
}

void ShareUsage::number(const JobTable& table) {
    std::map<std::int32_t, std::int32_t> accounts;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> users;
    for (std::size_t job = 0; job < table.size(); ++job) {
        const std::int32_t account = table.account.empty() ? -1 : table.account[job];
        const std::int32_t user = table.user.empty() ? -1 : table.user[job];
        const auto a =
            accounts.try_emplace(account, static_cast<std::int32_t>(accounts.size())).first->second;
        const auto [u, is_new] =
            users.try_emplace({a, user}, static_cast<std::int32_t>(users.size()));
        n_users_.resize(accounts.size(), 0);
        n_users_[static_cast<std::size_t>(a)] += is_new ? 1 : 0;
        account_of_.push_back(a);
        user_of_.push_back(u->second);
    }
}

void ShareUsage::note_start(JobId job, ProcCount processors, Time now) {
    const Time cleared = resets_.last(now);
    of_accounts_.note_start(account_of_[job], processors, now, cleared);
    of_users_.note_start(user_of_[job], processors, now, cleared);
    of_all_.note_start(0, processors, now, cleared);
}

void ShareUsage::note_end(JobId job, ProcCount processors, Time now) {
    const Time cleared = resets_.last(now);
    of_accounts_.note_end(account_of_[job], processors, now, cleared);
    of_users_.note_end(user_of_[job], processors, now, cleared);
    of_all_.note_end(0, processors, now, cleared);
}

double ShareUsage::factor(JobId job, Time now, double damping) const {
    const Time cleared = resets_.last(now);
    const double all = of_all_.at(0, now, cleared);
    if (!(all > 0)) return 1;
    const double of_account = of_accounts_.at(account_of_[job], now, cleared) / all;
    const double of_user = of_users_.at(user_of_[job], now, cleared) / all;
    const double n_accounts = static_cast<double>(n_users_.size());
    const double n_users = n_users_[static_cast<std::size_t>(account_of_[job])];
    const double counted = of_user + (of_account - of_user) / n_users;
    return exp2(-(counted * n_accounts * n_users) / damping);
}

} // namespace slotwise
