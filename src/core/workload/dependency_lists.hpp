// Lists of conditions on other jobs. A job refers to its list by a code, so several jobs can share
// a list.
//
// Example: list 1 is "afterok:12:13,singleton", which contains three conditions. Before a job whose
// `dependency` is 1 can start, jobs 12 and 13 must have succeeded, and all earlier jobs with the
// same user and name must have ended.
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
    after_corr = 3,   // the array task with the same task number has succeeded
    singleton = 4     // earlier jobs with the same user and name have ended
};

struct Condition {
    DependencyKind kind = DependencyKind::after_any;
    std::int64_t job = -1;  // number of a job or an array
    std::int64_t task = -1; // task of the array; -1: a single job, or every task
};

class DependencyLists {
  public:
    // Returns the conditions of a list, or none if there is no list with this code.
    std::span<const Condition> of(std::int32_t code) const {
        const auto at = static_cast<std::size_t>(code);
        if (code < 0 || at + 1 >= first_.size()) return {};
        return {all_.data() + first_[at], all_.data() + first_[at + 1]};
    }

    // Adds a list with the given code, which must be greater than the codes of all earlier lists.
    void add(std::int32_t code, std::span<const Condition> conditions) {
        first_.resize(static_cast<std::size_t>(code) + 1, first_.back());
        all_.insert(all_.end(), conditions.begin(), conditions.end());
        first_.push_back(static_cast<std::uint32_t>(all_.size()));
    }

    // Returns true if a list with this code may be added next.
    bool is_next(std::int32_t code) const {
        return code >= 0 && static_cast<std::size_t>(code) + 1 >= first_.size();
    }

  private:
    std::vector<std::uint32_t> first_{0}; // indexed by code
    std::vector<Condition> all_;
};

} // namespace slotwise
