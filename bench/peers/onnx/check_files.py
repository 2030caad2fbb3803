"""Checks ONNX files with onnx's own checker, shape inference included, and loads them in onnxruntime.

    pip install onnx onnxruntime
    python check_files.py FOLDER

Prints a line for each file that the checker refuses, or that onnxruntime refuses for another reason
than a lack of a kernel; then the counts. The exit code is 1 if there is such a file.
"""

import pathlib
import sys

import onnx
import onnxruntime

LACKS_KERNEL = ("NOT_IMPLEMENTED", "Could not find an implementation")


def problem_of(path):
    """What is wrong with a file, or None; and whether onnxruntime has its kernels."""
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception as error:
        return f"checker: {error}", False
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        lacks = any(text in str(error) for text in LACKS_KERNEL)
        return (None if lacks else f"onnxruntime: {error}"), False
    return None, True


def main(folder):
    counts = {"files": 0, "loaded": 0, "wrong": 0}
    for path in sorted(pathlib.Path(folder).rglob("*.onnx")):
        problem, is_loaded = problem_of(path)
        counts["files"] += 1
        counts["loaded"] += is_loaded
        if problem is not None:
            counts["wrong"] += 1
            print(f"{path.name}: {' '.join(problem.split())[:300]}", flush=True)
    print(counts)
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
