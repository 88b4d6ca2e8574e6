// An arithmetic expression over columns of jobs, compiled to instructions that operate on blocks of
// values.
//
// Example: -(submit) + 2 * wait is compiled to these instructions, where t0 and t1 are temporary
// values:
//     t0 = - submit;   t1 = 2 * wait;   t0 = t0 + t1
// Each instruction is applied to a block of 256 jobs before the next instruction is executed.
#pragma once

#include "order/job_columns.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Comparisons and logical operations return 1 or 0. A value counts as true unless it is 0.
enum class Operation : std::uint8_t {
    negate,
    negation,
    absolute,
    square_root,
    floor,
    ceiling,
    log,
    log2,
    log10,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    power,
    less,
    less_equal,
    equal,
    not_equal,
    both,
    either,
    minimum,
    maximum,
    choose, // first ? second : third
};

class Program {
  public:
    struct Operand {
        enum class Kind : std::uint8_t { constant, column, temporary };
        Kind kind = Kind::constant;
        std::uint16_t index = 0; // index of a column or a temporary
        double value = 0;        // value of a constant
    };

    static Operand constant(double value) { return {Operand::Kind::constant, 0, value}; }
    Operand column(JobColumn column);
    Operand now();

    // Adds an instruction or, if all operands are constants, computes its result immediately.
    // Operands must be passed in the order in which they were created, and each operand may be used
    // only once.
    Operand apply(Operation operation, std::span<const Operand> operands);
    void finish(Operand result) { result_ = result; }

    bool reads(JobColumn column) const;
    bool reads_now() const { return reads_now_; }

    // Sets keys[i] to the key of job which[i] at time `now`.
    void evaluate(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                  std::span<double> keys) const;

  private:
    struct Instruction {
        Operation operation;
        Operand operands[3];
        std::uint16_t target; // temporary that receives the result; may also be an operand
    };

    static constexpr std::size_t kBlock = 256;

    double* block(Operand::Kind kind, std::size_t index) const;
    const double* at(const Operand& operand) const { return block(operand.kind, operand.index); }
    void run(const Instruction& instruction, double* to, std::size_t n) const;

    std::vector<JobColumn> columns_; // the columns that the expression reads; kNow stands for `now`
    std::vector<Instruction> instructions_;
    Operand result_;
    std::uint16_t live_ = 0; // number of temporaries in use during compilation
    std::uint16_t most_live_ = 0;
    bool reads_now_ = false;
    mutable std::vector<double> values_; // blocks of the columns, then of the temporaries
};

// Returns x to the power y. If y is an integer from -64 to 64, the power is computed by repeated
// multiplication; if y is negative, the reciprocal is then taken. Otherwise, it is computed as
// 2^(y·log2 x), and is NaN if x is negative.
double power(double x, double y);

} // namespace slotwise
