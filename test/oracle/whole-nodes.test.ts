/**
 * X5, X7, X10, X11: a file that is optimized has no more nodes and bytes than it came with. What the
 * import takes apart comes out as the one node, at every level with the default rules, and the bytes of
 * constants do not grow.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinedBytes, mulberry32, orThrow } from '@baton/base';
import { decodeModel } from '@baton/onnx';
import { cast, fromNumbers, shapeSize, type Tensor, toBytes } from '@baton/tensor';
import {
  exportOnnx,
  greedy,
  type IRModule,
  importOnnx,
  optimize,
  passes,
  rewrites,
  runPass,
  sequential,
} from 'batonjs';
import { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { onnxImporters } from '../../packages/onnx/src/catalogue.ts';
import { encodeModel } from '../../packages/onnx/src/encode-model.ts';
import { float, int, ints, text } from '../../packages/onnx/src/operator-api/attribute-values.ts';
import { elementNumber } from '../../packages/onnx/src/protobuf/element-type.ts';
import type { AttributeValue } from '../../packages/onnx/src/protobuf/messages.ts';
import { factsOf } from '../../packages/onnx/src/schemas/schemas.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;
type Shapes = Readonly<Record<string, ReadonlyArray<number>>>;
type DTypeName = 'float32' | 'float16' | 'int64' | 'bool';

interface NodeParts {
  readonly op: string;
  readonly in: ReadonlyArray<string>;
  readonly out: ReadonlyArray<string>;
  readonly attrs?: Attributes;
}

interface ModelParts {
  readonly nodes: ReadonlyArray<NodeParts>;
  readonly inputs: Shapes;
  readonly outputs: ReadonlyArray<string>;
  readonly constants?: Readonly<Record<string, Tensor>>;
  readonly opset?: number;
  /** The element types of inputs and outputs other than float32. */
  readonly types?: Readonly<Record<string, DTypeName>>;
}

function bytesOf({ nodes, inputs, outputs, constants = {}, opset = 18, types = {} }: ModelParts) {
  const value = (name: string, shape: ReadonlyArray<number> | undefined) => ({
    name,
    type: { _tag: 'Tensor', elemType: elementNumber(types[name] ?? 'float32'), shape } as const,
  });
  const graph = {
    name: 'main',
    nodes: nodes.map(({ op, in: given, out, attrs = {} }) => ({
      name: '',
      opType: op,
      domain: '',
      overload: '',
      inputs: given,
      outputs: out,
      attributes: Object.entries(attrs).map(([name, value]) => ({ name, value })),
    })),
    inputs: Object.entries(inputs).map(([name, shape]) => value(name, shape)),
    outputs: outputs.map((name) => value(name, undefined)),
    initializers: Object.entries(constants).map(([name, tensor]) => {
      const file = toBytes(tensor);
      const payload = { _tag: 'Raw', start: 0, end: file.length } as const;
      return { name, dims: tensor.shape, dataType: elementNumber(tensor.dtype), payload, file };
    }),
    sparseInitializers: [],
  };
  const opsetImports = [{ domain: '', version: opset }];
  return joinedBytes(encodeModel({ irVersion: 9, opsetImports, graph, functions: [] }));
}

/** What `baton optimize` makes of a file. */
function optimized(bytes: Uint8Array, level: 0 | 1 | 2 | 3): Uint8Array {
  const keepsSmaller = true;
  const folding = [passes.foldConstant({ keepsSmaller }), passes.deadCodeElimination];
  const all = [optimize({ level, keepsSmaller }), greedy(rewrites.commonSets), ...folding];
  const module: IRModule = orThrow(importOnnx(bytes));
  return orThrow(exportOnnx(orThrow(runPass(sequential(all))(module)).module));
}

const opsOf = (bytes: Uint8Array): ReadonlyArray<string> =>
  (orThrow(decodeModel(bytes, { source: 'test' })).graph?.nodes ?? []).map(({ opType }) => opType);

