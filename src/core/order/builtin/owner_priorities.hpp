// Priorities of owners of jobs, such as qualities of service, relative to the largest of all.
//
// Example: {"1": 10, "2": 100, "?top": 250}, by codes of the trace; the trace has no quality of
// service named top. A job of code 2 has the share 100/250, and a job of code 3 the share 0.
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
    // Keys are codes, or an account's code, "/" and a user's code; see OrderSpec::tables.
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

    // A user without a priority has that of the account.
    double share(std::int32_t code, std::int32_t user = kWhole) const {
        auto found = of_codes_.find(packed(code, user));
        if (found == of_codes_.end()) found = of_codes_.find(packed(code, kWhole));
        return found == of_codes_.end() || largest_ == 0 ? 0.0 : found->second / largest_;
    }

  private:
    static constexpr std::int32_t kWhole = -2; // no user has this code

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
