// SPDX-License-Identifier: Apache-2.0
// A condition on a point, such as "x<0.001 && !(y>zmax/2)": text is parsed once, then tested at many points.
//
//   or       = and { "||" and }
//   and      = compare { "&&" compare }
//   compare  = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//   sum      = product { ("+" | "-") product }
//   product  = unary { ("*" | "/") unary }
//   unary    = { "!" | "-" | "+" } primary
//   primary  = number | x y z xmin xmax ymin ymax zmin zmax | "(" or ")"
//
// Arithmetic is that of doubles: what divides by zero is infinite or not a number, as in C.
#pragma once
#include <limber/result.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <string_view>
#include <vector>

namespace limber {

// The condition as a program for a stack machine.
struct Condition {
    enum class Op : std::uint8_t {
        Constant,
        X,
        Y,
        Z,
        Negate,
        Add,
        Subtract,
        Multiply,
        Divide,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        Not,
        And,
        Or,
    };
    struct Instruction {
        Op op = Op::Constant;
        double constant = 0;
    };
    std::vector<Instruction> program;
    // == and != take numbers closer than this for equal: 1e-9 of the diagonal of the bounds, so that
    // 3 * 0.1 m is at 0.3 m.
    double equal_within = 0;
};

// An error is InputError{"in 'TEXT'", "expected a number at character 3", ...}; characters count from 1.
// More than 200 nested parentheses or signs are refused.
Result<Condition> parse_condition(std::string_view text, const Eigen::AlignedBox3d& bounds);

bool holds(const Condition& condition, const Eigen::Vector3d& point);

}  // namespace limber
