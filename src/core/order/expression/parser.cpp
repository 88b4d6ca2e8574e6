#include "order/expression/parser.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace slotwise {

namespace {

using Operand = Program::Operand;

constexpr std::size_t kLongest = 10000;
constexpr int kDeepest = 200;

struct FunctionInfo {
    std::string_view name;
    Operation operation;
    std::size_t fewest;
    std::size_t most;
};

constexpr std::size_t kAny = 100;
constexpr std::array<FunctionInfo, 10> kFunctions = {{
    {"abs", Operation::absolute, 1, 1},
    {"ceil", Operation::ceiling, 1, 1},
    {"floor", Operation::floor, 1, 1},
    {"log", Operation::log, 1, 1},
    {"log10", Operation::log10, 1, 1},
    {"log2", Operation::log2, 1, 1},
    {"max", Operation::maximum, 2, kAny},
    {"min", Operation::minimum, 2, kAny},
    {"sqrt", Operation::square_root, 1, 1},
    {"where", Operation::choose, 3, 3},
}};

struct Comparison {
    std::string_view sign;
    Operation operation;
    bool swapped;
};

constexpr std::array<Comparison, 6> kComparisons = {{
    // Longer operators come first, because the first match is used.
    {"<=", Operation::less_equal, false},
    {">=", Operation::less_equal, true},
    {"==", Operation::equal, false},
    {"!=", Operation::not_equal, false},
    {"<", Operation::less, false},
    {">", Operation::less, true},
}};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string known_names() {
    std::string text = "now";
    for (const std::string_view name : job_column_names())
        text.append(", ").append(name);
    text += "; functions: ";
    for (const FunctionInfo& function : kFunctions)
        text.append(&function == kFunctions.data() ? "" : ", ").append(function.name);
    return text;
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    Program parse() {
        if (text_.size() > kLongest)
            throw std::invalid_argument("the key has " + std::to_string(text_.size()) +
                                        " characters; it may have at most " +
                                        std::to_string(kLongest));
        const Operand result = expression();
        if (skip_space() < text_.size()) fail("unexpected " + shown());
        program_.finish(result);
        return std::move(program_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
    [[noreturn]] void fail_at(std::size_t place, const std::string& what) const {
        throw std::invalid_argument("key '" + std::string(text_) + "', character " +
                                    std::to_string(place + 1) + ": " + what);
    }

    [[noreturn]] void fail_unknown(std::size_t place, std::string_view name) const {
        const bool too_late = is_of_ended_jobs(name);
        std::string what(too_late ? "'" : "unknown name '");
        what.append(name).append(too_late ? "' is not yet known while a job waits" : "'");
        fail_at(place, what + "; known names are: " + known_names());
    }

    std::size_t skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                      text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
        return at_;
    }

    std::string shown() const {
        return at_ < text_.size() ? std::string{'\'', text_[at_], '\''} : "end of the key";
    }

    bool take(std::string_view sign) {
        skip_space();
        if (text_.substr(at_, sign.size()) != sign) return false;
        at_ += sign.size();
        return true;
    }

    bool take_word(std::string_view word) {
        skip_space();
        if (next_word() != word) return false;
        at_ += word.size();
        return true;
    }

    std::string_view next_word() const {
        std::size_t end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end]))))
            ++end;
        return text_.substr(at_, end - at_);
    }

    void expect(std::string_view sign) {
        if (!take(sign)) fail("expected '" + std::string(sign) + "', found " + shown());
    }

    Operand apply(Operation operation, std::initializer_list<Operand> operands) {
        return program_.apply(operation, std::span(operands.begin(), operands.size()));
    }

    Operand expression() {
        if (++depth_ > kDeepest)
            fail("nested more than " + std::to_string(kDeepest) + " levels deep");
        const Operand condition = either();
        Operand result = condition;
        if (take("?")) {
            const Operand a = expression();
            expect(":");
            const Operand b = expression();
            result = apply(Operation::choose, {condition, a, b});
        }
        --depth_;
        return result;
    }

    Operand either() {
        Operand left = both();
        while (take_word("or"))
            left = apply(Operation::either, {left, both()});
        return left;
    }

    Operand both() {
        Operand left = negation();
        while (take_word("and"))
            left = apply(Operation::both, {left, negation()});
        return left;
    }

    Operand negation() {
        std::size_t n = 0;
        while (take_word("not"))
            ++n;
        Operand value = comparison();
        for (; n > 0; --n)
            value = apply(Operation::negation, {value});
        return value;
    }

    Operand comparison() {
        const Operand left = sum();
        const Comparison* found = next_comparison();
        if (found == nullptr) return left;
        const Operand right = sum();
        if (next_comparison() != nullptr)
            fail("comparisons cannot be chained; write (a < b) and (b < c)");
        return compare(*found, left, right);
    }

    const Comparison* next_comparison() {
        for (const Comparison& comparison : kComparisons)
            if (take(comparison.sign)) return &comparison;
        return nullptr;
    }

    // There is no instruction for a > b, so it is compiled as b < a.
    Operand compare(const Comparison& comparison, Operand left, Operand right) {
        return comparison.swapped ? apply(comparison.operation, {right, left})
                                  : apply(comparison.operation, {left, right});
    }

    Operand sum() {
        Operand left = term();
        for (;;) {
            if (take("+"))
                left = apply(Operation::add, {left, term()});
            else if (take("-"))
                left = apply(Operation::subtract, {left, term()});
            else
                return left;
        }
    }

    Operand term() {
        Operand left = sign();
        for (;;) {
            if (take("*"))
                left = apply(Operation::multiply, {left, sign()});
            else if (take("/"))
                left = apply(Operation::divide, {left, sign()});
            else if (take("%"))
                left = apply(Operation::remainder, {left, sign()});
            else
                return left;
        }
    }

    Operand sign() {
        bool negative = false;
        for (;;) {
            if (take("-"))
                negative = !negative;
            else if (!take("+"))
                break;
        }
        const Operand value = raised();
        return negative ? apply(Operation::negate, {value}) : value;
    }

    Operand raised() {
        const Operand base = primary();
        if (!take("**") && !take("^")) return base;
        if (++depth_ > kDeepest)
            fail("nested more than " + std::to_string(kDeepest) + " levels deep");
        const Operand exponent = sign();
        --depth_;
        return apply(Operation::power, {base, exponent});
    }

    Operand primary() {
        skip_space();
        if (take("(")) {
            const Operand inside = expression();
            expect(")");
            return inside;
        }
        if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
        if (at_ < text_.size() && is_letter(text_[at_])) return named();
        fail("expected a number, a name or '(', found " + shown());
    }

    Operand number() {
        double value = 0;
        const char* end = text_.data() + text_.size();
        const auto [stopped, fault] = std::from_chars(text_.data() + at_, end, value);
        if (fault != std::errc{} || !std::isfinite(value))
            fail("this is not a valid double-precision number");
        at_ = static_cast<std::size_t>(stopped - text_.data());
        if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.'))
            fail("unexpected " + shown() + " after a number");
        return Program::constant(value);
    }

    Operand named() {
        const std::size_t place = at_;
        const std::string_view name = next_word();
        at_ += name.size();
        if (take("(")) return call(place, name);
        if (name == "now") return program_.now();
        for (const std::string_view known : job_column_names())
            if (known == name) return program_.column(find_job_column(name));
        fail_unknown(place, name);
    }

    Operand call(std::size_t place, std::string_view name) {
        const FunctionInfo* function = nullptr;
        for (const FunctionInfo& known : kFunctions)
            if (known.name == name) function = &known;
        if (function == nullptr)
            fail_at(place, "unknown function '" + std::string(name) +
                               "'; known names are: " + known_names());
        const bool folds = function->most == kAny; // min(a, b, c) is min(min(a, b), c)
        std::vector<Operand> given{expression()};
        std::size_t n = 1;
        while (n <= function->most && take(",")) {
            given.push_back(expression());
            ++n;
            if (folds) given = {program_.apply(function->operation, given)};
        }
        if (n < function->fewest || n > function->most)
            fail_at(place, std::string(name) + " takes " + std::to_string(function->fewest) +
                               (folds                 ? " values or more"
                                : function->most == 1 ? " value"
                                                      : " values"));
        expect(")");
        return folds ? given[0] : program_.apply(function->operation, given);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Program program_;
};

} // namespace

Program parse_expression(const std::string& text) {
    return Parser(text).parse();
}

} // namespace slotwise
