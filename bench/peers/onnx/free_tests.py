"""Runs ONNX's node tests in onnxruntime with every dimension of the inputs free.

    pip install onnx onnxruntime
    python bench/peers/onnx/free_tests.py FOLDER...

Prints the tests that onnxruntime passes so, and how many.
"""

import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper


def tensor(path):
    proto = onnx.TensorProto()
    proto.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(proto)


def passes(folder):
    """Whether onnxruntime computes the expected results."""
    model = onnx.load(folder / "model.onnx")
    data = folder / "test_data_set_0"
    feeds = {}
    for i, value in enumerate(model.graph.input):
        feeds[value.name] = tensor(data / f"input_{i}.pb")
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    for i, found in enumerate(session.run(None, feeds)):
        wanted = tensor(data / f"output_{i}.pb")
        pair = (numpy.asarray(a).astype("float64") for a in (found, wanted))
        if not numpy.allclose(*pair, rtol=1e-2, atol=1e-5, equal_nan=True):
            return False
    return True


def main(folders):
    count = 0
    for parent in folders:
        for folder in sorted(pathlib.Path(parent).iterdir()):
            try:
                is_passed = passes(folder)
            except Exception:
                is_passed = False
            if is_passed:
                count += 1
                print(folder.name)
    print(f"{count} pass with free dimensions in onnxruntime {onnxruntime.__version__}")


if __name__ == "__main__":
    main(sys.argv[1:])
