"""Files that should compute the same, the first as it came: reads a task as JSON, prints what it finds.

`files` are the paths by name, `seconds` is how long they are timed, `folder` is for what is written.
"""
import json
import os
import re
import sys

import numpy as np
import onnx
import onnxruntime
from time import perf_counter, process_time

LEVELS = onnxruntime.GraphOptimizationLevel
ELEMENTS = {
    'float': np.float32, 'double': np.float64, 'float16': np.float16, 'bool': np.bool_,
    'int64': np.int64, 'int32': np.int32, 'int16': np.int16, 'int8': np.int8, 'uint8': np.uint8,
}

# Sizes of open dimensions, in the order in which they are tried.
TRIED = [16, 64, 96, 160, 224, 128, 512, 1, 4, 32, 320, 640]

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sizes.json')) as stated:
    STATED = json.load(stated)


def nodes_of(path):
    """The number of nodes of a file, those of inner graphs and of functions included."""
    model = onnx.load(path, load_external_data=False)
    pending = [model.graph, *model.functions]
    total = 0
    while pending:
        graph = pending.pop()
        total += len(graph.node)
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    pending.append(attribute.g)
                pending.extend(attribute.graphs)
    return total


def size_of(path):
    """The bytes of a file and of those beside it that it names."""
    model = onnx.load(path, load_external_data=False)
    named = {
        entry.value
        for tensor in model.graph.initializer
        for entry in tensor.external_data
        if entry.key == 'location'
    }
    folder = os.path.dirname(path)
    return os.path.getsize(path) + sum(os.path.getsize(os.path.join(folder, one)) for one in named)


def session(path, level=LEVELS.ORT_ENABLE_ALL, written=None):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = level
    if written is not None:
        options.optimized_model_filepath = written
    return onnxruntime.InferenceSession(path, options, providers=['CPUExecutionProvider'])


