"""Oracles: how three families of tools read YAML. None of them is our own reader.

Each takes the text of one document and gives plain data. Numbers may come back as int or float of the same value.
"""

import math
import re

import ruamel.yaml
import yaml

__all__ = ["READERS", "go", "go_scalar", "same", "yaml_1_1", "yaml_1_2"]


def yaml_1_1(text):
    """PyYAML: YAML 1.1 in pure Python."""
    return yaml.safe_load(text)


def yaml_1_2(text):
    """ruamel.yaml: YAML 1.2 in pure Python."""
    return ruamel.yaml.YAML(typ="safe", pure=True).load(text)


def go(text):
    """Go yaml.v2 followed by JSON, as kubectl and Helm read: the structure by PyYAML, the scalars by `go_scalar`."""
    return _go_value(yaml.compose(text, Loader=yaml.SafeLoader))


READERS = {"YAML 1.1": yaml_1_1, "YAML 1.2": yaml_1_2, "Go": go}

_GO_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], True),
    **dict.fromkeys(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], False),
    **dict.fromkeys([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], math.inf),
    **dict.fromkeys(["-.inf", "-.Inf", "-.INF"], -math.inf),
    **dict.fromkeys([".nan", ".NaN", ".NAN"], math.nan),
}
_GO_BASES = ((r"0[xX]([0-9a-fA-F]+)", 16), (r"0[bB]([01]+)", 2), (r"0[oO]?([0-7]+)", 8), (r"(0|[1-9][0-9]*)", 10))
_GO_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_GO_LEADING_DOT = r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?"


def go_scalar(text):
    """What yaml.v2 makes of a plain scalar, after JSON. Dates and times come out of JSON as the text they were."""
    if text in _GO_WORDS:
        return _GO_WORDS[text]
    if text[0] == ".":
        return _go_float(text.replace("_", ""), text) if re.fullmatch(_GO_LEADING_DOT, text) else text
    if text[0] not in "+-0123456789":
        return text
    bare = text.replace("_", "")
    sign, digits = (bare[0], bare[1:]) if bare[0] in "+-" else ("", bare)
    for form, base in _GO_BASES:
        if found := re.fullmatch(form, digits):
            value = int(f"{sign}{found[1]}", base)
            if -(2**63) <= value < 2**63:
                return value
            if sign == "" and value < 2**64:
                return float(value)
    return _go_float(bare, text) if re.fullmatch(_GO_FLOAT, bare) else text


def _go_float(bare, text):
    value = float(bare)
    return text if math.isinf(value) else value


def _go_value(node):
    if isinstance(node, yaml.MappingNode):
        return {_go_value(key): _go_value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_go_value(item) for item in node.value]
    return node.value if node is None or node.style else go_scalar(node.value)


def same(left, right):
    """Whether two values are the same JSON: `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    return type(left) is type(right) and left == right
