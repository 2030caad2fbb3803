"""Writes programs of quantized models with what TVM's FakeQuantizationToInteger makes of them.

python fake_quantization.py ../../../test/passes/fake-quantization-of-tvm.json
"""

import json
import re
import sys

import numpy as np
import tvm
from tvm import relay

rng = np.random.default_rng(0)

PROGRAMS = {
    "dense with a rectifier": """
def @main(%x: Tensor[(2, 3), uint8], %w: Tensor[(4, 3), int8]) {
  %0 = nn.dense(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%w, 0.25f, 0), units=4);
  qnn.quantize(nn.relu(%0), 0.7f, 1, out_dtype="int8")
}""",
    "a convolution with a bias": """
def @main(%x: Tensor[(1, 2, 5, 5), uint8], %w: Tensor[(3, 2, 3, 3), int8], %b: Tensor[(3), int32]) {
  %0 = nn.conv2d(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%w, 0.25f, 0), padding=[1, 1, 1, 1], channels=3, kernel_size=[3, 3]);
  %1 = nn.bias_add(%0, qnn.dequantize(%b, 0.125f, 0));
  qnn.quantize(clip(%1, a_min=0f, a_max=6f), 0.05f, -128, out_dtype="int8")
}""",
    "a sum of two images": """
def @main(%x: Tensor[(1, 2, 4, 4), int8], %y: Tensor[(1, 2, 4, 4), int8]) {
  %0 = add(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%y, 0.3f, -2));
  qnn.quantize(nn.max_pool2d(nn.relu(%0), pool_size=[2, 2]), 0.4f, 1, out_dtype="int8")
}""",
    "a difference": """
def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(3), int8]) {
  %0 = subtract(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%y, 0.3f, -2));
  qnn.quantize(%0, 0.7f, 1, out_dtype="int8")
}""",
    "a product": """
def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int8]) {
  %0 = multiply(qnn.dequantize(%x, 0.05f, 3), qnn.dequantize(%y, 0.3f, -2));
  qnn.quantize(%0, 0.7f, 1, out_dtype="int8")
}""",
    "movements": """
def @main(%x: Tensor[(2, 3, 4), uint8]) {
  %0 = transpose(qnn.dequantize(%x, 0.5f, 3), axes=[2, 0, 1]);
  %1 = expand_dims(reshape(%0, newshape=[4, 6]), axis=0);
  %2 = squeeze(%1, axis=[0]);
  %3 = strided_slice(%2, begin=[0, 1], end=[4, 5], strides=[1, 2], axes=None);
  qnn.quantize(%3, 0.7f, 1, out_dtype="int8")
}""",
    "a concatenation": """
def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int8]) {
  %0 = (qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%y, 0.3f, -2));
  qnn.quantize(concatenate(%0, axis=1), 0.5f, 3, out_dtype="int8")
}""",
    "a product of batches": """
def @main(%x: Tensor[(2, 3, 4), int8], %y: Tensor[(2, 5, 4), int8]) {
  %0 = nn.batch_matmul(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%y, 0.3f, -2), transpose_b=True);
  qnn.quantize(%0, 2f, 1, out_dtype="int8")
}""",
    "a transposed convolution": """
def @main(%x: Tensor[(1, 2, 3, 3), int8], %w: Tensor[(2, 3, 2, 2), int8]) {
  %0 = nn.conv2d_transpose(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%w, 0.25f, 0), channels=3, kernel_size=[2, 2], strides=[2, 2]);
  qnn.quantize(%0, 1.5f, 1, out_dtype="int8")
}""",
    "functions": """
def @main(%x: Tensor[(4, 8), int8]) {
  qnn.quantize(tanh(qnn.dequantize(%x, 0.05f, 3)), 0.0078125f, 0, out_dtype="int8")
}""",
    "a larger and a smaller": """
def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int8]) {
  %0 = maximum(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%y, 0.3f, -2));
  qnn.quantize(minimum(%0, qnn.dequantize(%y, 0.3f, -2)), 0.7f, 1, out_dtype="int8")
}""",
    "other quantization": """
def @main(%x: Tensor[(2, 3), uint8]) {
  qnn.quantize(qnn.dequantize(%x, 0.5f, 3), 0.7f, 1, out_dtype="int8")
}""",
    "the same quantization": """
def @main(%x: Tensor[(2, 3), uint8]) {
  qnn.quantize(qnn.dequantize(%x, 0.5f, 3), 0.5f, 3, out_dtype="uint8")
}""",
    "a mean": """
def @main(%x: Tensor[(1, 2, 4, 4), int8]) {
  qnn.quantize(mean(qnn.dequantize(%x, 0.5f, 3), axis=[2, 3]), 0.5f, 3, out_dtype="int8")
}""",
    "a pool of means": """
def @main(%x: Tensor[(1, 2, 4, 4), int8]) {
  %0 = nn.global_avg_pool2d(qnn.dequantize(%x, 0.5f, 3));
  qnn.quantize(%0, 0.25f, 3, out_dtype="int8")
}""",
    "an operator without a rule": """
def @main(%x: Tensor[(2, 3), int8]) {
  qnn.quantize(sin(qnn.dequantize(%x, 0.5f, 3)), 0.01f, 3, out_dtype="int8")
}""",
}


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
        shape=list(a.shape), dtype=str(a.dtype), data=[int(v) for v in a.ravel()]
    )


out = []
for name, text in PROGRAMS.items():
    # TVM's text states what is a default here.
    told = re.sub(
        r"(qnn.dequantize\([^()]*)\)", r'\1, axis=-1, out_dtype="float32")', text
    ).replace('out_dtype="int8"', 'axis=-1, out_dtype="int8"')
    told = told.replace('out_dtype="uint8"', 'axis=-1, out_dtype="uint8"')
    m = relay.transform.InferType()(relay.fromtext('#[version = "0.0.5"]\n' + told))
    made = relay.transform.InferType()(relay.transform.FakeQuantizationToInteger()(m))
    args = []
    for p in m["main"].params:
        t = p.checked_type
        low, high = {"int8": (-128, 128), "uint8": (0, 256), "int32": (-300, 300)}[t.dtype]
        args.append(
            rng.integers(low, high, size=[int(d) for d in t.shape]).astype(t.dtype)
        )
    made = relay.transform.FoldConstant()(made)
    out.append(
        dict(
            name=name,
            program=text.strip(),
            operators=operators(made),
            args=[numbers(a) for a in args],
            result=numbers(run(made, args)),
        )
    )
open(sys.argv[1], "w").write(
    "[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in out) + "\n]\n"
)