def live(graph):
    """The nodes of a graph from which its outputs come."""
    makers = {name: node for node in graph.node for name in node.output}
    pending = [output.name for output in graph.output]
    found = {}
    while pending:
        node = makers.get(pending.pop())
        if node is None or id(node) in found:
            continue
        found[id(node)] = node
        inner = [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
        for one in [node, *(node for graph in inner for node in graph.node)]:
            pending.extend(one.input)
    return found.values()


def fused(path, folder):
    """The nodes by operator that onnxruntime fuses at its extended level, without those that nothing uses."""
    written = os.path.join(folder, 'fused.onnx')
    session(path, LEVELS.ORT_ENABLE_EXTENDED, written)
    counts = {}
    for node in live(onnx.load(written, load_external_data=False).graph):
        if node.domain not in ('', 'ai.onnx') or node.op_type in ('LayerNormalization', 'Gelu'):
            counts[node.op_type] = counts.get(node.op_type, 0) + 1
    return counts


def open_axes(inputs):
    """The open axes of inputs by their dimension's name, or by their own where it has none."""
    axes = {}
    for i in inputs:
        for axis, size in enumerate(i.shape):
            if isinstance(size, int):
                continue
            is_named = isinstance(size, str) and size not in ('', '?')
            axes.setdefault(size if is_named else f'{i.name}.{axis}', []).append((i.name, axis))
    return axes


def feeds_of(inputs, sizes, seed):
    """Random tensors for inputs whose open axes have these sizes."""
    random = np.random.default_rng(seed)
    feeds = {}
    for i in inputs:
        shape = [d if isinstance(d, int) else sizes[i.name, axis] for axis, d in enumerate(i.shape)]
        kind = ELEMENTS[i.type.split('(')[1].rstrip(')')]
        if i.name in STATED['values']:
            feeds[i.name] = np.full(shape, STATED['values'][i.name], kind)
        elif np.issubdtype(kind, np.floating):
            feeds[i.name] = random.normal(size=shape).astype(kind)
        else:
            feeds[i.name] = random.integers(0, 2, size=shape).astype(kind)
    return feeds


def choices(path, axes):
    """Sizes for the open axes: the first axes are batches, the others one size that is tried."""
    rows = [row for row in STATED['sizes'] if re.search(row['file'], path)]
    known = {
        (name, int(axis)): size
        for row in rows
        for name, found in row.items()
        if name != 'file'
        for axis, size in found.items()
    }
    for is_batched in (True, False):
        for at, size in enumerate(TRIED):
            sizes = {}
            for places in axes.values():
                is_batch = is_batched and any(axis == 0 for _, axis in places)
                stated = [known[place] for place in places if place in known]
                chosen = stated[0] if stated else 1 + at % 2 if is_batch else size
                sizes.update({place: chosen for place in places})
            yield sizes


def has_rank(stated, result):
    return not isinstance(result, np.ndarray) or not stated.shape or len(stated.shape) == result.ndim


def samples_of(path):
    """Up to three sets of inputs on which the file runs, of different sizes where sizes are open."""
    reference = session(path, LEVELS.ORT_DISABLE_ALL)
    inputs = reference.get_inputs()
    samples = []
    others = []
    last = 'no sizes fit'
    for sizes in choices(path, open_axes(inputs)):
        if sizes and sizes in [known for known, _, _ in samples]:
            continue
        try:
            feeds = feeds_of(inputs, sizes, len(samples))
            results = reference.run(None, feeds)
        except Exception as error:
            last = error
            continue
        # A squeeze without axes takes one axis too many where a batch is 1: the file contradicts itself.
        if all(has_rank(*pair) for pair in zip(reference.get_outputs(), results)):
            samples.append((sizes, feeds, results))
        else:
            others.append((sizes, feeds, results))
        if len(samples) == 3:
            break
    if not samples and not others:
        print(last, file=sys.stderr)
    return samples or others[:3]


def distance(mine, theirs):
    """The largest difference, as a part of the largest element, at least 1."""
    worst = 0.0
    for a, b in zip(mine, theirs):
        if not isinstance(a, np.ndarray):
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return None
        a, b = a.astype(np.float64), b.astype(np.float64)
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return None
        scale = np.max(np.abs(a), initial=1, where=np.isfinite(a))
        with np.errstate(invalid='ignore'):
            gaps = np.where(a == b, 0, np.abs(a - b))
        worst = max(worst, float(np.max(gaps, initial=0, where=~np.isnan(gaps)) / scale))
    return worst


# How often each file is loaded: where its weights lie in memory changes the time of a run by up to 7 %.
LOADS = 4


def times(paths, feeds, seconds):
    """The least processor time of each file, whose sessions run in turn, loaded again in another order a few times."""
    least = dict.fromkeys(paths, float('inf'))
    names = list(paths)
    for load in range(LOADS):
        turn = load * len(names) // LOADS
        sessions = {name: session(paths[name]) for name in names[turn:] + names[:turn]}
        for one in sessions.values():
            one.run(None, feeds)
        end = perf_counter() + seconds / LOADS
        rounds = 0
        while perf_counter() < end or rounds < 3:
            first = rounds % len(names)
            for name in names[first:] + names[:first]:
                start = process_time()
                sessions[name].run(None, feeds)
                least[name] = min(least[name], process_time() - start)
            rounds += 1
    return least


def judged(name, path, samples, folder):
    """What is found in one file, and whether it loads."""
    entry = {}
    try:
        entry.update(nodes=nodes_of(path), fileBytes=size_of(path))
        if name not in ('basic', 'extended'):
            onnx.checker.check_model(path, full_check=True)
        plain = session(path, LEVELS.ORT_DISABLE_ALL)
        gaps = [distance(results, plain.run(None, feeds)) for _, feeds, results in samples]
        entry['difference'] = None if None in gaps else max(gaps, default=None)
        entry['fused'] = fused(path, folder)
        session(path)
        return entry, True
    except Exception as error:
        message = (str(error).strip().splitlines() or ['it does not load'])[0]
        return {**entry, 'isDone': False, 'message': message[:200]}, False


def main():
    task = json.load(sys.stdin)
    files = task['files']
    samples = samples_of(files['original'])
    found = {}
    loaded = {}
    for name, path in files.items():
        found[name], loads = judged(name, path, samples, task['folder'])
        if loads:
            loaded[name] = path
    if samples:
        for name, least in times(loaded, samples[0][1], task['seconds']).items():
            found[name]['runSeconds'] = least
    sizes = [{f'{i}.{axis}': n for (i, axis), n in chosen.items()} for chosen, _, _ in samples]
    print(json.dumps({'samples': sizes, 'files': found}))


main()
