"""Writes calls of operators with the results that TVM's Relay computes.

python operator_calls.py ../../../packages/ops/test/operators-of-tvm.json
"""

import json
import sys

import numpy as np
import tvm
from tvm import relay

rng = np.random.default_rng(0)
TARGET = "llvm -mtriple=x86_64-pc-linux-gnu -mcpu=x86-64"


def results(expr, args):
    m = tvm.IRModule.from_expr(relay.Function(relay.analysis.free_vars(expr), expr))
    with tvm.transform.PassContext(opt_level=2):
        run = relay.create_executor("vm", mod=m, device=tvm.cpu(), target=TARGET)
        found = run.evaluate()(*args)
    if isinstance(found, tvm.nd.NDArray):
        return [found.numpy()]
    return [each.numpy() for each in found]


def number(v):
    if not np.isfinite(v):
        return str(v)
    return int(v) if float(v).is_integer() else float(f"{float(v):.9g}")


def written(a):
    # Integers of 64 bits are exact as texts.
    big = a.dtype in (np.int64, np.uint64)
    data = [str(v) if big else number(v) for v in a.ravel()]
    return dict(shape=list(a.shape), dtype=str(a.dtype), data=data)


out = []


def case(name, inputs, attrs, build):
    parameters = [
        relay.var(f"x{i}", shape=a.shape, dtype=str(a.dtype))
        for i, a in enumerate(inputs)
    ]
    found = results(body(build(*parameters)), inputs)
    out.append(
        dict(
            name=name,
            attrs=attrs,
            args=[written(a) for a in inputs],
            results=[written(a) for a in found],
        )
    )


def body(expr):
    return expr.astuple() if isinstance(expr, relay.expr.TupleWrapper) else expr


def f(*shape):
    return np.round(rng.normal(size=shape) * 4, 2).astype("float32")


def numbers(*values, dtype="float32"):
    return np.array(values, dtype=dtype)


nn, image, vision = relay.nn, relay.image, relay.vision

# Gradients of pools: with equal cells, padding, windows that do not fit.
few = rng.integers(-2, 3, size=(1, 2, 5, 6)).astype("float32")
for attrs, shape in (
    (dict(pool_size=[2, 2], strides=[2, 2]), (1, 2, 2, 3)),
    (dict(pool_size=[3, 2], strides=[1, 2], padding=[1, 1, 1, 0]), (1, 2, 5, 3)),
    (dict(pool_size=[2, 2], strides=[2, 2], ceil_mode=True), (1, 2, 3, 3)),
):
    case(
        "nn.max_pool2d_grad",
        [f(*shape), few],
        attrs,
        lambda g, x: nn.max_pool2d_grad(g, x, **attrs),
    )
    # TVM counts cells behind the stated padding, ONNX and PyTorch do not.
    for include in (False,) if "ceil_mode" in attrs else (False, True):
        both = dict(attrs, count_include_pad=include)
        case(
            "nn.avg_pool2d_grad",
            [f(*shape), few],
            both,
            lambda g, x: nn.avg_pool2d_grad(g, x, **both),
        )
case(
    "nn.max_pool2d_grad",
    [f(1, 2, 3, 2), f(1, 5, 6, 2)],
    dict(pool_size=[2, 2], strides=[2, 2], layout="NHWC"),
    lambda g, x: nn.max_pool2d_grad(
        g, x, pool_size=(2, 2), strides=(2, 2), layout="NHWC"
    ),
)

for attrs, shape in (
    (dict(), (2, 3, 3, 4)),
    # With groups TVM's result is no gradient of its convolution.
    (dict(strides=[2, 1], padding=[1, 1, 1, 1]), (2, 4, 3, 6)),
    (dict(dilation=[2, 1], padding=[1, 0, 1, 0]), (2, 2, 3, 4)),
):
    g, x = f(*shape), f(2, 4, 5, 6)
    size = dict(kernel_size=[3, 3])
    case(
        "nn.conv2d_backward_weight",
        [g, x],
        dict(attrs, **size),
        lambda g, x: nn.conv2d_backward_weight(
            g, x, channels=shape[1], kernel_size=(3, 3), **attrs
        ),
    )

