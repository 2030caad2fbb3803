"""Writes networks with what TVM's quantize makes of them.

python quantize.py ../../../test/passes/quantize-of-tvm.json
"""

import json
import sys

import numpy as np
import tvm
from tvm import relay
import tvm.relay.quantize

tool = sys.modules["tvm.relay.quantize.quantize"]
rng = np.random.default_rng(0)

EVERY = dict(skip_conv_layers=[], skip_dense_layer=False)

RESIDUAL = """
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w0: Tensor[(4, 3, 3, 3), float32], %w1: Tensor[(4, 1, 1), float32], %w2: Tensor[(4, 4, 3, 3), float32], %w3: Tensor[(5, 4, 1, 1), float32], %w4: Tensor[(3, 5), float32]) {
  %0 = nn.conv2d(%x, %w0, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.relu(add(%0, %w1));
  %2 = nn.max_pool2d(%1, pool_size=[2, 2], strides=[2, 2]);
  %3 = nn.conv2d(%2, %w2, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %4 = nn.relu(add(%3, %2));
  %5 = clip(nn.conv2d(%4, %w3, channels=5, kernel_size=[1, 1]), a_min=0f, a_max=6f);
  %6 = nn.batch_flatten(nn.global_avg_pool2d(%5));
  nn.dense(%6, %w4, units=3)
}"""

PROGRAMS = [
    ("a residual network", RESIDUAL, EVERY),
    ("without its first convolution and its layer", RESIDUAL, {}),
    ("without its second convolution", RESIDUAL, dict(skip_conv_layers=[1])),
    ("weights by their own largest number", RESIDUAL, dict(EVERY, weight_scale="max")),
    ("halves to nearest", RESIDUAL, dict(EVERY, weight_scale="max", rounding="TONEAREST")),
    ("shifts without rounding", RESIDUAL, dict(EVERY, round_for_shift=False)),
    ("another range", RESIDUAL, dict(EVERY, global_scale=3.0)),
    ("fewer bits", RESIDUAL, dict(EVERY, nbit_input=6, nbit_weight=5)),
    ("only rounded", RESIDUAL, dict(EVERY, do_simulation=True)),
    (
        "layers",
        """
def @main(%x: Tensor[(2, 5), float32], %w0: Tensor[(4, 5), float32], %w1: Tensor[(4), float32], %w2: Tensor[(3, 4), float32]) {
  %0 = nn.relu(add(nn.dense(%x, %w0, units=4), %w1));
  nn.dense(%0, %w2, units=3)
}""",
        EVERY,
    ),
    (
        "movements of sums",
        """
def @main(%x: Tensor[(2, 6), float32], %w0: Tensor[(4, 6), float32], %w1: Tensor[(3, 2), float32]) {
  %0 = transpose(nn.dense(%x, %w0, units=4), axes=[1, 0]);
  %1 = strided_slice(reshape(%0, newshape=[8]), begin=[0], end=[6], strides=[1], axes=None);
  nn.dense(reshape(%1, newshape=[3, 2]), %w1, units=3)
}""",
        EVERY,
    ),
    (
        "products of batches",
        """
def @main(%x: Tensor[(2, 3, 4), float32], %y: Tensor[(2, 5, 4), float32]) {
  nn.batch_matmul(%x, %y, transpose_b=True)
}""",
        EVERY,
    ),
    (
        "a convolution of lines",
        """
def @main(%x: Tensor[(1, 2, 9), float32], %w0: Tensor[(3, 2, 3), float32]) {
  %0 = nn.conv1d(%x, %w0, channels=3, kernel_size=[3]);
  nn.max_pool1d(nn.relu(%0), pool_size=[2], strides=[2])
}""",
        EVERY,
    ),
    (
        "a factor",
        """
def @main(%x: Tensor[(2, 5), float32], %y: Tensor[(2, 4), float32], %w0: Tensor[(4, 5), float32], %w1: Tensor[(4), float32]) {
  multiply(multiply(nn.dense(%x, %w0, units=4), %w1), %y)
}""",
        EVERY,
    ),
    (
        "a concatenation",
        """
def @main(%x: Tensor[(2, 5), float32], %w0: Tensor[(4, 5), float32], %w1: Tensor[(4, 5), float32]) {
  concatenate((nn.dense(%x, %w0, units=4), nn.dense(%x, %w1, units=4)), axis=1)
}""",
        EVERY,
    ),
    (
        "a pool of means",
        """
def @main(%x: Tensor[(1, 2, 6, 6), float32], %w0: Tensor[(3, 2, 3, 3), float32]) {
  nn.avg_pool2d(nn.conv2d(%x, %w0, channels=3, kernel_size=[3, 3]), pool_size=[2, 2], strides=[2, 2])
}""",
        EVERY,
    ),
]


def run(m, args):
    with tvm.transform.PassContext(opt_level=2):
        ex = relay.create_executor(
            "graph",
            mod=m,
            device=tvm.cpu(),
            target="llvm -mtriple=x86_64-pc-linux-gnu -mcpu=x86-64",
        )
        return ex.evaluate()(*args).numpy()


def operators(m):
    found = []

    def visit(e):
        if isinstance(e, relay.Call):
            found.append(e.op.name)

    relay.analysis.post_order_visit(m["main"].body, visit)
    return found


def numbers(a):
    return dict(
        shape=list(a.shape), dtype=str(a.dtype), data=[float(v) for v in a.ravel()]
    )


out = []
for name, text, config in PROGRAMS:
    m = relay.transform.InferType()(relay.fromtext('#[version = "0.0.5"]\n' + text))
    args, weights = {}, {}
    for p in m["main"].params:
        t = p.checked_type
        shape = [int(d) for d in t.shape]
        drawn = np.round(rng.standard_normal(size=shape) * 512) / 512
        (weights if p.name_hint.startswith("w") else args)[p.name_hint] = drawn.astype(
            t.dtype
        )
    with tvm.transform.PassContext(opt_level=3), relay.quantize.qconfig(**config):
        made = tool.quantize(m, params={k: tvm.nd.array(v) for k, v in weights.items()})
    out.append(
        dict(
            name=name,
            program=text.strip(),
            config=config,
            operators=operators(made),
            args={k: numbers(v) for k, v in args.items()},
            weights={k: numbers(v) for k, v in weights.items()},
            result=numbers(run(made, list(args.values()))),
        )
    )
open(sys.argv[1], "w").write(
    "[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in out) + "\n]\n"
)