const LEVELS = [0, 1, 2, 3] as const;

const random = mulberry32(20_261_127);
const floats = (...shape: ReadonlyArray<number>): Tensor =>
  fromNumbers(
    Float64Array.from({ length: shapeSize(shape) }, () => 2 * random() - 1),
    shape,
    'float32',
  );
const integers = (values: ReadonlyArray<number>, shape = [values.length]): Tensor =>
  fromNumbers(Float64Array.from(values), shape, 'int64');

interface Result {
  readonly dims: ReadonlyArray<number>;
  readonly data: ReadonlyArray<number>;
}

/** The results of a file in onnxruntime for the same inputs. */
async function resultsOf(file: Uint8Array, { inputs, outputs }: ModelParts): Promise<Result[]> {
  const session = await InferenceSession.create(file, { logSeverityLevel: 3 });
  const draw = mulberry32(7);
  const feeds = Object.entries(inputs).map(([name, shape]) => {
    const data = Float32Array.from({ length: shapeSize(shape) }, () => 6 * draw() - 3);
    return [name, new RuntimeTensor('float32', data, [...shape])];
  });
  const found = await session.run(Object.fromEntries(feeds));
  await session.release();
  return outputs.map((name) => {
    const { dims, data } = found[name] as RuntimeTensor;
    return { dims, data: Array.from(data as Float32Array, Number) };
  });
}

/** A node with an input x and constants. */
const one = (
  op: string,
  attrs: Attributes = {},
  constants: Readonly<Record<string, Tensor>> = {},
  more: Partial<ModelParts> = {},
): ModelParts => ({
  nodes: [{ op, in: ['x', ...Object.keys(constants)], out: ['y'], attrs }],
  inputs: { x: [2, 3, 4, 5] },
  outputs: ['y'],
  constants,
  opset: 20,
  ...more,
});

