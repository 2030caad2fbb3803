"""Writes calls of qnn operators with the results that TVM's Relay computes.

python qnn_calls.py ../../../packages/ops/test/qnn-of-tvm.json
"""

import json
import sys

import numpy as np
import tvm
from tvm import relay

rng = np.random.default_rng(0)


def run(expr, args):
    f = relay.Function(relay.analysis.free_vars(expr), expr)
    m = tvm.IRModule.from_expr(f)
    with tvm.transform.PassContext(opt_level=2):
        ex = relay.create_executor(
            "graph",
            mod=m,
            device=tvm.cpu(),
            target="llvm -mtriple=x86_64-pc-linux-gnu -mcpu=x86-64",
        )
        return ex.evaluate()(*args).numpy()


out = []


def numbers(a):
    if isinstance(a, list):
        return [numbers(field) for field in a]
    return dict(
        shape=list(a.shape),
        dtype=str(a.dtype),
        data=[float(v) if v != int(v) else int(v) for v in a.astype(np.float64).ravel()],
    )


def case(name, inputs, attrs, build):
    vs = [
        relay.Tuple([relay.const(field) for field in a])
        if isinstance(a, list)
        else relay.var(f"x{i}", shape=a.shape, dtype=str(a.dtype))
        if v
        else relay.const(a)
        for i, (a, v) in enumerate(inputs)
    ]
    e = build(*vs)
    r = run(e, [a for a, v in inputs if v])
    out.append(
        dict(
            name=name,
            attrs=attrs,
            args=[numbers(a) for a, _ in inputs],
            result=numbers(r),
        )
    )


f = lambda *x: np.array(x[0] if len(x) == 1 else x, dtype="float32")
i = lambda *x: np.array(x[0] if len(x) == 1 else x, dtype="int32")
q = relay.qnn.op
x = (rng.normal(size=(4, 5)) * 20).astype("float32")
x[0, :4] = [0.25, 0.75, -0.25, -0.75]
for dt in ("int8", "uint8", "int32"):
    case(
        "qnn.quantize",
        [(x, 1), (f(0.5), 0), (i(3), 0)],
        dict(out_dtype=dt),
        lambda a, s, z: q.quantize(a, s, z, out_dtype=dt),
    )
case(
    "qnn.quantize",
    [(x, 1), (f(0.5, 0.3, 0.11, 1.7), 0), (i(3, -2, 0, 1), 0)],
    dict(out_dtype="int8", axis=0),
    lambda a, s, z: q.quantize(a, s, z, axis=0, out_dtype="int8"),
)
y = rng.integers(-128, 128, size=(4, 5)).astype("int8")
u = rng.integers(0, 256, size=(4, 5)).astype("uint8")
case(
    "qnn.dequantize",
    [(y, 1), (f(0.3), 0), (i(3), 0)],
    {},
    lambda a, s, z: q.dequantize(a, s, z),
)
case(
    "qnn.dequantize",
    [(u, 1), (f(0.5, 0.3, 0.11, 1.7), 0), (i(3, 2, 0, 1), 0)],
    dict(axis=0),
    lambda a, s, z: q.dequantize(a, s, z, axis=0),
)
b = rng.integers(-40000, 40000, size=(4, 5)).astype("int32")
for r in ("UPWARD", "TONEAREST"):
    case(
        "qnn.requantize",
        [(b, 1), (f(0.013), 0), (i(0), 0), (f(1.7), 0), (i(5), 0)],
        dict(rounding=r, out_dtype="int8"),
        lambda a, s, z, t, w: q.requantize(a, s, z, t, w, rounding=r, out_dtype="int8"),
    )
    case(
        "qnn.requantize",
        [(y, 1), (f(0.5), 0), (i(2), 0), (f(0.25), 0), (i(0), 0)],
        dict(rounding=r, out_dtype="uint8"),
        lambda a, s, z, t, w: q.requantize(
            a, s, z, t, w, rounding=r, out_dtype="uint8"
        ),
    )
    case(
        "qnn.requantize",
        [(b, 1), (f(0.013, 0.5, 0.25, 0.11), 0), (i(0), 0), (f(1.0), 0), (i(5), 0)],
        dict(rounding=r, out_dtype="int8", axis=0),
        lambda a, s, z, t, w: q.requantize(
            a, s, z, t, w, rounding=r, axis=0, out_dtype="int8"
        ),
    )