case(
    "image.dilation2d",
    [f(1, 3, 5, 6), f(3, 3, 2)],
    dict(strides=[1, 2], padding=[1, 0], dilations=[2, 1]),
    lambda x, w: image.dilation2d(
        x, w, strides=(1, 2), padding=(1, 0), dilations=(2, 1)
    ),
)
case(
    "image.dilation2d",
    [f(1, 4, 4, 2) - 9, f(2, 3, 2)],
    dict(padding=[1, 0, 0, 1], data_layout="NHWC", kernel_layout="HWI"),
    lambda x, w: image.dilation2d(
        x, w, padding=(1, 0, 0, 1), data_layout="NHWC", kernel_layout="HWI"
    ),
)

boxes = numbers(
    [0, 0, 1, 1], [0.25, 0.1, 0.75, 0.9], [0.9, 0.8, 0.2, 0.1], [-0.5, 0.3, 1.2, 1.4]
)
which = numbers(0, 1, 1, 0, dtype="int32")
for method in ("bilinear", "nearest_neighbor"):
    case(
        "image.crop_and_resize",
        [f(2, 2, 5, 4), boxes, which],
        dict(crop_size=[3, 4], method=method, extrapolation_value=0.5),
        lambda x, b, i: image.crop_and_resize(
            x, b, i, (3, 4), "NCHW", method=method, extrapolation_value=0.5
        ),
    )

# Boxes in rows of class, score and corners, some of equal scores, negative classes and scores.
def rows(batch, count):
    corner = rng.integers(0, 6, size=(batch, count, 2)) / 4
    other = corner + rng.integers(-4, 7, size=(batch, count, 2)) / 4
    score = rng.integers(-2, 9, size=(batch, count, 1)) / 8
    which = rng.integers(-1, 2, size=(batch, count, 1))
    return np.concatenate([which, score, corner, other], axis=2).astype("float32")


def i32(value):
    return np.array(value, dtype="int32")


data = rows(2, 8)
case(
    "vision.get_valid_counts",
    [data, np.float32(0.2)],
    {},
    lambda x, t: vision.get_valid_counts(x, t),
)
case(
    "vision.get_valid_counts",
    [data, np.float32(0)],
    dict(id_index=-1, score_index=2),
    lambda x, t: vision.get_valid_counts(x, t, id_index=-1, score_index=2),
)
order = np.stack([rng.permutation(8) for _ in range(2)]).astype("int32")
for most, threshold, attrs in (
    (-1, 0.3, {}),
    (3, 0.1, dict(force_suppress=True)),
    (-1, 0.5, dict(top_k=4, id_index=-1)),
    (2, 0.2, dict(return_indices=False)),
    (-1, 0.2, dict(return_indices=False, invalid_to_bottom=True, top_k=5)),
    (-1, 0, dict(return_indices=False)),
):
    case(
        "vision.non_max_suppression",
        [data, i32([6, 8]), order, i32(most), np.float32(threshold)],
        attrs,
        lambda x, c, i, m, t: vision.non_max_suppression(x, c, i, m, t, **attrs),
    )
boxes = data[:, :, 2:]
scores = (rng.integers(-2, 9, size=(2, 3, 8)) / 8).astype("float32")
for most, threshold, score in ((-1, 0.3, 0.1), (2, 0.2, -1.0), (0, 0.6, 0.25)):
    # In the other form TVM leaves rows as they are that follow those found.
    case(
        "vision.all_class_non_max_suppression",
        [boxes, scores, i32(most), np.float32(threshold), np.float32(score)],
        dict(output_format="tensorflow"),
        lambda b, s, m, t, l: vision.all_class_non_max_suppression(
            b, s, m, t, l, output_format="tensorflow"
        ),
    )
