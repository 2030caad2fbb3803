"""Writes products with weights that are mostly 0, with what TVM's DenseToSparse and Conv2dToSparse2
make of them.

python sparse.py ../../../test/passes/sparse-of-tvm.json
"""

import json
import sys

import numpy as np
import tvm
from tvm import relay
from tvm.relay import data_dep_optimization as ddo

rng = np.random.default_rng(0)


def numbers(a):
    return dict(
        shape=list(a.shape), dtype=str(a.dtype), data=[float(v) for v in a.ravel()]
    )


def mostly_zero(rows, columns, block, share):
    """A matrix of whole blocks of which a share is 0."""
    kept = rng.random((rows // block[0], columns // block[1])) >= share
    values = np.round(rng.standard_normal((rows, columns)) * 64) / 64
    return (values * np.kron(kept, np.ones(block))).astype("float32")


out = []


def case(name, kind, text, block, threshold, weight, made):
    """The three constants in place of the weight, or nothing."""
    found = []

    def visit(e):
        if isinstance(e, relay.Call) and e.op.name.startswith("nn.sparse"):
            found.extend(made(e))

    out.append(
        dict(
            name=name,
            kind=kind,
            program=text.strip(),
            block=list(block),
            threshold=threshold,
            weight=numbers(weight),
            found=found,
        )
    )
    return visit


for units, depth, block, share, threshold in [
    (8, 12, (1, 1), 0.9, 0.7),
    (8, 12, (4, 1), 0.8, 0.5),
    (16, 16, (2, 4), 0.8, 0.5),
    (8, 12, (1, 1), 0.2, 0.5),
]:
    text = f"def @main(%x: Tensor[(3, {depth}), float32], %w: Tensor[({units}, {depth}), float32]) {{ nn.dense(%x, %w, units={units}) }}"
    weight = mostly_zero(units, depth, block, share)
    f = relay.fromtext('#[version = "0.0.5"]\n' + text)["main"]
    f = relay.transform.InferType()(tvm.IRModule.from_expr(f))["main"]
    params = {"w": tvm.nd.array(weight)}
    made, params = ddo.bsr_dense.convert(f, params, block, threshold)
    visit = case(
        f"a layer in blocks of {block[0]} by {block[1]}, {share} of them 0",
        "dense",
        text,
        block,
        threshold,
        weight,
        lambda e: [numbers(params[a.name_hint].numpy()) for a in e.args[1:]],
    )
    relay.analysis.post_order_visit(made, visit)

for layout, side, inputs, outputs, block, share, threshold in [
    ("NHWC", 1, 8, 8, (1, 1), 0.9, 0.7),
    ("NCHW", 1, 8, 8, (4, 1), 0.8, 0.5),
    ("NHWC", 3, 4, 8, (2, 4), 0.8, 0.5),
    ("NCHW", 3, 2, 4, (1, 1), 0.9, 0.7),
    ("NHWC", 1, 8, 8, (1, 1), 0.2, 0.5),
]:
    kernel = "HWIO" if layout == "NHWC" else "OIHW"
    shape = dict(N=1, C=inputs, H=5, W=6)
    sizes = dict(O=outputs, I=inputs, H=side, W=side)
    image = ", ".join(str(shape[c]) for c in layout)
    window = ", ".join(str(sizes[c]) for c in kernel)
    pad = (side - 1) // 2
    text = f"def @main(%x: Tensor[({image}), float32], %w: Tensor[({window}), float32]) {{ nn.conv2d(%x, %w, padding=[{pad}, {pad}, {pad}, {pad}], channels={outputs}, kernel_size=[{side}, {side}], data_layout=\"{layout}\", kernel_layout=\"{kernel}\") }}"
    matrix = mostly_zero(outputs, side * side * inputs, block, share)
    weight = (
        matrix.T.reshape(side, side, inputs, outputs)
        if layout == "NHWC"
        else matrix.reshape(outputs, inputs, side, side)
    )
    f = relay.fromtext('#[version = "0.0.5"]\n' + text)["main"]
    f = relay.build_module.bind_params_by_name(f, {"w": tvm.nd.array(weight)})
    f = relay.transform.InferType()(tvm.IRModule.from_expr(f))["main"]
    made, _ = ddo.bsr_conv2d.convert2(f, {}, block, threshold, layout, side)
    visit = case(
        f"a convolution in {layout} of {side} by {side} in blocks of {block[0]} by {block[1]}, {share} of them 0",
        "conv2d",
        text,
        block,
        threshold,
        weight,
        lambda e: [numbers(a.data.numpy()) for a in e.args[1:]],
    )
    relay.analysis.post_order_visit(made, visit)

open(sys.argv[1], "w").write(
    "[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in out) + "\n]\n"
)
