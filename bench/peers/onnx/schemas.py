"""Writes ONNX's schemas, and onnxruntime's of its own operators, as packages/onnx/test/schemas.json.

    pip install onnx onnxruntime
    python schemas.py > ../../../packages/onnx/test/schemas.json

An operator has a list of versions: the set that brought it, the parameters, the attributes. A
parameter is the name of a type variable, or a type; `?` marks optional ones, `*` variadic ones, `+`
variadic ones whose types differ, and a number says how many a variadic one must have at least, if
not one. The types of a variable are the numbers of element types; a type that is not a tensor has
none. An attribute is `name:kind`, with `!` if it is required, or `=` and its default as JSON.

Types are left out of versions that no set from 13 on has, and of onnxruntime's operators.
"""

import json

import numpy
import onnx.defs
from onnx import AttributeProto, TensorProto, helper
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

LEAST, MOST = 13, 28
OWN = "com.microsoft"
# Operators of onnxruntime in ONNX's domain.
WITHIN = ["SimplifiedLayerNormalization"]
NUMBERS = {
    f"tensor({name.lower()})": number
    for name, number in TensorProto.DataType.items()
}
MARKS = {"Single": "", "Optional": "?", "Variadic": "*"}


def numbers_of(types):
    """The element types of tensors among these types."""
    return sorted(NUMBERS[name] for name in types if name.startswith("tensor("))


def parameters(formals, variables, least):
    """The parameters, of which the last may be variadic; there are at least `least`."""
    found = []
    for i, formal in enumerate(formals):
        mark = MARKS[str(formal.option).rpartition(".")[2]]
        # The two packages write the names of these in two ways.
        same = formal.is_homogeneous if hasattr(formal, "is_homogeneous") else formal.isHomogeneous
        name = formal.type_str if hasattr(formal, "type_str") else formal.typeStr
        if mark == "*":
            mark = ("*" if same else "+") + ("" if least - i == 1 else str(max(least - i, 0)))
        if variables is not None and name not in variables:
            variables[name] = numbers_of([name])
        found.append(name + mark)
    return found


def plain(value):
    """A default as JSON; floats are the shortest that stand for the same float32."""
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        return float(str(numpy.float32(value)))
    return value


def default_of(attribute):
    """The default of an attribute, if it has one."""
    proto = AttributeProto()
    if hasattr(attribute, "_default_value"):
        proto.ParseFromString(attribute._default_value)
    else:
        proto = attribute.default_value
    return plain(helper.get_attribute_value(proto)) if proto.name else None


def attribute_text(name, attribute):
    kind = str(attribute.type).rpartition(".")[2].lower()
    if attribute.required:
        return f"{name}:{kind}!"
    value = default_of(attribute)
    if value is None:
        return f"{name}:{kind}"
    return f"{name}:{kind}={json.dumps(value, separators=(',', ':'), ensure_ascii=False)}"


def version(schema, has_types):
    constraints = schema.type_constraints if has_types else []
    variables = {c.type_param_str: numbers_of(c.allowed_type_strs) for c in constraints}
    told = variables if has_types else None
    return {
        "since": schema.since_version,
        **({"deprecated": True} if schema.deprecated else {}),
        "inputs": parameters(schema.inputs, told, schema.min_input),
        "outputs": parameters(schema.outputs, told, schema.min_output),
        "types": variables,
        "attributes": [attribute_text(*one) for one in sorted(schema.attributes.items())],
    }


def own_schemas():
    """The schemas of each operator of ONNX's own domain, in order."""
    names = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.since_version <= MOST:
            names.setdefault(schema.name, []).append(schema)
    return {name: sorted(all, key=lambda s: s.since_version) for name, all in names.items()}


def main():
    rows = {}
    for name, schemas in own_schemas().items():
        typed = [s.since_version for s in schemas if not s.deprecated]
        first = max((since for since in typed if since <= LEAST), default=0)
        rows[name] = [version(s, s.since_version >= first) for s in schemas]
    for schema in runtime.get_all_operator_schema():
        if schema.domain == OWN and not schema.deprecated:
            rows[f"{OWN}.{schema.name}"] = [version(schema, False)]
        elif schema.domain == "" and schema.name in WITHIN:
            rows[schema.name] = [version(schema, False)]
    lines = []
    for name, versions in sorted(rows.items()):
        texts = ",\n".join("    " + json.dumps(one, ensure_ascii=False) for one in versions)
        lines.append(f"  {json.dumps(name)}: [\n{texts}\n  ]")
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
