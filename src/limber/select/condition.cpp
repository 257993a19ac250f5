// SPDX-License-Identifier: Apache-2.0
// Recursive descent that checks as it goes whether an expression is a number or true/false. The first mistake
// is kept; after it nothing is read any more.
#include "limber/select/condition.h"

#include "limber/printable.h"
#include "limber/select/leading_number.h"

#include <array>
#include <cassert>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace limber {
namespace {

using Op = Condition::Op;

constexpr int kDeepestCondition = 200;  // nested parentheses and signs; each level is a few stack frames

enum class Expression { Number, Truth, Mistake };

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class ConditionParser {
 public:
    ConditionParser(std::string_view text, const Eigen::AlignedBox3d& bounds) : text_(text), bounds_(bounds) {
        if (!bounds.isEmpty()) condition_.equal_within = 1e-9 * bounds.diagonal().norm();
    }

    Result<Condition> parse() {
        const Expression kind = parse_or();
        skip_blanks();
        if (at_ < text_.size())
            fail("expected an operator, found '" + here() + "'", at_,
                 "compare by < <= > >= == !=, join by && and ||: \"x<0.1 && z==0\"");
        if (kind != Expression::Truth)
            fail("a number where a condition is needed", 0, "compare it with something: \"x < 0.1\"");
        if (mistake_) return std::move(*mistake_);
        return std::move(condition_);
    }

 private:
    Expression parse_or() {
        const std::size_t begin = at_;
        const Expression left = parse_and();
        while (take("||")) {
            need(left, Expression::Truth, "||", begin);
            const std::size_t right = at_;
            need(parse_and(), Expression::Truth, "||", right);
            emit(Op::Or);
        }
        return left;
    }

    Expression parse_and() {
        const std::size_t begin = at_;
        const Expression left = parse_comparison();
        while (take("&&")) {
            need(left, Expression::Truth, "&&", begin);
            const std::size_t right = at_;
            need(parse_comparison(), Expression::Truth, "&&", right);
            emit(Op::And);
        }
        return left;
    }

    Expression parse_comparison() {
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
        const Expression left = parse_sum();
        for (const Sign& sign : signs) {
            if (!take(sign.text)) continue;
            need(left, Expression::Number, sign.text, begin);
            const std::size_t right = at_;
            need(parse_sum(), Expression::Number, sign.text, right);
            emit(sign.op);
            for (const Sign& second : signs)
                if (take(second.text))
                    return fail("a second '" + std::string(second.text) + "'", at_ - second.text.size(),
                                "join comparisons by &&: \"0.1<x && x<0.2\"");
            return Expression::Truth;
        }
        return left;
    }

    Expression parse_sum() {
        const std::size_t begin = at_;
        const Expression left = parse_product();
        for (;;) {
            const char sign = take("+") ? '+' : take("-") ? '-' : '\0';
            if (sign == '\0') return left;
            const std::string_view name = sign == '+' ? "+" : "-";
            need(left, Expression::Number, name, begin);
            const std::size_t right = at_;
            need(parse_product(), Expression::Number, name, right);
            emit(sign == '+' ? Op::Add : Op::Subtract);
        }
    }

    Expression parse_product() {
        const std::size_t begin = at_;
        const Expression left = parse_unary();
        for (;;) {
            const char sign = take("*") ? '*' : take("/") ? '/' : '\0';
            if (sign == '\0') return left;
            const std::string_view name = sign == '*' ? "*" : "/";
            need(left, Expression::Number, name, begin);
            const std::size_t right = at_;
            need(parse_unary(), Expression::Number, name, right);
            emit(sign == '*' ? Op::Multiply : Op::Divide);
        }
    }

    Expression parse_unary() {
        skip_blanks();
        const char sign = at_ < text_.size() ? text_[at_] : '\0';
        if (sign != '!' && sign != '-' && sign != '+') return parse_primary();
        if (!enter()) return Expression::Mistake;
        ++at_;
        const std::size_t operand = at_;
        const Expression kind = parse_unary();
        const std::string_view name = sign == '!' ? "!" : sign == '-' ? "-" : "+";
        need(kind, sign == '!' ? Expression::Truth : Expression::Number, name, operand);
        if (sign == '!') emit(Op::Not);
        if (sign == '-') emit(Op::Negate);
        --depth_;
        return kind;
    }

    Expression parse_primary() {
        skip_blanks();
        if (at_ == text_.size()) return fail("expected a number", at_);
        const char c = text_[at_];
        if (c == '(') {
            if (!enter()) return Expression::Mistake;
            const std::size_t open = at_++;
            const Expression kind = parse_or();
            if (!take(")"))
                return fail("'(' at character " + std::to_string(open + 1) + " is not closed; expected ')'",
                            at_);
            --depth_;
            return kind;
        }
        if (is_digit(c) || c == '.') return parse_number();
        if (is_letter(c)) return parse_name();
        return fail("expected a number", at_, c == '=' ? "equality is written with two signs: ==" : "");
    }

    Expression parse_number() {
        const LeadingNumber number = leading_number(text_.substr(at_));
        if (number.length == 0) return fail("expected a number", at_);
        if (number.out_of_range) return fail("a number too large or too small for a double", at_);
        condition_.program.push_back({Op::Constant, number.value});
        at_ += number.length;
        return Expression::Number;
    }

    Expression parse_name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (name == "x") return emit(Op::X), Expression::Number;
        if (name == "y") return emit(Op::Y), Expression::Number;
        if (name == "z") return emit(Op::Z), Expression::Number;
        for (int axis = 0; axis < 3; ++axis) {
            if (name.size() != 4 || name[0] != "xyz"[axis]) continue;
            const auto end = name.substr(1);
            if (end == "min" || end == "max") {
                condition_.program.push_back(
                    {Op::Constant, (end == "min" ? bounds_.min() : bounds_.max())[axis]});
                return Expression::Number;
            }
        }
        const std::string unknown = "unknown name '" + printable(name) + "'";
        if (name == "and" || name == "or" || name == "not")
            return fail(unknown, begin, "and is written &&, or is ||, not is !");
        return fail(unknown, begin,
                    "the names are x y z xmin xmax ymin ymax zmin zmax; a group of the file is \"@name\"");
    }

