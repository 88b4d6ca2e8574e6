// Parses expressions over the columns of a job.
//
//     expression = or [ "?" expression ":" expression ]
//     or         = and { "or" and }              and  = not { "and" not }
//     not        = "not" not | comparison        comparison = sum [ ( "<" | "<=" | … ) sum ]
//     sum        = term { ( "+" | "-" ) term }   term = sign { ( "*" | "/" | "%" ) sign }
//     sign       = ( "-" | "+" ) sign | power    power = primary [ ( "^" | "**" ) sign ]
//     primary    = number | name | name "(" expression { "," expression } ")" | "(" expression ")"
#pragma once

#include "order/expression/program.hpp"

#include <string>

namespace slotwise {

// Throws std::invalid_argument with the position of the error. If a name is unknown, the message
// also lists the known names.
Program parse_expression(const std::string& text);

} // namespace slotwise
