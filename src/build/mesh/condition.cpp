// SPDX-License-Identifier: Apache-2.0
// Recursive descent that checks as it goes whether an expression is a number or true/false.
#include "build/mesh/condition.h"

#include "build/file/text_scanner.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace limber::build {
namespace {

using Op = Condition::Op;

constexpr int kDeepest = 200;  // nested parentheses and signs; each level is a few stack frames

enum class Kind { Number, Truth };

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
 public:
    Parser(std::string_view text, const Eigen::AlignedBox3d& bounds) : text_(text), bounds_(bounds) {
        if (!bounds.isEmpty()) condition_.equal_within = 1e-9 * bounds.diagonal().norm();
    }

    Condition parse() {
        const Kind kind = parse_or();
        skip_blanks();
        if (at_ < text_.size())
            fail(fmt::format("expected an operator, found '{}'", here()), at_,
                 "compare by < <= > >= == !=, join by && and ||: \"x<0.1 && z==0\"");
        if (kind != Kind::Truth)
            fail("a number where a condition is needed", 0, "compare it with something: \"x < 0.1\"");
        return std::move(condition_);
    }

 private:
    Kind parse_or() {
        const std::size_t begin = at_;
        const Kind left = parse_and();
        while (take("||")) {
            need(left, Kind::Truth, "||", begin);
            const std::size_t right = at_;
            need(parse_and(), Kind::Truth, "||", right);
            emit(Op::Or);
        }
        return left;
    }

    Kind parse_and() {
        const std::size_t begin = at_;
        const Kind left = parse_comparison();
        while (take("&&")) {
            need(left, Kind::Truth, "&&", begin);
            const std::size_t right = at_;
            need(parse_comparison(), Kind::Truth, "&&", right);
            emit(Op::And);
        }
        return left;
    }

    Kind parse_comparison() {
        struct Sign {
            std::string_view text;
            Op op;
        };
        // The longer sign first, so that "<=" is not read as "<".
        static constexpr std::array<Sign, 6> signs = {{{"<=", Op::LessEqual},
                                                       {">=", Op::GreaterEqual},
                                                       {"==", Op::Equal},
                                                       {"!=", Op::NotEqual},
                                                       {"<", Op::Less},
                                                       {">", Op::Greater}}};
        const std::size_t begin = at_;
        const Kind left = parse_sum();
        for (const Sign& sign : signs) {
            if (!take(sign.text)) continue;
            need(left, Kind::Number, sign.text, begin);
            const std::size_t right = at_;
            need(parse_sum(), Kind::Number, sign.text, right);
            emit(sign.op);
            for (const Sign& second : signs)
                if (take(second.text))
                    fail(fmt::format("a second '{}'", second.text), at_ - second.text.size(),
                         "join comparisons by &&: \"0.1<x && x<0.2\"");
            return Kind::Truth;
        }
        return left;
    }

    Kind parse_sum() {
        const std::size_t begin = at_;
        const Kind left = parse_product();
        for (;;) {
            const char sign = take("+") ? '+' : take("-") ? '-' : '\0';
            if (sign == '\0') return left;
            const std::string_view name = sign == '+' ? "+" : "-";
            need(left, Kind::Number, name, begin);
            const std::size_t right = at_;
            need(parse_product(), Kind::Number, name, right);
            emit(sign == '+' ? Op::Add : Op::Subtract);
        }
    }

    Kind parse_product() {
        const std::size_t begin = at_;
        const Kind left = parse_unary();
        for (;;) {
            const char sign = take("*") ? '*' : take("/") ? '/' : '\0';
            if (sign == '\0') return left;
            const std::string_view name = sign == '*' ? "*" : "/";
            need(left, Kind::Number, name, begin);
            const std::size_t right = at_;
            need(parse_unary(), Kind::Number, name, right);
            emit(sign == '*' ? Op::Multiply : Op::Divide);
        }
    }

    Kind parse_unary() {
        skip_blanks();
        const char sign = at_ < text_.size() ? text_[at_] : '\0';
        if (sign != '!' && sign != '-' && sign != '+') return parse_primary();
        enter();
        ++at_;
        const std::size_t operand = at_;
        const Kind kind = parse_unary();
        const std::string_view name = sign == '!' ? "!" : sign == '-' ? "-" : "+";
        need(kind, sign == '!' ? Kind::Truth : Kind::Number, name, operand);
        if (sign == '!') emit(Op::Not);
        if (sign == '-') emit(Op::Negate);
        --depth_;
        return kind;
    }

    Kind parse_primary() {
        skip_blanks();
        if (at_ == text_.size()) fail("expected a number", at_);
        const char c = text_[at_];
        if (c == '(') {
            enter();
            const std::size_t open = at_++;
            const Kind kind = parse_or();
            if (!take(")"))
                fail(fmt::format("'(' at character {} is not closed; expected ')'", open + 1), at_);
            --depth_;
            return kind;
        }
        if (is_digit(c) || c == '.') return parse_number();
        if (is_letter(c)) return parse_name();
        if (c == '=') fail("expected a number", at_, "equality is written with two signs: ==");
        fail("expected a number", at_);
    }

