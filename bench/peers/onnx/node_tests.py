"""Writes the node tests of the installed `onnx` package as a corpus folder.

    pip install onnx
    python bench/peers/onnx/node_tests.py FOLDER
    BATON_CORPUS=FOLDER npx vitest run packages/onnx/test/node-corpus.test.ts

Newer packages generate these tests (1,884 in onnx 1.23.2) and no longer ship them as files.
"""

import sys
from pathlib import Path

import numpy
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases


def serialized(value, info):
    """A value as its file holds it: the message is that of the type in the graph."""
    if isinstance(value, onnx.TensorProto):
        return value.SerializeToString()
    kind = info.type.WhichOneof("value")
    if kind == "map_type":
        message = numpy_helper.from_dict(value, info.name)
    elif kind == "sequence_type":
        message = numpy_helper.from_list(value, info.name)
    elif kind == "optional_type":
        message = numpy_helper.from_optional(value, info.name)
    else:
        message = numpy_helper.from_array(numpy.asarray(value), info.name)
    return message.SerializeToString()


def write(case, folder):
    data = folder / case.name / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    (data.parent / "model.onnx").write_bytes(case.model.SerializeToString())
    for kind, values, infos in zip(
        ("input", "output"), case.data_sets[0], (case.model.graph.input, case.model.graph.output)
    ):
        for i, value in enumerate(values):
            info = infos[i] if i < len(infos) else onnx.ValueInfoProto(name=str(i))
            (data / f"{kind}_{i}.pb").write_bytes(serialized(value, info))


def main(root):
    cases = [c for c in collect_testcases(None) if c.model is not None and c.data_sets]
    for case in cases:
        write(case, root / ("node-expanded" if "_expanded" in case.name else "node"))
    print(f"{len(cases)} tests of onnx {onnx.__version__} in {root}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