/** Every formula of every operator, with numbers in place of `any`. */
const FORMULAS: ReadonlyArray<readonly [string, ModelParts]> = [...onnxImporters.values()]
  .filter(({ domain = '' }) => domain === '')
  .flatMap((operator) => {
    const { opType, formulas = [] } = operator;
    const {
      inputs: [count],
      versions: [since = 1],
    } = factsOf(operator);
    return formulas.map((standIns): readonly [string, ModelParts] => {
      const attrs = Object.entries(standIns).map(([name, value], i): [string, AttributeValue] => [
        name,
        typeof value === 'string' && value !== 'any'
          ? text(value)
          : float(value === 'any' ? 0.25 + 0.5 * i : Number(value)),
      ]);
      const constants = count > 1 ? { s: floats(3, 1, 1) } : {};
      const parts = one(opType, Object.fromEntries(attrs), constants, {
        opset: Math.max(20, since),
      });
      return [`${opType} ${JSON.stringify(standIns)}`, parts];
    });
  })
  // Of these numbers the formulas are other operators, or nothing: x where alpha is 0.
  .filter(([name]) => !/:0|Round|"gamma":1|Celu .*:1|Shrink.*lambd":[01]/.test(name));

const vector = (size: number) => floats(size);

const CASES: ReadonlyArray<readonly [string, ModelParts]> = [
  [
    'LayerNormalization over two axes',
    one('LayerNormalization', { axis: int(2) }, { s: floats(4, 5), b: floats(4, 5) }),
  ],
  [
    'LayerNormalization without a shift',
    one('LayerNormalization', { axis: int(2) }, { s: floats(4, 5) }),
  ],
  ...[
    ['y', 'm'],
    ['y', 'm', 'i'],
    ['y', '', 'i'],
  ].map((out): readonly [string, ModelParts] => [
    `LayerNormalization with results ${out}`,
    {
      nodes: [{ op: 'LayerNormalization', in: ['x', 's', 'b'], out }],
      inputs: { x: [2, 3, 5] },
      outputs: out.filter((name) => name !== ''),
      constants: { s: vector(5), b: vector(5) },
    },
  ]),
  ['RMSNormalization', one('RMSNormalization', { axis: int(-1) }, { s: vector(5) }, { opset: 23 })],
  [
    'GroupNormalization',
    one(
      'GroupNormalization',
      { num_groups: int(3) },
      { s: vector(3), b: vector(3) },
      { opset: 21 },
    ),
  ],
  ['MeanVarianceNormalization', one('MeanVarianceNormalization', { axes: ints([1, 2]) })],
  ['LpNormalization of p 1', one('LpNormalization', { p: int(1), axis: int(1) })],
  ['LpNormalization of p 2', one('LpNormalization', { p: int(2), axis: int(-1) })],
  ...['ReduceL1', 'ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp', 'ReduceSumSquare'].flatMap((op) =>
    [0, 1].map((keep): readonly [string, ModelParts] => [
      `${op} with keepdims ${keep}`,
      one(op, { keepdims: int(keep) }, { a: integers([1, 2]) }),
    ]),
  ),
  ['Hardmax', one('Hardmax', { axis: int(1) })],
  ['CumSum from the end', one('CumSum', { reverse: int(1) }, { a: integers([1], []) })],
  [
    'CumSum of those after',
    one('CumSum', { reverse: int(1), exclusive: int(1) }, { a: integers([1], []) }),
  ],
  ['IsInf of negatives', one('IsInf', { detect_positive: int(0) }, {}, { types: { y: 'bool' } })],
  ['IsInf of positives', one('IsInf', { detect_negative: int(0) }, {}, { types: { y: 'bool' } })],
  ['Max of three', one('Max', {}, { a: floats(3, 1, 1), b: floats(5) })],
  ...['Sum', 'Mean', 'Min'].map((op): readonly [string, ModelParts] => [
    `${op} of three`,
    {
      nodes: [{ op, in: ['x', 'a', 'b'], out: ['y'] }],
      inputs: { x: [2, 3], a: [2, 3], b: [2, 3] },
      outputs: ['y'],
    },
  ]),
  ...[
    ['Gather', { axis: int(1) }, [3]],
    ['GatherElements', { axis: int(1) }, [2, 2]],
    ['GatherND', {}, [3, 2]],
  ].map(([op, attrs, shape]): readonly [string, ModelParts] => [
    `X11: ${op} of indices known at run time`,
    {
      nodes: [{ op: String(op), in: ['x', 'i'], out: ['y'], attrs: attrs as Attributes }],
      inputs: { x: [2, 2], i: shape as number[] },
      outputs: ['y'],
      types: { i: 'int64' },
    },
  ]),
];

describe('X5: an operator that is imported as a formula comes out as the one node', () => {
  test.each([...FORMULAS, ...CASES])('%s', (_, parts) => {
    const bytes = bytesOf(parts);
    const wanted = parts.nodes.map(({ op }) => op);
    expect(LEVELS.map((level) => opsOf(optimized(bytes, level)))).toEqual(LEVELS.map(() => wanted));
  });

  const known = [...FORMULAS, ...CASES].filter(
    ([, { opset = 18, types = {} }]) => opset <= 21 && types.i === undefined,
  );
  test.each(known)('%s computes the same in onnxruntime', async (_, parts) => {
    const bytes = bytesOf(parts);
    const [before, after] = await Promise.all(
      [bytes, optimized(bytes, 3)].map((file) => resultsOf(file, parts)),
    );
    expect(after?.map(({ dims }) => dims)).toEqual(before?.map(({ dims }) => dims));
    for (const [i, { data }] of (before ?? []).entries()) {
      const others = after?.[i]?.data ?? [];
      const far = data.map((value, at) =>
        Object.is(value, others[at]) ? 0 : Math.abs(value - (others[at] ?? Number.NaN)),
      );
      expect(Math.max(...far)).toBeLessThan(1e-4);
    }
  });

  test('also of float16', () => {
    const types = { x: 'float16', y: 'float16' } as const;
    for (const op of [
      'Elu',
      'Selu',
      'Softsign',
      'Mish',
      'Softplus',
      'Gelu',
      'HardSwish',
      'Shrink',
    ]) {
      expect(opsOf(optimized(bytesOf(one(op, {}, {}, { types })), 3)), op).toEqual([op]);
    }
  });

  test('also beside others that share a part of the formula', () => {
    const nodes = ['Elu', 'Selu', 'Exp', 'Sigmoid', 'Abs'].map((op, i) => ({
      op,
      in: ['x'],
      out: [`y${i}`],
    }));
    const parts = { nodes, inputs: { x: [2, 3] }, outputs: nodes.flatMap(({ out }) => out) };
    expect(opsOf(optimized(bytesOf(parts), 3)).toSorted()).toEqual(
      nodes.map(({ op }) => op).toSorted(),
    );
  });
});

const halves = cast(floats(64, 64), 'float16');
const MATRIX = { inputs: { x: [64, 64] }, outputs: ['y'] };
const ADD = { op: 'Add', in: ['x', 'v'], out: ['y'] };
const PRODUCT = { op: 'MatMul', in: ['x', 'v'], out: ['y'] };
const to = (op: string, given: ReadonlyArray<string>, attrs: Attributes = {}): NodeParts => ({
  op,
  in: given,
  out: ['v'],
  attrs,
});
const square = integers([64, 64]);

const GROWING: ReadonlyArray<readonly [string, ModelParts]> = [
  [
    'a cast of float16',
    { ...MATRIX, nodes: [to('Cast', ['w'], { to: int(1) }), PRODUCT], constants: { w: halves } },
  ],
  [
    'a broadcast',
    {
      ...MATRIX,
      nodes: [to('Expand', ['w', 's']), ADD],
      constants: { w: floats(1, 64), s: square },
    },
  ],
  [
    'a tile',
    {
      ...MATRIX,
      nodes: [to('Tile', ['w', 's']), ADD],
      constants: { w: floats(4, 64), s: integers([16, 1]) },
    },
  ],
  [
    'a fill',
    { ...MATRIX, nodes: [to('ConstantOfShape', ['s']), PRODUCT], constants: { s: square } },
  ],
  [
    'a table',
    {
      ...MATRIX,
      nodes: [to('Gather', ['w', 'i']), ADD],
      constants: { w: floats(3, 64), i: integers(Array.from({ length: 64 }, (_, i) => i % 3)) },
    },
  ],
  [
    'rows of one-hot',
    {
      ...MATRIX,
      nodes: [to('OneHot', ['i', 'd', 'p']), ADD],
      constants: {
        i: integers(Array.from({ length: 64 }, (_, i) => (i * 7) % 64)),
        d: integers([64], []),
        p: fromNumbers([0, 1], [2], 'float32'),
      },
    },
  ],
  [
    'an outer product',
    {
      ...MATRIX,
      nodes: [to('Mul', ['a', 'b']), ADD],
      constants: { a: floats(64, 1), b: floats(1, 64) },
    },
  ],
  [
    'padding',
    {
      ...MATRIX,
      nodes: [to('Pad', ['w', 'p']), ADD],
      constants: { w: floats(2, 2), p: integers([31, 31, 31, 31]) },
    },
  ],
  [
    'a constant beside itself',
    {
      ...MATRIX,
      nodes: [to('Concat', ['w', 'w'], { axis: int(0) }), ADD],
      constants: { w: floats(32, 64) },
    },
  ],
  [
    'a triangle',
    {
      ...MATRIX,
      nodes: [{ op: 'ConstantOfShape', in: ['s'], out: ['f'] }, to('Trilu', ['f']), ADD],
      constants: { s: square },
    },
  ],
  [
    'X10: a weight that two scales change',
    {
      ...MATRIX,
      nodes: [
        { op: 'Mul', in: ['w', 'c'], out: ['a'] },
        { op: 'MatMul', in: ['x', 'a'], out: ['b'] },
        { op: 'Mul', in: ['w', 'd'], out: ['e'] },
        { op: 'MatMul', in: ['b', 'e'], out: ['y'] },
      ],
      constants: {
        w: floats(64, 64),
        c: fromNumbers([0.5], [], 'float32'),
        d: fromNumbers([0.3], [], 'float32'),
      },
    },
  ],
  [
    'X10: a weight beside its transpose',
    {
      ...MATRIX,
      nodes: [
        to('Transpose', ['w'], { perm: ints([1, 0]) }),
        { op: 'MatMul', in: ['x', 'v'], out: ['a'] },
        { op: 'MatMul', in: ['a', 'w'], out: ['y'] },
      ],
      constants: { w: floats(64, 64) },
    },
  ],
];

/** Names of nodes and values, which a file without names lacks. */
const NAMES_BYTES = 200;

describe('X7, X10: constants do not grow', () => {
  test.each(GROWING)('%s', (_, parts) => {
    const bytes = bytesOf(parts);
    for (const level of LEVELS) {
      const made = optimized(bytes, level);
      expect(made.length).toBeLessThan(bytes.length + NAMES_BYTES);
      expect(opsOf(made).length).toBeLessThanOrEqual(parts.nodes.length);
    }
  });

  test('X10: equal weights are written once', () => {
    const w = floats(64, 64);
    const nodes = [
      { op: 'MatMul', in: ['x', 'w'], out: ['a'] },
      { op: 'MatMul', in: ['a', 'v'], out: ['y'] },
    ];
    const bytes = bytesOf({
      ...MATRIX,
      nodes,
      constants: { w, v: cast(cast(w, 'float64'), 'float32') },
    });
    expect(optimized(bytes, 3).length).toBeLessThan(0.6 * bytes.length);
  });

  test('a small value of large ones is a constant', () => {
    const nodes = [
      to('Expand', ['w', 's']),
      { op: 'ReduceSum', in: ['v'], out: ['q'] },
      { op: 'Add', in: ['x', 'q'], out: ['y'] },
    ];
    const bytes = bytesOf({ ...MATRIX, nodes, constants: { w: floats(1, 64), s: square } });
    expect(opsOf(optimized(bytes, 3))).toEqual(['Add']);
  });

  const slice = (start: string, end: string, out: string, of = 'w') => ({
    op: 'Slice',
    in: [of, start, end],
    out: [out],
  });
  const places = Object.fromEntries([0, 16, 40, 64].map((at) => [`${at}`, integers([at])]));
  const joined = (given: ReadonlyArray<string>, out = 'v'): NodeParts => ({
    op: 'Concat',
    in: given,
    out: [out],
    attrs: { axis: int(0) },
  });
  const parts = [slice('0', '16', 'a'), slice('16', '40', 'b'), slice('40', '64', 'c')];

  test.each([
    ['joined in another order', [...parts, joined(['b', 'a', 'c'])]],
    [
      'joined through other nodes',
      [
        ...parts,
        { op: 'Neg', in: ['a'], out: ['m'] },
        { op: 'Relu', in: ['b'], out: ['n'] },
        joined(['n', 'm', 'c']),
      ],
    ],
    ['joined in two steps', [...parts, joined(['c', 'a'], 'ca'), joined(['ca', 'b'])]],
  ])('the parts of a weight %s are one constant', (_, nodes) => {
    const bytes = bytesOf({
      ...MATRIX,
      nodes: [...nodes, { op: 'MatMul', in: ['x', 'v'], out: ['y'] }],
      constants: { w: floats(64, 64), ...places },
    });
    const made = optimized(bytes, 3);
    expect(opsOf(made)).toHaveLength(1);
    expect(made.length).toBeLessThan(bytes.length);
  });

  test.each([
    ['the weight', 'w'],
    ['a part', 'p'],
  ])('but not where something else uses %s', (_, used) => {
    const nodes = [
      ...parts,
      joined(['b', 'a', 'c'], 'p'),
      joined(['p', 'p']),
      { op: 'MatMul', in: ['x', used], out: ['z'] },
      joined(['z', 'v'], 'y'),
    ];
    const bytes = bytesOf({ ...MATRIX, nodes, constants: { w: floats(64, 64), ...places } });
    expect(optimized(bytes, 3).length).toBeLessThan(1.05 * bytes.length);
  });

  test('a file with nothing to optimize is at most larger by the name of who wrote it', () => {
    const bytes = bytesOf({ ...MATRIX, nodes: [{ op: 'Relu', in: ['x'], out: ['y'] }] });
    expect(optimized(bytes, 3).length).toBeLessThanOrEqual(bytes.length + 14 + 12);
  });
});

const number = (value: number): Tensor => fromNumbers([value], [], 'float32');
const chain = (...nodes: ReadonlyArray<readonly [string, string, string]>): NodeParts[] =>
  nodes.map(([op, given, out]) => ({ op, in: given.split(' '), out: out.split(' ') }));

const FUSED: ReadonlyArray<readonly [string, ModelParts]> = [
  [
    'Gelu',
    {
      ...MATRIX,
      opset: 17,
      nodes: chain(
        ['Div', 'x root', 'a'],
        ['Erf', 'a', 'b'],
        ['Add', 'b one', 'c'],
        ['Mul', 'x c', 'd'],
        ['Mul', 'd half', 'y'],
      ),
      constants: { root: number(Math.SQRT2), one: number(1), half: number(0.5) },
    },
  ],
  [
    'SimplifiedLayerNormalization',
    {
      ...MATRIX,
      opset: 18,
      nodes: chain(
        ['Pow', 'x two', 'a'],
        ['ReduceMean', 'a last', 'b'],
        ['Add', 'b epsilon', 'c'],
        ['Sqrt', 'c', 'd'],
        ['Div', 'x d', 'e'],
        ['Mul', 'e g', 'y'],
      ),
      constants: { two: number(2), last: integers([-1]), epsilon: number(1e-5), g: floats(64) },
    },
  ],
  [
    'DynamicQuantizeMatMul',
    {
      ...MATRIX,
      opset: 17,
      nodes: [
        ...chain(['DynamicQuantizeLinear', 'x', 'q s z'], ['MatMulInteger', 'q w z', 'a']),
        { op: 'Cast', in: ['a'], out: ['b'], attrs: { to: int(1) } },
        ...chain(['Mul', 's t', 'c'], ['Mul', 'b c', 'y']),
      ],
      constants: {
        w: cast(
          fromNumbers(
            Float64Array.from({ length: 4096 }, (_, i) => (i % 200) - 100),
            [64, 64],
            'float32',
          ),
          'int8',
        ),
        t: number(0.02),
      },
    },
  ],
];

describe('X6: what onnxruntime fuses leaves in a form that it fuses', () => {
  test.each(FUSED)('%s', async (name, parts) => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-'));
    const fusedIn = async (bytes: Uint8Array, file: string): Promise<boolean> => {
      const optimizedModelFilePath = join(folder, file);
      const options = { graphOptimizationLevel: 'extended', logSeverityLevel: 3 } as const;
      const session = await InferenceSession.create(bytes, { ...options, optimizedModelFilePath });
      await session.release();
      return opsOf(new Uint8Array(readFileSync(optimizedModelFilePath))).includes(name);
    };
    const bytes = bytesOf(parts);
    expect(await fusedIn(bytes, 'before.onnx')).toBe(true);
    expect(await fusedIn(optimized(bytes, 3), 'after.onnx')).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
