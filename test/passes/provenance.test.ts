/** The nodes that a pass makes name the lines of all nodes that they come from. */
import { orThrow, spanLeaves } from '@baton/base';
import { type Expr, inferTypes, postOrderExprs } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';
import { parseRunLine } from '../golden/run-line.ts';

/** The lines that a node names. */
function linesOf(node: Expr): ReadonlyArray<number> {
  const lines = spanLeaves(node.span).flatMap((l) => (l._tag === 'TextSpan' ? [l.line] : []));
  return [...new Set(lines)].sort((a, b) => a - b);
}

function nameOf(node: Expr): string | undefined {
  if (node._tag === 'Call') return node.op._tag === 'Op' ? node.op.name : 'call';
  if (node._tag === 'TupleGetItem') return `.${node.index}`;
  if (node._tag === 'Constant') return 'constant';
  if (node._tag === 'Tuple') return 'tuple';
  if (node._tag === 'Let') return 'let';
  return node._tag === 'Function' ? 'fn' : undefined;
}

/** The body of `main` after the passes, children first, with the lines of each node. */
function origins(run: string, text: string): ReadonlyArray<string> {
  const whole = `#[version = "0.0.5"]\n${text.trim()}`;
  const m = orThrow(
    inferTypes(orThrow(parseModule(whole, { ops: standardOps, source: 'origins' }))),
  );
  const main = orThrow(runPass(parseRunLine(run))(m)).module.functions.get('main');
  return postOrderExprs(main === undefined ? [] : [main.body]).flatMap((node) => {
    const name = nameOf(node);
    return name === undefined ? [] : [`${name} ${linesOf(node).join(' ')}`];
  });
}

