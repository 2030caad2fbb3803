import {
  call,
  constant,
  type Expr,
  func,
  globalVar,
  type IRModule,
  incompleteType,
  inferTypes,
  irModule,
  opRef,
  type Type,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, countNodes, measureModule, standardOps } from '@baton/ops';
import { full } from '@baton/tensor';
import { expect, test } from 'vitest';
import { perChannelFlops } from '../src/families/convolving.ts';
import { right } from './support.ts';

const ops = standardOps;
const weight = constant(full([4, 3, 1, 1], 'float32', 1));
const bias = (...shape: number[]) => constant(full(shape, 'float32', 1));
const input = () => variable('x', tensorType([1, 3, 2, 5], 'float32'));

function moduleOf(build: (x: Expr) => Expr): IRModule {
  const x = input();
  return right(inferTypes(irModule({ ops, functions: new Map([['main', func([x], build(x))]]) })));
}

const conv = (x: Expr) => callOp(ops, 'nn.conv2d', [x, weight]);
const add = (a: Expr, b: Expr) => callOp(ops, 'add', [a, b]);

test.each<[string, (x: Expr) => Expr, number]>([
  ['a bias_add on a convolution', (x) => callOp(ops, 'nn.bias_add', [conv(x), bias(4)]), 1],
  ['a per-channel add on a convolution', (x) => add(conv(x), bias(4, 1, 1)), 1],
  ['a per-channel add from the left', (x) => add(bias(1, 4, 1, 1), conv(x)), 1],
  ['an add along another axis', (x) => add(conv(x), bias(5)), 2],
  ['an add of a scalar', (x) => add(conv(x), bias()), 2],
  ['an add of something that is no constant', (x) => add(conv(x), conv(x)), 3],
  [
    'an add on a convolution that is used twice',
    (x) => {
      const shared = conv(x);
      return add(add(shared, bias(4, 1, 1)), shared);
    },
    3,
  ],
  [
    'a bias on a relu',
    (x) => callOp(ops, 'nn.bias_add', [callOp(ops, 'nn.relu', [x]), bias(3)]),
    2,
  ],
])('counts %s', (_title, build, nodes) => {
  const m = moduleOf(build);
  expect(countNodes(m)).toBe(nodes);
  expect(measureModule(m).nodes).toBe(nodes);
});

test('measures operations, parameters and results', () => {
  const m = moduleOf((x) => callOp(ops, 'nn.relu', [add(conv(x), bias(4, 1, 1))]));
  expect(measureModule(m)).toEqual({
    nodes: 2,
    kernels: 3,
    byOp: { add: 1, 'nn.conv2d': 1, 'nn.relu': 1 },
    flops: 2 * 40 * 3 + 40 + 40,
    paramBytes: (12 + 4) * 4,
    activationBytes: 3 * 40 * 4,
    bytesMoved: 4 * (30 + 12 + 40 + (40 + 4 + 40) + (40 + 40)),
  });
});

test('a call of a primitive function is one kernel, and unreachable calls are none', () => {
  const p = input();
  const primitive = func([p], callOp(ops, 'nn.relu', [callOp(ops, 'negative', [p])]), {
    attrs: { Primitive: 1 },
  });
  const x = input();
  const y = input();
  const main = func([x], callOp(ops, 'exp', [call(globalVar('fused'), [call(primitive, [x])])]));
  const functions = new Map([
    ['main', main],
    ['fused', func([y], callOp(ops, 'tanh', [y]), { attrs: { Primitive: 1 } })],
    ['unused', func([], callOp(ops, 'zeros', [], { shape: [2], dtype: 'float32' }))],
  ]);
  const m = right(inferTypes(irModule({ ops, functions })));
  const measured = measureModule(m);
  expect(measured.kernels).toBe(3);
  expect(measured.byOp).toEqual({ exp: 1, negative: 1, 'nn.relu': 1, tanh: 1 });
});

test('a chain of 50,000 calls is measured', () => {
  let body: Expr = input();
  const x = body;
  for (let i = 0; i < 50_000; i++) body = call(opRef('negative'), [body], { attrs: {} });
  const m = irModule({
    ops,
    functions: new Map([['main', func([x as ReturnType<typeof input>], body)]]),
  });
  expect(measureModule(m).nodes).toBe(50_000);
});

test('a kernel inside a kernel is no kernel of its own, and its operations count', () => {
  const m = moduleOf((x) => {
    const [y, z] = [input(), input()];
    const inner = func([y], callOp(ops, 'exp', [y]), { attrs: { Primitive: 1 } });
    const outer = func([z], callOp(ops, 'nn.relu', [call(inner, [z])]), {
      attrs: { Primitive: 1 },
    });
    return call(outer, [x]);
  });
  expect(measureModule(m)).toMatchObject({ nodes: 2, kernels: 1, flops: 60 });
});

const depthwise = tensorType([3, 1, 2, 2], 'float32');

test.each<[string, Type | undefined, string, Type | undefined, number]>([
  ['an image by its channels', tensorType([1, 3, 2, 5], 'float32'), 'NCHW', depthwise, 240],
  [
    'an image whose channels come last',
    tensorType([1, 2, 5, 3], 'float32'),
    'NHWC',
    depthwise,
    240,
  ],
  ['no image', undefined, 'NCHW', depthwise, 0],
  [
    'an image of unknown rank',
    tensorType(incompleteType('Shape'), 'float32'),
    'NCHW',
    depthwise,
    0,
  ],
  ['an image in no layout', tensorType([1, 3, 2, 5], 'float32'), 'no layout', depthwise, 0],
  ['an image without channels', tensorType([1, 0, 2, 5], 'float32'), 'NCHW', depthwise, 0],
  ['no weight', tensorType([1, 3, 2, 5], 'float32'), 'NCHW', undefined, 0],
])('operations for each channel: %s', (_, image, layout, of, expected) => {
  expect(perChannelFlops(image, layout, 'NCHW', of)).toBe(expected);
});
