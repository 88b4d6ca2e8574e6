// Computes the scores of formulas that depend on the wait of a job, four jobs at a time. The values
// that the formulas read are converted to doubles only once. Divisions, which take the most time,
// are done in parallel.
//
// The results equal those of the formula bit for bit. Times up to 2^40 s, and the differences
// between them, are exact in a double, and the compiler neither contracts nor reorders operations.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

// Compiles a function in two versions, one for any CPU and one for AVX2, if the loader can choose
// between them. Under sanitizers, only one version is compiled, because the loader would choose
// before the sanitizers are ready.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if __has_attribute(target_clones)
#define SLOTWISE_WIDE __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef SLOTWISE_WIDE
#define SLOTWISE_WIDE
#endif

namespace slotwise {

class WaitColumns {
  public:
    // Returns true if the columns can be used to compute `n_scores` scores at `now`. They are built
    // only once the total number of scores requested reaches the number of jobs in the trace.
    // Replays that need few scores therefore never build them. `divisor(job)` returns the number by
    // which the wait is divided; `term(job)` returns the other value that the formula needs for the
    // job.
    template <class Divisor, class Term>
    bool serve(const ReplayJobs& jobs, std::size_t n_scores, Time now, const Divisor& divisor,
               const Term& term) {
        if (submit.empty() && (n_asked_ += n_scores) < jobs.size()) return false;
        if (!is_exact(now) || !is_exact(jobs.table->submit.front()) ||
            !is_exact(jobs.table->submit.back()))
            return false;
        for (auto job = static_cast<JobId>(submit.size()); job < jobs.size(); ++job) {
            submit.push_back(static_cast<double>(jobs.submit(job)));
            divisors.push_back(divisor(job));
            terms.push_back(term(job));
        }
        return true;
    }

    std::vector<double> submit;
    std::vector<double> divisors;
    std::vector<double> terms;

  private:
    static bool is_exact(Time time) { return time < (Time{1} << 40) && time > -(Time{1} << 40); }

    std::size_t n_asked_ = 0;
};

// Computes the score of each job with `formula(wait, divisor, term, score)`, and stores it in
// `scores`. The formula must accept doubles and vectors of doubles. This may be called only in
// functions that are marked SLOTWISE_WIDE.
template <class Formula>
__attribute__((always_inline)) inline void
score_by_columns(const WaitColumns& columns, std::span<const JobId> which, Time now, double* scores,
                 const Formula& formula) {
    using Four = double __attribute__((vector_size(32)));
    const double* submit = columns.submit.data();
    const double* divisors = columns.divisors.data();
    const double* terms = columns.terms.data();
    const double time = static_cast<double>(now);
    std::size_t i = 0;
    for (; i + 4 <= which.size(); i += 4) {
        const JobId a = which[i];
        const JobId b = which[i + 1];
        const JobId c = which[i + 2];
        const JobId d = which[i + 3];
        const Four wait = time - Four{submit[a], submit[b], submit[c], submit[d]};
        const Four divisor{divisors[a], divisors[b], divisors[c], divisors[d]};
        const Four term{terms[a], terms[b], terms[c], terms[d]};
        Four score;
        formula(wait, divisor, term, score);
        std::memcpy(scores + i, &score, sizeof score);
    }
    for (; i < which.size(); ++i)
        formula(time - submit[which[i]], divisors[which[i]], terms[which[i]], scores[i]);
}

} // namespace slotwise
