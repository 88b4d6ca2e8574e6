#include "replay/usage/share_usage.hpp"

#include "numeric/exponential.hpp"

#include <set>
#include <utility>

namespace slotwise {

namespace {

double share_of(const std::map<std::string, double>& shares, const std::string& key) {
    const auto found = shares.find(key);
    return found == shares.end() ? 1.0 : found->second;
}

double part(double share, double sum) {
    return sum > 0 ? share / sum : 0.0;
}

} // namespace

ShareUsage::ShareUsage(const JobTable& table, double half_life, UsageResets resets,
                       UsageRenewals renewals, const std::map<std::string, double>& shares)
    : resets_(resets), of_accounts_(half_life), of_users_(half_life), of_all_(half_life) {
    const auto users = number(table);
    if (!shares.empty()) divide(users, shares);
    if (renewals.period == 0) return;
    std::vector<std::int32_t> account_of(users.size());
    for (std::size_t job = 0; job < user_of_.size(); ++job)
        account_of[static_cast<std::size_t>(user_of_[job])] = account_of_[job];
    renewed_.emplace(half_life, resets, renewals, std::move(account_of), n_users_.size());
}

// Numbers accounts and users in the order of their first jobs.
std::map<ShareUsage::Owner, std::int32_t> ShareUsage::number(const JobTable& table) {
    std::map<std::int32_t, std::int32_t> accounts;
    std::map<Owner, std::int32_t> owners; // numbers of users
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
        owners.try_emplace({account, user}, u->second);
    }
    return owners;
}

// Divides each user's share by the sum of the shares in the account, and each account's share by
// the sum over all accounts.
void ShareUsage::divide(const std::map<Owner, std::int32_t>& users,
                        const std::map<std::string, double>& shares) {
    std::set<std::string> accounts;
    std::map<std::string, std::set<std::string>> users_of; // the users' keys, by account
    for (const auto& [key, share] : shares) {
        const std::string account = key.substr(0, key.find('/'));
        accounts.insert(account);
        if (account != key) users_of[account].insert(key);
    }
    const auto keys_of = [](const Owner& owner) {
        const std::string account = std::to_string(owner.first);
        return std::pair{account, account + "/" + std::to_string(owner.second)};
    };
    for (const auto& [owner, number] : users) {
        const auto [account, user] = keys_of(owner);
        accounts.insert(account);
        users_of[account].insert(user);
    }
    const auto sum_of = [&](const std::set<std::string>& keys) {
        double sum = 0;
        for (const std::string& key : keys)
            sum += share_of(shares, key);
        return sum;
    };
    const double of_accounts = sum_of(accounts);
    std::map<std::string, double> of_users; // by account
    for (const auto& [account, keys] : users_of)
        of_users[account] = sum_of(keys);
    in_account_.resize(users.size());
    of_root_.resize(users.size());
    for (const auto& [owner, number] : users) {
        const auto [account, user] = keys_of(owner);
        const auto place = static_cast<std::size_t>(number);
        in_account_[place] = part(share_of(shares, user), of_users[account]);
        of_root_[place] = part(share_of(shares, account), of_accounts) * in_account_[place];
    }
}

void ShareUsage::note_start(JobId job, ProcCount processors, Time now) {
    if (renewed_) return renewed_->note_start(job, user_of_[job], processors, now);
    const Time cleared = resets_.last(now);
    of_accounts_.note_start(account_of_[job], processors, now, cleared);
    of_users_.note_start(user_of_[job], processors, now, cleared);
    of_all_.note_start(0, processors, now, cleared);
}

void ShareUsage::note_end(JobId job, ProcCount processors, Time now) {
    if (renewed_) return renewed_->note_end(job, now);
    const Time cleared = resets_.last(now);
    of_accounts_.note_end(account_of_[job], processors, now, cleared);
    of_users_.note_end(user_of_[job], processors, now, cleared);
    of_all_.note_end(0, processors, now, cleared);
}

void ShareUsage::renew(std::span<const JobId> waiting, Time now) const {
    if (renewed_) renewed_->renew(waiting, user_of_, now);
}

double ShareUsage::factor(JobId job, Time now, double damping) const {
    const auto user = static_cast<std::size_t>(user_of_[job]);
    if (!of_root_.empty() && !(of_root_[user] > 0)) return 0;
    const auto [of_account, of_user] =
        renewed_ ? renewed_->parts(user_of_[job], now) : current_parts(job, now);
    if (!of_root_.empty()) {
        const double counted = of_user + (of_account - of_user) * in_account_[user];
        return exp2(-(counted / of_root_[user]) / damping);
    }
    const double n_accounts = static_cast<double>(n_users_.size());
    const double n_users = n_users_[static_cast<std::size_t>(account_of_[job])];
    const double counted = of_user + (of_account - of_user) / n_users;
    return exp2(-(counted * n_accounts * n_users) / damping);
}

UsageParts ShareUsage::current_parts(JobId job, Time now) const {
    const Time cleared = resets_.last(now);
    const double all = of_all_.at(0, now, cleared);
    if (!(all > 0)) return {0, 0};
    return {of_accounts_.at(account_of_[job], now, cleared) / all,
            of_users_.at(user_of_[job], now, cleared) / all};
}

} // namespace slotwise