regions = numbers(
    [0, 0, 0, 7, 6],
    [1, 1.3, 2.1, 6.7, 9.2],
    [1, 5, 4, 2, 1],
    [0, -6, 3, 20, 5.5],
    [1, 3.5, 2.5, 3.6, 2.6],
)
images = f(2, 2, 5, 6)
for attrs in (
    dict(pooled_size=[2, 3], spatial_scale=0.5),
    dict(pooled_size=[2, 2], spatial_scale=1.0, sample_ratio=2),
    dict(pooled_size=[1, 2], spatial_scale=1.0, sample_ratio=2, mode="max"),
    dict(pooled_size=[2, 3], spatial_scale=0.75, mode="max"),
):
    case(
        "vision.roi_align",
        [images, regions],
        attrs,
        lambda x, r: vision.roi_align(x, r, **attrs),
    )
for attrs in (
    dict(pooled_size=[2, 3], spatial_scale=0.5),
    dict(pooled_size=[3, 2], spatial_scale=1.0),
):
    case(
        "vision.roi_pool",
        [images, regions],
        attrs,
        lambda x, r: vision.roi_pool(x, r, **attrs),
    )
# TVM reads behind the data of more than one image.
case(
    "vision.yolo_reorg",
    [f(1, 8, 4, 6)],
    dict(stride=2),
    lambda x: vision.yolo_reorg(x, 2),
)

# Generators: fresh, after splits, and near the end of the counter and of the path.
def generator(seed, path=(0, 0), counter=0, step=(1 << 63, 0)):
    words = [seed & (2**64 - 1), seed >> 64, 3, 7, *path, 0, counter, *step]
    return np.array(words, dtype="uint64")


random = relay.random
fresh = generator(2**70 + 42)
late = generator(5, path=(1 << 63, 0), counter=2**64 - 4, step=(1, 0))
for key, shape in ((fresh, [3, 3]), (fresh, [2]), (fresh, [8]), (late, [5])):
    case(
        "random.threefry_generate",
        [key],
        dict(out_shape=shape),
        lambda k: random.threefry_generate(k, shape),
    )
for key in (fresh, late, generator(9, path=(5, 1), counter=3, step=(0, 0))):
    case("random.threefry_split", [key], {}, lambda k: random.threefry_split(k))
for dtype in ("float32", "float64"):
    low, high = np.array(-1.5, dtype=dtype), np.array(2.25, dtype=dtype)
    attrs = dict(out_shape=[2, 3], out_dtype=dtype)
    case(
        "random.uniform",
        [fresh, low, high],
        attrs,
        lambda k, a, b: random.uniform(k, [2, 3], dtype, a, b),
    )
    case(
        "random.normal",
        [fresh, low, high],
        attrs,
        lambda k, a, b: random.normal(k, [2, 3], dtype, a, b),
    )
case(
    "random.multinomial",
    [fresh, numbers([0.5, 0, 2, 1], [-1, 3, 0.25, 0])],
    dict(num_samples=6),
    lambda k, p: random.multinomial(k, p, 6),
)

# Sparse matrices of elements and of blocks.
columns, starts = i32([0, 3, 1, 2, 0]), i32([0, 2, 2, 4, 5])
block_columns, block_starts = i32([0, 1, 1]), i32([0, 2, 3])
make = relay.op.nn._make
for x, elements, lhs in (
    (f(3, 4), (f(5), columns, starts), False),
    (f(3, 4), (f(5), columns, starts), True),
    (f(3, 6), (f(3, 2, 3), block_columns, block_starts), False),
    (f(3, 6), (f(3, 2, 3), block_columns, block_starts), True),
):
    case(
        "nn.sparse_dense",
        [x, *elements],
        dict(sparse_lhs=lhs),
        lambda x, d, i, p: make.sparse_dense(x, d, i, p, lhs),
    )