    void need(Expression found, Expression wanted, std::string_view sign, std::size_t position) {
        if (found == wanted) return;
        while (position < text_.size() && text_[position] == ' ')
            ++position;
        const std::string taker = "'" + std::string(sign) + "' takes ";
        if (wanted == Expression::Number)
            fail(taker + "numbers, but finds a condition", position, "join conditions by && and ||");
        else
            fail(taker + "conditions, but finds a number", position,
                 "compare it with something, in parentheses: \"!(x < 0.1)\"");
    }

    void emit(Op op) { condition_.program.push_back({op, 0}); }

    bool enter() {
        if (++depth_ <= kDeepestCondition) return true;
        fail("more than " + std::to_string(kDeepestCondition) + " nested parentheses or signs", at_);
        return false;
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }

    bool take(std::string_view sign) {
        skip_blanks();
        if (mistake_ || text_.substr(at_, sign.size()) != sign) return false;
        at_ += sign.size();
        return true;
    }

    std::string here() const { return printable(text_.substr(at_, 1)); }

    Expression fail(const std::string& problem, std::size_t position, std::string try_this = "") {
        if (!mistake_)
            mistake_ =
                InputError{"in '" + printable(text_) + "'",
                           problem + " at character " + std::to_string(position + 1), std::move(try_this)};
        return Expression::Mistake;
    }

    std::string_view text_;
    Eigen::AlignedBox3d bounds_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Condition condition_;
    std::optional<InputError> mistake_;
};

}  // namespace

Result<Condition> parse_condition(std::string_view text, const Eigen::AlignedBox3d& bounds) {
    return ConditionParser(text, bounds).parse();
}

bool holds(const Condition& condition, const Eigen::Vector3d& point) {
    // A sign or parenthesis leaves at most six unfinished operands per level (or, and, compare, sum, product,
    // itself), so the stack has a fixed size.
    std::array<double, 6 * (kDeepestCondition + 2)> stack;
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

}  // namespace limber