const ROWS: ReadonlyArray<readonly [string, string, string, ReadonlyArray<string>]> = [
  [
    'a bias as a sum',
    'canonicalize-ops',
    `
def @main(%x: Tensor[(1, 2, 3), float32], %b: Tensor[(2), float32]) {
  %0 = exp(%b);
  nn.bias_add(%x, %0)
}`,
    ['exp 3', 'expand_dims 4', 'add 4'],
  ],
  [
    'merged calls and projections',
    'eliminate-common-subexpr',
    `
def @main(%x: Tensor[(2, 2), float32]) {
  %0 = split(%x, indices_or_sections=2);
  %1 = split(%x, indices_or_sections=2);
  %2 = %0.0;
  %3 = %1.0;
  add(%2, %3)
}`,
    ['split 3 4', '.0 5 6', 'add 7'],
  ],
  [
    'folded constants',
    'fold-constant',
    `
def @main(%x: Tensor[(2), float32]) {
  %0 = add(1f,
    2f);
  %1 = (%0,
    3f);
  %2 = %1.0;
  %3 = multiply(%2, 4f);
  %4 = shape_of(
    exp(%x));
  %5 = concatenate((
    meta[relay.Constant][0],
    meta[relay.Constant][1]));
  %6 = split(%5,
    indices_or_sections=2);
  (add(%x, %3), %4, %6)
}
#[metadata]
{"relay.Constant": [{"dtype": "int32", "shape": [1], "data": [1]}, {"dtype": "int32", "shape": [1], "data": [2]}]}`,
    [
      'constant 3 4 8',
      'add 16',
      'constant 9 10',
      'constant 11 12 13 14',
      'constant 11 12 13 14',
      'tuple 11 12 13 14',
      'tuple 16',
    ],
  ],
  [
    'padding',
    'fold-explicit-padding',
    `
def @main(%x: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(2, 2, 3, 3), float32]) {
  %0 = nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]);
  %1 = nn.pad(%0, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [0, 0]]);
  nn.conv2d(%1, %w, kernel_size=[3, 3])
}`,
    ['nn.conv2d 3 4 5'],
  ],
  [
    'a scale that goes down',
    'backward-fold-scale-axis',
    `
def @main(%x: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(2, 2, 1, 1), float32], %s: Tensor[(2, 1, 1), float32], %b: Tensor[(2), float32], %a: Tensor[(2, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, kernel_size=[1, 1]);
  %1 = nn.bias_add(%0, %b);
  %2 = add(%1, %a);
  multiply(%2, %s)
}`,
    [
      'squeeze 6',
      'expand_dims 3 6',
      'multiply 3 6',
      'nn.conv2d 3 6',
      'multiply 4 6',
      'nn.bias_add 4 6',
      'expand_dims 5 6',
      'multiply 5 6',
      'add 5 6',
    ],
  ],
  [
    'a scale that goes into the parts of a concatenation',
    'backward-fold-scale-axis',
    `
def @main(%x: Tensor[(2, 2), float32], %w: Tensor[(1, 2), float32], %s: Tensor[(2), float32]) {
  %0 = nn.dense(%x, %w);
  %1 = nn.dense(%x, %w);
  %2 = concatenate((%0, %1), axis=1);
  multiply(%2, %s)
}`,
    [
      'strided_slice 6',
      'expand_dims 3 6',
      'multiply 3 6',
      'nn.dense 3 6',
      'strided_slice 6',
      'expand_dims 4 6',
      'multiply 4 6',
      'nn.dense 4 6',
      'tuple 5',
      'concatenate 5',
    ],
  ],
  [
    'a scale that goes up',
    'forward-fold-scale-axis',
    `
def @main(%x: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(2, 2, 1, 1), float32], %a: Tensor[(2, 1, 1), float32]) {
  %0 = multiply(%x, meta[relay.Constant][0]);
  %1 = add(%0, %a);
  %2 = nn.relu(%1);
  nn.conv2d(%2, %w, kernel_size=[1, 1])
}
#[metadata]
{"relay.Constant": [{"dtype": "float32", "shape": [2, 1, 1], "data": [1, 2]}]}`,
    [
      'constant 3',
      'squeeze 3',
      'expand_dims 3 4',
      'divide 3 4',
      'add 4',
      'nn.relu 5',
      'expand_dims 3 6',
      'multiply 3 6',
      'nn.conv2d 3 6',
    ],
  ],
  [
    'scales that are concatenated',
    'forward-fold-scale-axis',
    `
def @main(%x: Tensor[(1, 2), float32], %y: Tensor[(1, 1), float32], %w: Tensor[(2, 4), float32]) {
  %0 = multiply(%x, meta[relay.Constant][0]);
  %1 = multiply(%y, meta[relay.Constant][1]);
  %2 = concatenate((%0, %1, %y), axis=1);
  nn.dense(%2, %w)
}
#[metadata]
{"relay.Constant": [{"dtype": "float32", "shape": [2], "data": [1, 2]}, {"dtype": "float32", "shape": [1], "data": [3]}]}`,
    [
      'tuple 5',
      'concatenate 5',
      'constant 3',
      'constant 4',
      'constant 3 4',
      'tuple 3 4',
      'concatenate 3 4',
      'multiply 3 4 6',
      'nn.dense 3 4 6',
    ],
  ],
  [
    'kernels',
    'fuse-ops',
    `
def @main(%x: Tensor[(2), float32]) {
  %0 = exp(%x);
  %1 = add(%0, 1f);
  nn.softmax(%1)
}`,
    ['exp 3', 'constant 4', 'add 4', 'fn 4', 'call 4', 'nn.softmax 5', 'fn 5', 'call 5'],
  ],
  [
    'kernels that are opened',
    'defuse-ops',
    `
def @main(%x: Tensor[(2), float32]) {
  %0 = fn (%p: Tensor[(2), float32], Primitive=1) {
    exp(%p)
  };
  %1 = sin(%x);
  %0(%1)
}`,
    ['sin 6', 'exp 4'],
  ],
  [
    'a body in the place of a call',
    'inline',
    `
def @f(%a: Tensor[(2), float32], Inline=1) -> Tensor[(2), float32] {
  let %b = exp(%a);
  sin(%b)
}
def @main(%x: Tensor[(2), float32]) {
  %0 = cos(%x);
  @f(%0)
}`,
    ['cos 7', 'exp 3', 'sin 4', 'let 3'],
  ],
  [
    'an argument that is bound in front of a body',
    'inline',
    `
def @f(%a: Tensor[(2), float32], Inline=1) -> Tensor[(2), float32] {
  sin(%a)
}
def @main(%x: Tensor[(2), float32]) {
  let %r = ref(%x);
  %0 = ref_read(%r);
  @f(
    %0)
}`,
    ['sin 3', 'let 3 8', 'let 6'],
  ],
  [
    'arguments that are bound in front of a kernel',
    'defuse-ops',
    `
def @main(%x: Tensor[(2), float32]) {
  let %r = ref(%x);
  %0 = fn (%p: Tensor[(2), float32], %q: Tensor[(2), float32], Primitive=1) {
    subtract(%q, %p)
  };
  %0(ref_read(%r),
    ref_read(%r))
}`,
    ['subtract 5', 'let 8', 'let 7', 'let 3'],
  ],
  [
    'a normalization that is spelled out',
    'simplify-inference',
    `
def @main(%x: Tensor[(2, 2), float32], %p: Tensor[(2), float32]) {
  %0 = nn.batch_norm(%x, %p, %p, %p, %p);
  %1 = %0.0;
  nn.l2_normalize(%1, eps=0.001f64, axis=[1])
}`,
    [
      'constant 3 4',
      'constant 3 4',
      'add 3 4',
      'sqrt 3 4',
      'divide 3 4',
      'multiply 3 4',
      'multiply 3 4',
      'negative 3 4',
      'multiply 3 4',
      'add 3 4',
      'add 3 4',
      'multiply 5',
      'sum 5',
      'constant 5',
      'maximum 5',
      'sqrt 5',
      'divide 5',
    ],
  ],
  [
    'chains of constants',
    'simplify-expr',
    `
def @main(%x: Tensor[(2), float32]) {
  %0 = add(%x,
    1f);
  %1 = add(%0,
    2f);
  %2 = multiply(%1,
    3f);
  sin(%2)
}`,
    ['constant 8', 'multiply 3 4 5 6 7 8', 'constant 3 4 5 6 7 8', 'add 3 4 5 6 7 8', 'sin 9'],
  ],
  [
    'a scaled sum of a scaled value',
    'simplify-expr',
    `
def @main(%x: Tensor[(1, 2), float32]) {
  %0 = multiply(%x,
    3f);
  %1 = nn.bias_add(%0,
    meta[relay.Constant][0]);
  %2 = multiply(%1,
    5f);
  sin(%2)
}
#[metadata]
{"relay.Constant": [{"dtype": "float32", "shape": [2], "data": [1, 2]}]}`,
    ['constant 3 4 5 6 7 8', 'multiply 3 4 5 6 7 8', 'constant 5 6 7 8', 'add 5 6 7 8', 'sin 9'],
  ],
  [
    'a sum of twins, a root and a filled operand',
    'simplify-expr',
    `
def @main(%x: Tensor[(2), float32]) {
  %0 = add(%x, %x);
  %1 = sqrt(%0);
  %2 = divide(%x, %1);
  %3 = full(
    7f, shape=[2], dtype="float32");
  maximum(%2, %3)
}`,
    ['constant 3', 'multiply 3', 'rsqrt 4 5', 'multiply 4 5', 'constant 6 7 8', 'maximum 6 7 8'],
  ],
  [
    'shapes',
    'simplify-expr',
    `
def @main(%x: Tensor[(2, 6), float32]) {
  %0 = reshape(%x, newshape=[12]);
  %1 = reshape(%0, newshape=[3, 4]);
  %2 = transpose(%1, axes=[1, 0]);
  %3 = expand_dims(%2, axis=0);
  %4 = transpose(%3, axes=[1, 0, 2]);
  %5 = transpose(%4, axes=[0, 2, 1]);
  sin(%5)
}`,
    ['reshape 3 4', 'transpose 5', 'expand_dims 6', 'transpose 7 8', 'sin 9'],
  ],
  [
    'layouts',
    'simplify-expr',
    `
def @main(%x: Tensor[(1, 4, 2, 2), float32]) {
  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NHWC");
  %1 = layout_transform(%0, src_layout="NHWC", dst_layout="NCHW2c");
  sin(%1)
}`,
    ['layout_transform 3 4', 'sin 5'],
  ],
  [
    'casts',
    'simplify-expr',
    `
def @main(%x: Tensor[(2), int8], %y: Tensor[(2), float32]) {
  %0 = cast(%x, dtype="int16");
  %1 = cast(%0, dtype="float64");
  %2 = clip(%y, a_min=0f64, a_max=9f64);
  %3 = cast(%2, dtype="uint8");
  %4 = cast(%3, dtype="int32");
  (%1, %4)
}`,
    ['cast 3 4', 'clip 5', 'cast 6 7', 'tuple 8'],
  ],
  [
    'results that take their shape from another',
    'simplify-expr',
    `
def @main(%x: Tensor[(2), float32], %y: Tensor[(1, 2), float32]) {
  %0 = zeros_like(%x);
  %1 = reshape_like(%x, %y);
  %2 = collapse_sum_like(%y, %x);
  %3 = cast_like(%x, shape_of(%x));
  (%0, %1, %2, %3)
}`,
    ['zeros 3', 'reshape 4', 'constant 5', 'collapse_sum_to 5', 'cast 6', 'tuple 7'],
  ],
  [
    'a quadratic form',
    'simplify-expr',
    `
def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) {
  %0 = multiply(%x, %x);
  %1 = multiply(%x, %y);
  %2 = multiply(%1,
    3f);
  %3 = multiply(%y, %y);
  %4 = add(%0, %2);
  add(%4, %3)
}`,
    [
      'constant 3 4 5 6 7 8 9',
      'multiply 3 4 5 6 7 8 9',
      'add 3 4 5 6 7 8 9',
      'constant 3 4 5 6 7 8 9',
      'multiply 3 4 5 6 7 8 9',
      'add 3 4 5 6 7 8 9',
      'multiply 3 4 5 6 7 8 9',
    ],
  ],
];

test.each(ROWS)('%s', (_title, run, text, expected) => {
  expect(origins(run, text)).toEqual(expected);
});