w = rng.integers(-128, 128, size=(6, 5)).astype("int8")
case(
    "qnn.dense",
    [(u, 1), (w, 1), (i(3), 0), (i(-2), 0), (f(0.5), 0), (f(0.25), 0)],
    dict(units=6),
    lambda a, b, z, k, s, t: q.dense(a, b, z, k, s, t, units=6),
)
d = rng.integers(0, 256, size=(1, 2, 5, 4)).astype("uint8")
k = rng.integers(-128, 128, size=(3, 2, 3, 3)).astype("int8")
case(
    "qnn.conv2d",
    [(d, 1), (k, 1), (i(7), 0), (i(0), 0), (f(0.5), 0), (f(0.25), 0)],
    dict(padding=[1, 1, 1, 1], strides=[2, 1], channels=3, kernel_size=[3, 3]),
    lambda a, b, z, kz, s, t: q.conv2d(
        a,
        b,
        z,
        kz,
        s,
        t,
        kernel_size=(3, 3),
        channels=3,
        padding=(1, 1, 1, 1),
        strides=(2, 1),
    ),
)
y2 = rng.integers(-128, 128, size=(5,)).astype("int8")
for nm, op in (("add", q.add), ("subtract", q.subtract), ("mul", q.mul)):
    case(
        "qnn." + nm,
        [
            (y, 1),
            (y2, 1),
            (f(0.3), 0),
            (i(2), 0),
            (f(0.11), 0),
            (i(-4), 0),
            (f(0.5), 0),
            (i(1), 0),
        ],
        {},
        lambda *v: op(*v),
    )
for nm in ("tanh", "exp", "sqrt", "rsqrt", "erf", "sigmoid", "abs", "log", "hardswish"):
    case(
        "qnn." + nm,
        [
            # Of what is below 0 some have no value.
            (u if nm in ("sqrt", "rsqrt", "log") else y, 1),
            (f(0.05), 0),
            (i(0 if nm in ("sqrt", "rsqrt", "log") else -3), 0),
            (f(0.02), 0),
            (i(1), 0),
        ],
        {},
        getattr(q, nm),
    )
for scales in ((0.5, 0.25), (0.3, 0.3)):
    case(
        "qnn.leaky_relu",
        [(y, 1), (f(scales[0]), 0), (i(3), 0), (f(scales[1]), 0), (i(-2), 0)],
        dict(alpha=0.3),
        lambda a, *v: q._make.leaky_relu(a, 0.3, *v),
    )
case(
    "qnn.concatenate",
    [
        ([y, y[:2]], 0),
        ([f(0.3), f(0.25)], 0),
        ([i(2), i(1)], 0),
        (f(0.25), 0),
        (i(1), 0),
    ],
    dict(axis=0),
    lambda a, s, z, t, w: q.concatenate(a, s, z, t, w, 0),
)
case(
    "qnn.batch_matmul",
    [
        (y.reshape(2, 2, 5), 1),
        (w.reshape(2, 3, 5), 1),
        (i(3), 0),
        (i(-2), 0),
        (f(0.5), 0),
        (f(0.25), 0),
    ],
    {},
    lambda a, b, z, k, s, t: q.batch_matmul(a, b, z, k, s, t),
)
kt = rng.integers(-128, 128, size=(2, 3, 3, 3)).astype("int8")
case(
    "qnn.conv2d_transpose",
    [
        (d.astype("int8"), 1),
        (kt, 1),
        (i(7), 0),
        (i(2), 0),
        (f(0.5), 0),
        (f(0.25), 0),
    ],
    dict(
        padding=[1, 1, 1, 1],
        strides=[2, 1],
        output_padding=[1, 0],
        channels=3,
        kernel_size=[3, 3],
    ),
    lambda a, b, z, kz, s, t: q.conv2d_transpose(
        a,
        b,
        z,
        kz,
        s,
        t,
        kernel_size=(3, 3),
        channels=3,
        padding=(1, 1, 1, 1),
        strides=(2, 1),
        output_padding=(1, 0),
    ),
)
open(sys.argv[1], "w").write(
    "[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in out) + "\n]\n"
)
