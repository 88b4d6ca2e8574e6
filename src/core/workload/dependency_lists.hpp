// Conditions on other jobs, in lists; a job refers to its list by a code, so jobs can share one.
//
// Example: list 1 is "afterok:12:13,singleton": three conditions. Every job whose `dependency` is
// 1 waits until jobs 12 and 13 have succeeded and no earlier job with the same user and name is
// left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

enum class DependencyKind : std::uint8_t {
    after_ok = 0,     // the job has succeeded
    after_any = 1,    // the job has ended
    after_not_ok = 2, // the job has failed
    after_corr = 3,   // the task with the same number has succeeded
    singleton = 4     // earlier jobs with the same user and name have ended
};

struct Condition {
    DependencyKind kind = DependencyKind::after_any;
    std::int64_t job = -1;  // number of a job or an array
    std::int64_t task = -1; // task of the array; -1: a single job, or every task
};

class DependencyLists {
  public:
    // The conditions of a list; none for a code without a list.
    std::span<const Condition> of(std::int32_t code) const {
        const auto at = static_cast<std::size_t>(code);
        if (code < 0 || at + 1 >= first_.size()) return {};
        return {all_.data() + first_[at], all_.data() + first_[at + 1]};
    }

    // Adds the list of `code`, which must be above those of all earlier lists.
    void add(std::int32_t code, std::span<const Condition> conditions) {
        first_.resize(static_cast<std::size_t>(code) + 1, first_.back());
        all_.insert(all_.end(), conditions.begin(), conditions.end());
        first_.push_back(static_cast<std::uint32_t>(all_.size()));
    }

    // True if `code` may be added.
    bool is_next(std::int32_t code) const {
        return code >= 0 && static_cast<std::size_t>(code) + 1 >= first_.size();
    }

  private:
    std::vector<std::uint32_t> first_{0}; // indexed by code
    std::vector<Condition> all_;
};

} // namespace slotwise
