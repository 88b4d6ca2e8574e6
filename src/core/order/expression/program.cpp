#include "order/expression/program.hpp"

#include "numeric/exponential.hpp"
#include "order/expression/operations.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr auto kNow = static_cast<JobColumn>(255);

using Operand = Program::Operand;

bool is_constant(const Operand& operand) {
    return operand.kind == Operand::Kind::constant;
}

double computed(Operation operation, std::span<const Operand> operands) {
    double result = 0;
    if (operation == Operation::choose)
        return operands[0].value != 0 ? operands[1].value : operands[2].value;
    if (operands.size() == 1)
        operations::visit_unary(operation, [&](auto f) { result = f(operands[0].value); });
    else
        operations::visit_binary(operation,
                                 [&](auto f) { result = f(operands[0].value, operands[1].value); });
    return result;
}

// The result may overwrite an operand, because each value depends only on the operands' values at
// the same index.
template <class Function> void map_values(Function f, const double* a, double* to, std::size_t n) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i)
        to[i] = f(a[i]);
}

template <class Function>
void map_values(Function f, const double* a, const double* b, double* to, std::size_t n) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i)
        to[i] = f(a[i], b[i]);
}

void choose(const double* condition, const double* a, const double* b, double* to, std::size_t n) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i)
        to[i] = condition[i] != 0 ? a[i] : b[i];
}

} // namespace

double power(double x, double y) {
    if (y == std::floor(y) && std::fabs(y) <= 64) {
        double product = 1.0;
        for (int left = static_cast<int>(std::fabs(y)); left > 0; --left)
            product *= x;
        return y < 0 ? 1.0 / product : product;
    }
    if (x == 0) return y > 0 ? 0.0 : std::numeric_limits<double>::infinity();
    const double exponent = y * operations::any_log<log2>(x);
    return exponent != exponent ? exponent : exp2(exponent);
}

Operand Program::column(JobColumn column) {
    auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) found = columns_.insert(found, column);
    reads_now_ = reads_now_ || column == JobColumn::wait;
    return {Operand::Kind::column, static_cast<std::uint16_t>(found - columns_.begin()), 0.0};
}

Operand Program::now() {
    reads_now_ = true;
    return column(kNow);
}

Operand Program::apply(Operation operation, std::span<const Operand> operands) {
    if (std::all_of(operands.begin(), operands.end(), is_constant))
        return constant(computed(operation, operands));
    Instruction instruction{operation, {}, 0};
    std::copy(operands.begin(), operands.end(), instruction.operands);
    for (const Operand& operand : operands)
        if (operand.kind == Operand::Kind::temporary) --live_;
    instruction.target = live_++;
    most_live_ = std::max(most_live_, live_);
    instructions_.push_back(instruction);
    return {Operand::Kind::temporary, instruction.target, 0.0};
}

bool Program::reads(JobColumn column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

double* Program::block(Operand::Kind kind, std::size_t index) const {
    const std::size_t before = kind == Operand::Kind::column ? 0 : columns_.size();
    return values_.data() + (before + index) * kBlock;
}

void Program::run(const Instruction& instruction, double* to, std::size_t n) const {
    const auto& [a, b, c] = instruction.operands;
    const auto one = [&](auto f) { map_values(f, at(a), to, n); };
    const auto two = [&](auto f) {
        if (is_constant(a))
            map_values([f, x = a.value](double y) { return f(x, y); }, at(b), to, n);
        else if (is_constant(b))
            map_values([f, y = b.value](double x) { return f(x, y); }, at(a), to, n);
        else
            map_values(f, at(a), at(b), to, n);
    };
    if (operations::visit_unary(instruction.operation, one)) return;
    if (operations::visit_binary(instruction.operation, two)) return;
    double fixed[3][kBlock]; // constant operands of `choose`
    const double* from[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const Operand& operand = instruction.operands[i];
        from[i] = is_constant(operand) ? fixed[i] : at(operand);
        if (is_constant(operand)) std::fill_n(fixed[i], n, operand.value);
    }
    choose(from[0], from[1], from[2], to, n);
}

void Program::evaluate(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                       std::span<double> keys) const {
    if (is_constant(result_))
        return static_cast<void>(std::fill(keys.begin(), keys.end(), result_.value));
    values_.resize((columns_.size() + most_live_) * kBlock);
    for (std::size_t first = 0; first < which.size(); first += kBlock) {
        const auto jobs_of_block = which.subspan(first, std::min(kBlock, which.size() - first));
        const std::size_t n = jobs_of_block.size();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            double* to = block(Operand::Kind::column, c);
            if (columns_[c] == kNow)
                std::fill_n(to, n, static_cast<double>(now));
            else
                load_column(columns_[c], jobs, jobs_of_block, now, std::span(to, n));
        }
        for (std::size_t i = 0; i + 1 < instructions_.size(); ++i)
            run(instructions_[i], block(Operand::Kind::temporary, instructions_[i].target), n);
        if (instructions_.empty())
            std::copy_n(at(result_), n, keys.data() + first);
        else // the last instruction gives the result
            run(instructions_.back(), keys.data() + first, n);
    }
}

} // namespace slotwise
