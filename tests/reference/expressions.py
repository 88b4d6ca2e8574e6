"""Sort keys written as expressions, evaluated by means of Python's own syntax tree.

Python's grammar has no `?:`; these tests write where() instead.
"""

from __future__ import annotations

import ast
import math
import operator
from functools import reduce
from typing import TYPE_CHECKING

from reference.logarithms import log2, log10, natural_log
from reference.usage import exp2

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
}
_COMPARED: dict[type, Callable[[float, float], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_CALLED: dict[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": lambda x: float(math.ceil(x)),
    "floor": lambda x: float(math.floor(x)),
    "log": natural_log,
    "log2": log2,
    "log10": log10,
    "max": lambda *values: reduce(lambda a, b: b if b > a else a, values),
    "min": lambda *values: reduce(lambda a, b: b if b < a else a, values),
    "sqrt": math.sqrt,
    "where": lambda condition, a, b: a if condition != 0 else b,
}


def power(x: float, y: float) -> float:
    """Return x to the power y: by multiplication for small whole y, otherwise by log2."""
    if y == math.floor(y) and abs(y) <= 64:
        product = 1.0
        for _ in range(int(abs(y))):
            product *= x
        return divide(1.0, product) if y < 0 else product
    if x == 0:
        return 0.0 if y > 0 else math.inf
    return exp2(y * log2(x)) if x > 0 else math.nan


def divide(a: float, b: float) -> float:
    """a / b, where b may be 0."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)


def evaluate(key: str, names: Mapping[str, float]) -> float:
    """Return the value of an expression whose names have these values."""
    return _value(ast.parse(key.replace("^", "**"), mode="eval").body, names)


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value):
            return float(value)  # type: ignore[arg-type]
        case ast.Name(name):
            return names[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, names)
        case ast.UnaryOp(ast.Not(), operand):
            return float(_value(operand, names) == 0)
        case ast.BinOp(left, ast.Div(), right):
            return divide(_value(left, names), _value(right, names))
        case ast.BinOp(left, ast.Pow(), right):
            return power(_value(left, names), _value(right, names))
        case ast.BinOp(left, sign, right):
            return _BINARY[type(sign)](_value(left, names), _value(right, names))
        case ast.Compare(left, [sign], [right]):
            return float(_COMPARED[type(sign)](_value(left, names), _value(right, names)))
        case ast.BoolOp(sign, values):
            join = all if isinstance(sign, ast.And) else any
            return float(join([_value(value, names) != 0 for value in values]))
        case ast.Call(ast.Name(name), arguments):
            return _CALLED[name](*(_value(argument, names) for argument in arguments))
    raise ValueError(ast.dump(node))
