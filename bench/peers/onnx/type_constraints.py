"""Writes what ONNX's schemas say of types as packages/onnx/test/type-constraints.json.

    pip install onnx
    python type_constraints.py > ../../../packages/onnx/test/type-constraints.json

An operator has a list of versions from the last that operator set 13 knows on: the set that brought
it, the parameters, and its attributes. A parameter is a list of the numbers of its element types, or
the name of a type variable; `?` marks optional ones, `*` variadic ones, `+` variadic ones whose
types differ; `!` marks required attributes. A type that is not a tensor has no numbers.
"""

import json

import onnx.defs
from onnx import TensorProto

LEAST, MOST = 13, 28
NUMBERS = {
    f"tensor({name.lower()})": number
    for name, number in TensorProto.DataType.items()
}
MARKS = {"Single": "", "Optional": "?", "Variadic": "*"}


def numbers_of(types):
    """The element types of tensors among these types."""
    return sorted(NUMBERS[name] for name in types if name.startswith("tensor("))


def parameter(formal, variables):
    mark = MARKS[str(formal.option).rpartition(".")[2]]
    if mark == "*" and not formal.is_homogeneous:
        mark = "+"
    if formal.type_str not in variables:
        variables[formal.type_str] = numbers_of([formal.type_str])
    return formal.type_str + mark


def version(schema):
    variables = {c.type_param_str: numbers_of(c.allowed_type_strs) for c in schema.type_constraints}
    inputs = [parameter(formal, variables) for formal in schema.inputs]
    outputs = [parameter(formal, variables) for formal in schema.outputs]
    attributes = [name + "!" * a.required for name, a in sorted(schema.attributes.items())]
    return {
        "since": schema.since_version,
        "inputs": inputs,
        "outputs": outputs,
        "types": variables,
        "attributes": attributes,
    }


def main():
    names = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.since_version <= MOST and not schema.deprecated:
            names.setdefault(schema.name, []).append(schema)
    lines = []
    for name, schemas in sorted(names.items()):
        schemas.sort(key=lambda schema: schema.since_version)
        early = [schema for schema in schemas if schema.since_version <= LEAST]
        kept = [*early[-1:], *(s for s in schemas if s.since_version > LEAST)]
        rows = ",\n".join("    " + json.dumps(version(s)) for s in kept)
        lines.append(f"  {json.dumps(name)}: [\n{rows}\n  ]")
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
