// The priorities of the QOSes, accounts or users to which jobs belong. Each priority is divided by
// the largest one.
//
// Example: the table is {"1": 10, "2": 100, "?top": 250}. The keys are codes of QOSes in the trace;
// "?top" stands for a QOS that does not occur in the trace. A job whose QOS has code 2 gets the
// share 100/250. A job whose QOS has code 3 gets the share 0.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace slotwise {

class OwnerPriorities {
  public:
    // Each key is one code, or the codes of an account and a user in the form "account/user" (see
    // OrderSpec::tables).
    explicit OwnerPriorities(const std::map<std::string, double>& table) {
        for (const auto& [key, priority] : table) {
            largest_ = std::max(largest_, priority);
            const std::size_t slash = key.find('/');
            std::int32_t code = 0, user = kWhole;
            if (!read(key.substr(0, slash), code)) continue;
            if (slash != std::string::npos && !read(key.substr(slash + 1), user)) continue;
            of_codes_[packed(code, user)] = priority;
        }
    }

    // If the table has no priority for a user, the priority of the user's account is used.
    double share(std::int32_t code, std::int32_t user = kWhole) const {
        auto found = of_codes_.find(packed(code, user));
        if (found == of_codes_.end()) found = of_codes_.find(packed(code, kWhole));
        return found == of_codes_.end() || largest_ == 0 ? 0.0 : found->second / largest_;
    }

  private:
    static constexpr std::int32_t kWhole = -2; // instead of a user: the whole account

    static bool read(std::string_view text, std::int32_t& code) {
        const char* end = text.data() + text.size();
        const auto [at, fault] = std::from_chars(text.data(), end, code);
        return fault == std::errc{} && at == end;
    }

    static std::uint64_t packed(std::int32_t code, std::int32_t user) {
        return std::uint64_t{static_cast<std::uint32_t>(code)} << 32 |
               static_cast<std::uint32_t>(user);
    }

    double largest_ = 0;
    std::unordered_map<std::uint64_t, double> of_codes_;
};

} // namespace slotwise