case(
    "nn.sparse_transpose",
    [f(5), columns, starts],
    {},
    lambda d, i, p: relay.expr.TupleWrapper(make.sparse_transpose(d, i, p), 3),
)
case(
    "nn.sparse_add",
    [f(4, 4), f(5), columns, starts],
    {},
    lambda x, d, i, p: make.sparse_add(x, d, i, p),
)
case(
    "nn.sparse_conv2d",
    [f(1, 3, 2, 6), f(3, 2, 3), block_columns, block_starts],
    {},
    lambda x, d, i, p: make.sparse_conv2d(x, d, i, p, "NHWC", [1, 1]),
)
case(
    "nn.sparse_conv2d",
    [f(2, 6, 3, 2), f(3, 2, 3), block_columns, block_starts],
    dict(layout="NCHW"),
    lambda x, d, i, p: make.sparse_conv2d(x, d, i, p, "NCHW", [1, 1]),
)
case(
    "nn.sparse_conv2d",
    [f(1, 4, 3, 2), f(3, 2, 3), i32([0, 3, 5]), block_starts],
    dict(kernel_size=[3, 3]),
    lambda x, d, i, p: make.sparse_conv2d(x, d, i, p, "NHWC", [3, 3]),
)
i64 = lambda value: np.array(value, dtype="int64")
case(
    "sparse_reshape",
    [i64([[0, 0, 0], [0, 1, 1], [1, 0, 2], [1, 2, 3]]), i64([2, 3, 4]), i64([6, -1])],
    {},
    lambda i, a, b: relay.sparse_reshape(i, a, b),
)
# TVM makes whole numbers of the values.
case(
    "sparse_fill_empty_rows",
    [i64([[0, 1], [0, 3], [2, 0], [3, 1]]), np.round(f(4)), i64([6, 5]), np.float32(9)],
    {},
    lambda i, v, s, d: relay.sparse_fill_empty_rows(i, v, s, d),
)
case(
    "nn.fifo_buffer",
    [f(2, 3), f(5, 3)],
    dict(axis=0),
    lambda d, b: nn.fifo_buffer(d, b, 0),
)
for attrs in (
    dict(max_displacement=2, padding=[2, 2]),
    dict(
        kernel_size=3, max_displacement=2, stride1=2, stride2=2, padding=[1, 2], is_multiply=False
    ),
):
    full = dict(kernel_size=1, max_displacement=1, stride1=1, stride2=1, is_multiply=True)
    full.update(attrs)
    case(
        "nn.correlation",
        [f(1, 2, 6, 7), f(1, 2, 6, 7)],
        attrs,
        lambda a, b: nn.correlation(a, b, layout="NCHW", **full),
    )

# Places outside of the image, and behind its last row.
for attrs, places in (
    (dict(padding=[1, 0, 1, 1]), (5, 6)),
    (dict(strides=[2, 1], dilation=[1, 2], padding=[1, 1, 1, 1]), (3, 6)),
):
    case(
        "nn.deformable_conv2d",
        [f(1, 4, 5, 6), f(1, 12, *places) / 3, f(3, 4, 3, 2)],
        attrs,
        lambda x, o, w: nn.deformable_conv2d(
            x, o, w, kernel_size=(3, 2), channels=3, **attrs
        ),
    )
moved = f(1, 24, 5, 6) / 3
case(
    "nn.deformable_conv2d",
    [f(1, 4, 5, 6), moved, f(3, 4, 3, 2)],
    dict(padding=[1, 0, 1, 1], deformable_groups=2),
    lambda x, o, w: nn.deformable_conv2d(
        x,
        o,
        w,
        kernel_size=(3, 2),
        channels=3,
        padding=[1, 0, 1, 1],
        deformable_groups=2,
    ),
)
bits = rng.integers(0, 8, size=(2, 16, 3)).astype("int32")
for attrs in (
    dict(bits=2, pack_axis=1, bit_axis=2, pack_type="uint8"),
    dict(bits=1, pack_axis=1, bit_axis=0, pack_type="uint16"),
):
    case("nn.bitpack", [bits], attrs, lambda x: nn.bitpack(x, **attrs))

with open(sys.argv[1], "w") as file:
    json.dump(out, file)