    Kind parse_number() {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error == std::errc::result_out_of_range)
            fail("a number too large or too small for a double", at_);
        if (error != std::errc{}) fail("expected a number", at_);
        condition_.program.push_back({Op::Constant, value});
        at_ = static_cast<std::size_t>(end - text_.data());
        return Kind::Number;
    }

    Kind parse_name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (name == "x") return emit(Op::X), Kind::Number;
        if (name == "y") return emit(Op::Y), Kind::Number;
        if (name == "z") return emit(Op::Z), Kind::Number;
        for (int axis = 0; axis < 3; ++axis) {
            if (name.size() != 4 || name[0] != "xyz"[axis]) continue;
            const auto end = name.substr(1);
            if (end == "min" || end == "max") {
                condition_.program.push_back(
                    {Op::Constant, (end == "min" ? bounds_.min() : bounds_.max())[axis]});
                return Kind::Number;
            }
        }
        if (name == "and" || name == "or" || name == "not")
            fail(fmt::format("unknown name '{}'", name), begin, "and is written &&, or is ||, not is !");
        fail(fmt::format("unknown name '{}'", printable(name)), begin,
             "the names are x y z xmin xmax ymin ymax zmin zmax; a group of the file is \"@name\"");
    }

    void need(Kind found, Kind wanted, std::string_view sign, std::size_t position) {
        if (found == wanted) return;
        while (position < text_.size() && text_[position] == ' ')
            ++position;
        if (wanted == Kind::Number)
            fail(fmt::format("'{}' takes numbers, but finds a condition", sign), position,
                 "join conditions by && and ||");
        fail(fmt::format("'{}' takes conditions, but finds a number", sign), position,
             "compare it with something, in parentheses: \"!(x < 0.1)\"");
    }

    void emit(Op op) { condition_.program.push_back({op, 0}); }

    void enter() {
        if (++depth_ > kDeepest) fail(fmt::format("more than {} nested parentheses or signs", kDeepest), at_);
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }

    bool take(std::string_view sign) {
        skip_blanks();
        if (text_.substr(at_, sign.size()) != sign) return false;
        at_ += sign.size();
        return true;
    }

    std::string here() const { return printable(text_.substr(at_, 1)); }

    [[noreturn]] void fail(const std::string& problem, std::size_t position,
                           std::string try_this = "") const {
        throw InputError{fmt::format("in '{}'", printable(text_)),
                         fmt::format("{} at character {}", problem, position + 1), std::move(try_this)};
    }

    std::string_view text_;
    Eigen::AlignedBox3d bounds_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Condition condition_;
};

}  // namespace

Condition parse_condition(std::string_view text, const Eigen::AlignedBox3d& bounds) {
    return Parser(text, bounds).parse();
}

bool holds(const Condition& condition, const Eigen::Vector3d& point) {
    // A sign or parenthesis leaves at most six unfinished operands per level (or, and, compare, sum, product,
    // itself), so the stack has a fixed size.
    std::array<double, 6 * (kDeepest + 2)> stack;
    std::size_t top = 0;
    const auto binary = [&](auto&& f) {
        --top;
        stack[top - 1] = f(stack[top - 1], stack[top]);
    };
    const double near = condition.equal_within;
    for (const auto& [op, constant] : condition.program) {
        switch (op) {
            case Op::Constant:
                stack[top++] = constant;
                break;
            case Op::X:
                stack[top++] = point.x();
                break;
            case Op::Y:
                stack[top++] = point.y();
                break;
            case Op::Z:
                stack[top++] = point.z();
                break;
            case Op::Negate:
                stack[top - 1] = -stack[top - 1];
                break;
            case Op::Not:
                stack[top - 1] = stack[top - 1] == 0;
                break;
            case Op::Add:
                binary([](double a, double b) { return a + b; });
                break;
            case Op::Subtract:
                binary([](double a, double b) { return a - b; });
                break;
            case Op::Multiply:
                binary([](double a, double b) { return a * b; });
                break;
            case Op::Divide:
                binary([](double a, double b) { return a / b; });
                break;
            case Op::Less:
                binary([](double a, double b) { return double(a < b); });
                break;
            case Op::LessEqual:
                binary([](double a, double b) { return double(a <= b); });
                break;
            case Op::Greater:
                binary([](double a, double b) { return double(a > b); });
                break;
            case Op::GreaterEqual:
                binary([](double a, double b) { return double(a >= b); });
                break;
            case Op::Equal:
                binary([&](double a, double b) { return double(std::abs(a - b) <= near); });
                break;
            case Op::NotEqual:
                binary([&](double a, double b) { return double(!(std::abs(a - b) <= near)); });
                break;
            case Op::And:
                binary([](double a, double b) { return double(a != 0 && b != 0); });
                break;
            case Op::Or:
                binary([](double a, double b) { return double(a != 0 || b != 0); });
                break;
        }
        assert(top <= stack.size());
    }
    return stack[0] != 0;
}

}  // namespace limber::build
