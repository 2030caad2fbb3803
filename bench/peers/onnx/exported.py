"""Compares exported models with their originals: for each entry of a manifest, one line of JSON.

    pip install onnx onnxruntime onnxsim
    python exported.py MANIFEST [--times]     all models
    python exported.py --run FILE... INPUTS   the median times of models, in milliseconds

The manifest is a list of {name, original, ours, ranges}. The sizes of the original's inputs become
those of ours, so that onnxsim and ONNX Runtime know as much as Baton did.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
import onnxruntime

GRAPH = onnx.AttributeProto.GRAPH
ROUNDS = 8
SECONDS = 0.8
WARM_UP = 3


def nodes_of(graph):
    """The nodes of a graph and of those within, but for constants."""
    own = sum(node.op_type != "Constant" for node in graph.node)
    inner = (a.g for node in graph.node for a in node.attribute if a.type == GRAPH)
    return own + sum(map(nodes_of, inner))


def sized(original, ours):
    """The original with the inputs and outputs of ours."""
    model = onnx.load(original)
    types = {value.name: value.type for value in ours.graph.input}
    for value in model.graph.input:
        if value.name in types:
            value.type.CopyFrom(types[value.name])
    for value, other in zip(model.graph.output, ours.graph.output):
        value.type.CopyFrom(other.type)
    del model.graph.value_info[:]
    return model


def session(path, level=None, target=None):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    if level is not None:
        options.graph_optimization_level = level
    if target is not None:
        options.optimized_model_filepath = target
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def basic_nodes(path, folder):
    """The nodes that ONNX Runtime leaves at its level "basic"."""
    target = os.path.join(folder, "basic.onnx")
    session(path, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC, target)
    return nodes_of(onnx.load(target).graph)


def simplified_nodes(path, folder):
    """The nodes that onnxsim leaves, in a process that may end."""
    target = os.path.join(folder, "simplified.onnx")
    program = f"import onnx, onnxsim; onnx.save(onnxsim.simplify({path!r})[0], {target!r})"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True)
    return None if run.returncode else nodes_of(onnx.load(target).graph)


def least(of, candidates, folder):
    """The first count that a tool gives: some refuse the original with sizes, and take it without."""
    for path in candidates:
        try:
            count = of(path, folder)
        except Exception:
            count = None
        if count is not None:
            return count
    return None


DTYPES = {onnx.TensorProto.FLOAT: "float32", onnx.TensorProto.FLOAT16: "float16",
          onnx.TensorProto.INT64: "int64", onnx.TensorProto.INT32: "int32",
          onnx.TensorProto.BOOL: "bool"}


def inputs_of(ours, ranges):
    """Random inputs of the sizes of ours; integers below 2 where no range is given."""
    random = numpy.random.default_rng(1)
    made = {}
    for value in ours.graph.input:
        kind = value.type.tensor_type
        shape = [dim.dim_value or 1 for dim in kind.shape.dim]
        dtype = DTYPES[kind.elem_type]
        low, high = ranges.get(value.name, [-1, 1] if "float" in dtype else [0, 2])
        drawn = numpy.asarray(low + (high - low) * random.random(shape))
        made[value.name] = numpy.asarray(drawn if "float" in dtype else numpy.floor(drawn), dtype)
    return made


def error(found, wanted):
    """The greatest difference, relative to the value, the root mean square, or a hundredth."""
    a, b = (numpy.asarray(x).astype("float64") for x in (found, wanted))
    if a.shape != b.shape:
        return float("inf")
    if b.size == 0:
        return 0.0
    scale = numpy.maximum(numpy.abs(b), max(numpy.sqrt(numpy.mean(b * b)), 1e-2))
    return float(numpy.max(numpy.abs(a - b) / scale))


def median_times(paths, file):
    """The median times of models whose runs take turns, in milliseconds."""
    feeds = dict(numpy.load(file))
    loaded = [session(path) for path in paths]
    times = [[] for _ in paths]
    end = time.perf_counter() + SECONDS
    while len(times[0]) < WARM_UP + 5 or time.perf_counter() < end:
        for one, own in zip(loaded, times):
            start = time.perf_counter()
            one.run(None, feeds)
            own.append(1e3 * (time.perf_counter() - start))
    return [statistics.median(own[WARM_UP:]) for own in times]


def ratio_of_times(original, ours, file):
    """The median times over processes, which load the two in turns, and of the ratios in each."""
    pairs = []
    for i in range(ROUNDS):
        paths = [original, ours] if i % 2 == 0 else [ours, original]
        command = [sys.executable, __file__, "--run", *paths, file]
        said = subprocess.run(command, capture_output=True, check=True).stdout
        pairs.append(json.loads(said) if i % 2 == 0 else json.loads(said)[::-1])
    before, after = (statistics.median(times) for times in zip(*pairs))
    ratio = statistics.median(y / x for x, y in pairs)
    return {"originalMs": before, "oursMs": after, "ratio": ratio}


def compared(entry, folder, with_times):
    ours = onnx.load(entry["ours"])
    onnx.checker.check_model(entry["ours"], full_check=True)
    known = os.path.join(folder, "sized.onnx")
    onnx.save(sized(entry["original"], ours), known)
    candidates = [known, entry["original"]]
    feeds = inputs_of(ours, entry["ranges"])
    file = os.path.join(folder, "inputs.npz")
    numpy.savez(file, **feeds)
    wanted, found = (session(entry[key]).run(None, feeds) for key in ("original", "ours"))
    answer = {
        "name": entry["name"],
        "original": nodes_of(onnx.load(entry["original"]).graph),
        "onnxsim": least(simplified_nodes, candidates, folder),
        "basic": least(basic_nodes, candidates, folder),
        "ours": nodes_of(ours.graph),
        "error": max(map(error, found, wanted)),
    }
    return {**answer, **(ratio_of_times(entry["original"], entry["ours"], file) if with_times else {})}


def main(arguments):
    if arguments[0] == "--run":
        print(json.dumps(median_times(arguments[1:-1], arguments[-1])))
        return
    with open(arguments[0]) as manifest:
        entries = json.load(manifest)
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            print(json.dumps(compared(entry, folder, "--times" in arguments)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
