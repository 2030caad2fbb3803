/**
 * Models as they come, with open sizes and in forms that exporters write: each is imported without any
 * size, written again, and both files run in onnxruntime on the same inputs of several sizes.
 */
import { type Diagnostic, fnv1a32, mulberry32, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, type ImportOptions, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import {
  allClose,
  type DType,
  fromNumbers,
  isFloat,
  printShape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { describe, expect, test } from 'vitest';
import {
  type Attribute,
  type FunctionParts,
  type GraphParts,
  graphProto,
  modelBytes,
  type NodeParts,
  type TensorParts,
  type ValueParts,
} from '../../packages/onnx/test/helpers/encode.ts';
import { runElsewhere } from './oracle.ts';

/** Sizes by the names of dimensions. */
type Sizes = Readonly<Record<string, number>>;

/** The rest of a model, and of its import. */
interface Rest {
  readonly opset?: number;
  readonly functions?: ReadonlyArray<FunctionParts>;
  readonly options?: Partial<ImportOptions>;
  /** A graph that computes the same, where onnxruntime does not run the graph itself. */
  readonly like?: GraphParts;
  /** Values of inputs; others are drawn. */
  readonly values?: Readonly<Record<string, ReadonlyArray<number>>>;
  /** The operators of the nodes in the written file. */
  readonly nodes?: ReadonlyArray<string>;
  /** The most nodes that the written file may have. */
  readonly most?: number;
}

/** The codes of the warnings of an import whose file computes the same as the original. */
async function sameAs(
  graph: GraphParts,
  runs: ReadonlyArray<Sizes>,
  { opset = 17, functions = [], options = {}, values = {}, like = graph, nodes, most }: Rest = {},
): Promise<ReadonlyArray<string>> {
  const original = modelBytes(graph, opset, functions);
  const reference = like === graph ? original : modelBytes(like, opset, functions);
  const warnings: Diagnostic[] = [];
  const onWarning = (warning: Diagnostic): void => void warnings.push(warning);
  const m = orThrow(importOnnx(original, { ops: standardOps, onWarning, ...options }));
  const file = orThrow(exportOnnx(m));
  const written = (orThrow(decodeModel(file)).graph?.nodes ?? []).map(({ opType }) => opType);
  if (nodes !== undefined) expect(written).toEqual(nodes);
  if (most !== undefined) expect(written.length, `${written}`).toBeLessThanOrEqual(most);
  for (const sizes of runs) {
    const inputs = new Map(
      (graph.inputs ?? []).map((input) => [input.name, drawn(input, sizes, values[input.name])]),
    );
    const [wanted, found] = [
      await runElsewhere(reference, { inputs }),
      await runElsewhere(file, { inputs }),
    ];
    for (const [name, value] of wanted) {
      const own = found.get(name);
      expect(own && described(own), name).toBe(described(value));
      expect(allClose(own as Tensor, value, TOLERANCE), name).toBe(true);
    }
    const results = leavesOf(orThrow(evaluate(m, [...inputs.values()])));
    for (const [i, [name, value]] of [...wanted].entries()) {
      const own = results[i] as Tensor;
      expect(described(own), `${name} of the interpreter`).toBe(described(value));
      expect(allClose(own, value, TOLERANCE), `${name} of the interpreter`).toBe(true);
    }
  }
  return warnings.map(({ code }) => code);
}

const TOLERANCE = { atol: 1e-5, rtol: 1e-4 };

const described = (t: Tensor): string => `${t.dtype}${printShape(t.shape)}`;

const DTYPES: Readonly<Record<number, DType>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  6: 'int32',
  7: 'int64',
  9: 'bool',
  10: 'float16',
  11: 'float64',
};

/** A value of an input: multiples of an eighth, or small integers. */
function drawn(
  { name, dims = [], type = 1 }: ValueParts,
  sizes: Sizes,
  given?: ReadonlyArray<number>,
): Tensor {
  const dtype = DTYPES[type] ?? 'float32';
  const shape = dims.map((dim) => (typeof dim === 'number' ? dim : (sizes[dim ?? ''] ?? 1)));
  const next = mulberry32(fnv1a32(`${name} ${JSON.stringify(sizes)}`));
  const draw = (): number =>
    isFloat(dtype)
      ? Math.floor(next() * 64) / 8 - 4
      : Math.floor(next() * (dtype === 'bool' ? 2 : 4));
  return fromNumbers(given ?? Array.from({ length: shapeSize(shape) }, draw), shape, dtype);
}

const x = (...dims: ReadonlyArray<number | string>): ValueParts => ({ name: 'x', dims });
const y = (...dims: ReadonlyArray<number | string | null>): ValueParts => ({ name: 'y', dims });
const node = (
  op: string,
  inputs: ReadonlyArray<string>,
  out = 'y',
  attrs: Readonly<Record<string, Attribute>> = {},
): NodeParts => ({ op, in: inputs, out: [out], attrs });
const ints = (name: string, values: ReadonlyArray<number>): TensorParts => ({
  name,
  dims: [values.length],
  ints: values,
});
const graphOf = (parts: GraphParts): Attribute => ({ g: graphProto(parts) });

describe('R: nodes out of order are sorted', () => {
  const two = [{ N: 2 }, { N: 5 }];
  const wrong = [node('Relu', ['b']), node('Neg', ['x'], 'b')];
  const io = { inputs: [x('N', 4)], outputs: [y('N', 4)] };

  test('in the graph', async () => {
    expect(await sameAs({ nodes: wrong, ...io }, two)).toEqual(['ONNX_ORDER']);
  });

  test('all reversed', async () => {
    const names = ['x', 'a', 'b', 'c', 'd', 'y'];
    const ops = ['Neg', 'Abs', 'Exp', 'Relu', 'Tanh'];
    const chain = ops.map((op, i) => node(op, [names[i] ?? ''], names[i + 1]));
    expect(await sameAs({ nodes: chain.reverse(), ...io }, two)).toEqual(['ONNX_ORDER']);
  });

  test('a constant after its use', async () => {
    const nodes = [node('Add', ['x', 'k']), node('Constant', [], 'k', { value_float: { f: 2 } })];
    expect(await sameAs({ nodes, ...io }, two)).toEqual(['ONNX_ORDER']);
  });

  test('a value that only a branch uses, made after the If', async () => {
    const branch = (op: string) =>
      graphOf({ nodes: [node(op, ['b'], 'r')], outputs: [{ name: 'r', dims: ['N', 4] }] });
    const nodes = [
      node('If', ['c'], 'y', { then_branch: branch('Relu'), else_branch: branch('Neg') }),
      node('Exp', ['x'], 'b'),
    ];
    const inputs = [x('N', 4), { name: 'c', dims: [], type: 9 }];
    expect(await sameAs({ nodes, inputs, outputs: io.outputs }, two)).toEqual(['ONNX_ORDER']);
  });

  test('inside a branch', async () => {
    const made = (isSorted: boolean): GraphParts => {
      const branch = (op: string): Attribute => {
        const nodes = [node('Exp', ['x'], 'in'), node(op, ['in'], 'r')];
        return graphOf({
          nodes: isSorted ? nodes : nodes.reverse(),
          outputs: [{ name: 'r', dims: ['N', 4] }],
        });
      };
      const branches = { then_branch: branch('Relu'), else_branch: branch('Neg') };
      const inputs = [x('N', 4), { name: 'c', dims: [], type: 9 }];
      return { nodes: [node('If', ['c'], 'y', branches)], inputs, outputs: io.outputs };
    };
    expect(await sameAs(made(false), two, { like: made(true) })).toEqual(['ONNX_ORDER']);
  });

  test('inside a function', async () => {
    const f = {
      name: 'f',
      domain: 'own',
      inputs: ['p'],
      outputs: ['q'],
      nodes: [node('Relu', ['t'], 'q'), node('Neg', ['p'], 't')],
      opset: 17,
    };
    const nodes = [{ ...node('f', ['x']), domain: 'own' }];
    const like = { nodes: [node('Neg', ['x'], 't'), node('Relu', ['t'])], ...io };
    const found = await sameAs({ nodes, ...io }, two, { functions: [f], like });
    expect(found).toEqual(['ONNX_ORDER']);
  });

  test('names of a branch that later nodes use again are no cycle', async () => {
    const made = (name: string): GraphParts => {
      const branch = (op: string): Attribute =>
        graphOf({
          nodes: [node('Exp', ['x'], name), node(op, [name], 'r')],
          outputs: [{ name: 'r', dims: ['N', 4] }],
        });
      const nodes = [
        node('If', ['c'], 'z', { then_branch: branch('Relu'), else_branch: branch('Neg') }),
        node('Neg', ['z'], 'same'),
        node('Relu', ['same']),
      ];
      const inputs = [x('N', 4), { name: 'c', dims: [], type: 9 }];
      return { nodes, inputs, outputs: io.outputs };
    };
    expect(await sameAs(made('same'), two, { like: made('other') })).toEqual([]);
  });
});

describe('O: Squeeze without axes takes the rank that the model states', () => {
  const some = [{ N: 2 }, { N: 5 }, { N: 3 }];

  test.each([
    ['an output', { inputs: [x('N', 1, 4)], outputs: [y('N', 4)] }, 11],
    ['an output without names', { inputs: [x('N', 1, 4)], outputs: [y(null, null)] }, 11],
    ['from 13 on', { inputs: [x(1, 'N', 1)], outputs: [y('N')] }, 17],
    [
      'halves',
      { inputs: [{ ...x('N', 1, 4), type: 10 }], outputs: [{ ...y('N', 4), type: 10 }] },
      13,
    ],
    [
      'integers',
      { inputs: [{ ...x('N', 4, 1, 1), type: 7 }], outputs: [{ ...y('N', 4), type: 7 }] },
      13,
    ],
  ])('%s', async (_, io, opset) => {
    const warnings = await sameAs({ nodes: [node('Squeeze', ['x'])], ...io }, some, { opset });
    expect(warnings).toEqual(['ONNX_SQUEEZE']);
  });

  test('an open axis that the result does not have', async () => {
    const io = { inputs: [x('one', 'N', 4)], outputs: [y('N', 4)] };
    await sameAs(
      { nodes: [node('Squeeze', ['x'])], ...io },
      some.map((s) => ({ ...s, one: 1 })),
    );
  });

  test('a type of the value in between', async () => {
    const nodes = [node('Squeeze', ['x'], 's'), node('Unsqueeze', ['s', 'ax'])];
    const valueInfos = [{ name: 's', dims: ['N', 4] }];
    const initializers = [ints('ax', [0])];
    await sameAs(
      { nodes, valueInfos, initializers, inputs: [x('N', 1, 4)], outputs: [y(1, 'N', 4)] },
      some,
    );
  });

  test.each([
    ['Transpose', node('Transpose', ['s'], 'y', { perm: { ints: [1, 0] } }), y(4, 'N'), []],
    [
      'Gemm',
      node('Gemm', ['s', 'w']),
      y('N', 2),
      [{ name: 'w', dims: [4, 2], floats: [1, 2, 3, 4, 5, 6, 7, 8] }],
    ],
  ] as const)('what %s needs', async (_, last, out, initializers) => {
    const nodes = [node('Squeeze', ['x'], 'q'), node('Relu', ['q'], 's'), last];
    await sameAs({ nodes, initializers, inputs: [x('N', 1, 4)], outputs: [out] }, some);
  });

  test('in a branch', async () => {
    const branch = (op: string) =>
      graphOf({
        nodes: [node('Squeeze', ['x'], 's'), node(op, ['s'], 'r')],
        outputs: [{ name: 'r', dims: ['N', 4] }],
        valueInfos: [{ name: 's', dims: ['N', 4] }],
      });
    const nodes = [
      node('If', ['c'], 'y', { then_branch: branch('Relu'), else_branch: branch('Neg') }),
    ];
    const inputs = [x('N', 1, 4), { name: 'c', dims: [], type: 9 }];
    await sameAs({ nodes, inputs, outputs: [y('N', 4)] }, some);
  });

  test('an empty list of axes', async () => {
    const nodes = [node('Squeeze', ['x', 'none'])];
    const initializers = [ints('none', [])];
    await sameAs({ nodes, initializers, inputs: [x('N', 1, 4)], outputs: [y('N', 4)] }, some);
  });
});

describe('O: Squeeze without axes stays one node, which does at any size what it did', () => {
  const one = (name: string): TensorParts => ({ name, dims: [], floats: [0.5] });
  const some = [
    { N: 2, M: 3 },
    { N: 5, M: 2 },
  ];
  /** The nodes of the file at a size at which the import's rank is not the run's. */
  const atOne = async (graph: GraphParts): Promise<void> => {
    const original = modelBytes(graph, 13);
    const file = orThrow(exportOnnx(orThrow(importOnnx(original, { ops: standardOps }))));
    const inputs = new Map(
      (graph.inputs ?? []).map((one) => [one.name, drawn(one, { N: 1, M: 1 })]),
    );
    const [wanted] = (await runElsewhere(original, { inputs })).values();
    const [found] = (await runElsewhere(file, { inputs })).values();
    expect(found && described(found)).toBe(wanted && described(wanted));
  };

  test.each([
    ['nothing', ['N', 1, 4], undefined, []],
    ['two open axes', ['N', 1, 'M'], undefined, []],
    ['the rank of the output', ['N', 1, 4], ['N', 4], []],
    ['an output after others', ['N', 1, 4], [null, null], ['Sigmoid', 'Mul', 'Add']],
    ['an output after a slice', ['N', 1, 4], [null, null], ['Mul', 'Relu', 'Sub']],
  ] as const)('%s states the rank', async (_, dims, output, after) => {
    const names = ['s', ...after.map((op) => op.toLowerCase())];
    const nodes = after.map((op, i) =>
      node(
        op,
        ['Sigmoid', 'Relu'].includes(op) ? [names[i] ?? ''] : [names[i] ?? '', 'half'],
        i === after.length - 1 ? 'y' : names[i + 1],
      ),
    );
    const graph = {
      nodes: [node('Squeeze', ['x'], after.length > 0 ? 's' : 'y'), ...nodes],
      inputs: [x(...dims)],
      outputs: [output === undefined ? { name: 'y' } : y(...output)],
      initializers: [one('half')],
    };
    expect(await sameAs(graph, some, { nodes: ['Squeeze', ...after] })).toEqual(['ONNX_SQUEEZE']);
    await atOne(graph);
  });

  test('of a rank that a product needs', async () => {
    const nodes = [
      node('Squeeze', ['x'], 's'),
      node('MatMul', ['s', 'w'], 'm'),
      node('Add', ['m', 'b']),
    ];
    const initializers = [
      { name: 'w', dims: [4, 2], floats: [1, 2, 3, 4, 5, 6, 7, 8] },
      { name: 'b', dims: [2], floats: [1, -1] },
    ];
    const graph = { nodes, initializers, inputs: [x('N', 1, 4)], outputs: [y(null, 2)] };
    expect(await sameAs(graph, some)).toEqual(['ONNX_SQUEEZE']);
  });

  test('the axis goes if a later node does not take it', async () => {
    const nodes = [
      node('Squeeze', ['x'], 's'),
      node('Concat', ['s', 'k'], 'y', { axis: { i: 0 } }),
    ];
    const initializers = [{ name: 'k', dims: [1, 4], floats: [1, 2, 3, 4] }];
    const graph = { nodes, initializers, inputs: [x('N', 3, 4)], outputs: [{ name: 'y' }] };
    const only = [{ N: 1 }];
    expect(await sameAs(graph, only)).toEqual(['ONNX_SQUEEZE']);
  });

  test('where only a batch of one can follow', async () => {
    const weight = (name: string, dims: ReadonlyArray<number>): TensorParts => ({
      name,
      dims,
      floats: Array.from({ length: shapeSize(dims) }, (_, i) => ((i * 7) % 11) / 8 - 0.5),
    });
    const nodes = [
      node('GRU', ['x', 'w', 'r', '', '', 'h'], 'g', { hidden_size: { i: 2 } }),
      node('Squeeze', ['g']),
    ];
    const graph = {
      nodes,
      inputs: [x('T', 'N', 3), { name: 'h', dims: [1, 1, 2] }],
      outputs: [y('N', null)],
      initializers: [weight('w', [1, 6, 3]), weight('r', [1, 6, 2])],
    };
    const runs = [
      { T: 2, N: 1 },
      { T: 5, N: 1 },
    ];
    const found = await sameAs(graph, runs, { nodes: ['GRU', 'Squeeze'] });
    expect(found).toEqual(['ONNX_DIMENSION', 'ONNX_SQUEEZE']);
  });
});

describe('O: a size that a node needs to be a number is that number', () => {
  const weight = (name: string, dims: ReadonlyArray<number>): TensorParts => ({
    name,
    dims,
    floats: Array.from({ length: shapeSize(dims) }, (_, i) => ((i * 7) % 11) / 8 - 0.5),
  });

  test.each([
    ['LSTM', 4, ['h', 'c'], 2],
    ['GRU', 3, ['h'], 1],
    ['RNN', 1, ['h'], 3],
  ])('first states of %s', async (op, gates, states, batch) => {
    const inputs = [x('a', 'b', 3), ...states.map((name) => ({ name, dims: [1, batch, 2] }))];
    const initializers = [weight('w', [1, gates * 2, 3]), weight('r', [1, gates * 2, 2])];
    const nodes = [node(op, ['x', 'w', 'r', '', '', ...states], 'y', { hidden_size: { i: 2 } })];
    const runs = [1, 4].map((a) => ({ a, b: batch }));
    const found = await sameAs({ nodes, inputs, initializers, outputs: [y('a', 1, 'b', 2)] }, runs);
    expect(found).toEqual(['ONNX_DIMENSION']);
  });

  test('a state whose batch is open follows the data', async () => {
    const inputs = [x('a', 2, 3), { name: 'h', dims: [1, 'b', 2] }];
    const initializers = [weight('w', [1, 6, 3]), weight('r', [1, 6, 2])];
    const nodes = [node('GRU', ['x', 'w', 'r', '', '', 'h'], 'y', { hidden_size: { i: 2 } })];
    const runs = [1, 4].map((a) => ({ a, b: 2 }));
    const found = await sameAs({ nodes, inputs, initializers, outputs: [y('a', 1, 2, 2)] }, runs);
    expect(found).toEqual(['ONNX_DIMENSION']);
  });
});

describe('O: a size that a reshape leaves no choice of is that number', () => {
  const batchOf = async (
    nodes: ReadonlyArray<NodeParts>,
    dims: ReadonlyArray<number | string>,
    lists: ReadonlyArray<readonly [string, ReadonlyArray<number>]>,
    runs: ReadonlyArray<Sizes>,
  ): Promise<ReadonlyArray<string>> => {
    const initializers = lists.map(([name, values]) => ints(name, values));
    const outputs = [y(...new Array<null>(4).fill(null))];
    return sameAs({ nodes, inputs: [x(...dims)], outputs, initializers }, runs);
  };
  const one = [1, 5].map((seq) => ({ batch: 1, seq }));
  const size = node('Shape', ['x'], 's', { start: { i: 0 }, end: { i: 1 } });

  test.each([
    ['beside a size of the run', ['seq', 'batch', 12], ['s', 'tail'], [1, 3, 4], one],
    ['in front', ['seq', 'batch', 6, 2], ['s', 'tail'], [3, 2, 2], one],
    ['of more than 1', ['seq', 'batch', 12], ['s', 'tail'], [3, 2, 6], [{ seq: 4, batch: 3 }]],
  ] as const)('%s', async (_, dims, parts, tail, runs) => {
    const nodes = [
      size,
      node('Concat', parts, 'shape', { axis: { i: 0 } }),
      node('Reshape', ['x', 'shape']),
    ];
    expect(await batchOf(nodes, dims, [['tail', tail]], runs)).toEqual(['ONNX_DIMENSION']);
  });

  test.each([
    ['a list', ['batch', 2, 6], [1, 3, 2, 2], 0, [{ batch: 1 }], 1],
    ['copies', [4, 'batch', 6], [0, 1, 2, 3], 0, [{ batch: 1 }], 1],
    ['what remains', ['batch', 2, 6], [1, -1, 2, 2], 0, [{ batch: 1 }, { batch: 3 }], 0],
    ['copies of it', ['batch', 2, 6], [0, 1, 3, 4], 0, [{ batch: 1 }, { batch: 3 }], 0],
  ] as const)('by %s', async (_, dims, list, allowzero, runs, found) => {
    const nodes = [node('Reshape', ['x', 'shape'], 'y', { allowzero: { i: allowzero } })];
    const codes = await batchOf(nodes, dims, [['shape', list]], runs);
    expect(codes).toEqual(new Array<string>(found).fill('ONNX_DIMENSION'));
  });

  test('two names for one size', async () => {
    const nodes = [
      node('Shape', ['z'], 's', { start: { i: 0 }, end: { i: 1 } }),
      node('Concat', ['s', 'tail'], 'shape', { axis: { i: 0 } }),
      node('Reshape', ['x', 'shape']),
    ];
    const inputs = [x('k', 6), { name: 'z', dims: ['l'] }];
    const runs = [1, 4].map((k) => ({ k, l: k }));
    const graph = { nodes, inputs, outputs: [y('l', 2, 3)], initializers: [ints('tail', [2, 3])] };
    expect(await sameAs(graph, runs)).toEqual(['ONNX_DIMENSION']);
  });
});

describe('O: a size that an operand of known size leaves no choice of is that number', () => {
  const w = (...dims: ReadonlyArray<number>): TensorParts => ({
    name: 'w',
    dims,
    floats: Array.from({ length: shapeSize(dims) }, (_, i) => ((i * 7) % 11) / 8 - 0.5),
  });
  const some = [1, 5].map((T) => ({ T, n: 6 }));

  test.each([
    ['MatMul', node('MatMul', ['x', 'w']), ['T', 'n'], w(6, 2)],
    ['MatMul of batches', node('MatMul', ['x', 'w']), ['T', 3, 'n'], w(6, 2)],
    ['MatMul with a vector', node('MatMul', ['x', 'w']), ['T', 'n'], w(6)],
    ['MatMul from the left', node('MatMul', ['w', 'x']), ['n', 'T'], w(2, 6)],
    ['Gemm', node('Gemm', ['x', 'w'], 'y', { transB: { i: 1 } }), ['T', 'n'], w(2, 6)],
    ['Conv', node('Conv', ['x', 'w']), ['T', 'n', 4], w(2, 6, 3)],
    ['Concat', node('Concat', ['x', 'w'], 'y', { axis: { i: 0 } }), ['T', 'n'], w(2, 6)],
  ] as const)('%s', async (_, last, dims, weight) => {
    const rank = last.op === 'Conv' || dims.length === 3 ? 3 : weight.dims.length;
    const outputs = [y(...new Array<null>(rank).fill(null))];
    const graph = { nodes: [last], inputs: [x(...dims)], outputs, initializers: [weight] };
    expect(await sameAs(graph, some)).toEqual(['ONNX_DIMENSION']);
  });

  test.each([
    ['LSTM', 4],
    ['GRU', 3],
    ['RNN', 1],
  ])('the data of %s', async (op, gates) => {
    const weight = (name: string, dims: ReadonlyArray<number>) => ({ ...w(...dims), name });
    const initializers = [weight('w', [1, gates * 2, 6]), weight('r', [1, gates * 2, 2])];
    const nodes = [node(op, ['x', 'w', 'r'], 'y', { hidden_size: { i: 2 } })];
    const graph = { nodes, inputs: [x('T', 1, 'n')], outputs: [y('T', 1, 1, 2)], initializers };
    expect(await sameAs(graph, some)).toEqual(['ONNX_DIMENSION']);
  });

  test('but not of one that broadcasts', async () => {
    const graph = {
      nodes: [node('Add', ['x', 'w'])],
      inputs: [x('T', 'n')],
      outputs: [y('T', 6)],
      initializers: [w(6)],
    };
    expect(await sameAs(graph, [...some, { T: 2, n: 1 }])).toEqual([]);
  });
});

describe('O: sizes that must be equal under two names are one', () => {
  const w = (name: string, dims: ReadonlyArray<number>): TensorParts => ({
    name,
    dims,
    floats: Array.from({ length: shapeSize(dims) }, (_, i) => ((i * 7) % 11) / 8 - 0.5),
  });

  test.each([
    ['LSTM', 4, ['h', 'c']],
    ['GRU', 3, ['h']],
    ['RNN', 1, ['h']],
  ])('first states of %s', async (op, gates, states) => {
    const inputs = [x('a', 'b', 3), ...states.map((name) => ({ name, dims: [1, `b_${name}`, 2] }))];
    const initializers = [w('w', [1, gates * 2, 3]), w('r', [1, gates * 2, 2])];
    const nodes = [node(op, ['x', 'w', 'r', '', '', ...states], 'y', { hidden_size: { i: 2 } })];
    const runs = [1, 3].map((b) => ({ a: 4, b, b_h: b, b_c: b }));
    const found = await sameAs({ nodes, inputs, initializers, outputs: [y('a', 1, 'b', 2)] }, runs);
    expect(found).toEqual(states.map(() => 'ONNX_DIMENSION'));
  });

  test.each([
    ['MatMul', node('MatMul', ['x', 'z']), [3, 'k'], ['l', 2], y(3, 2)],
    ['Gemm', node('Gemm', ['x', 'z']), [3, 'k'], ['l', 2], y(3, 2)],
    ['Concat', node('Concat', ['x', 'z'], 'y', { axis: { i: 1 } }), ['k', 3], ['l', 2], y('k', 5)],
    [
      'Concat in front',
      node('Concat', ['x', 'z'], 'y', { axis: { i: 0 } }),
      [2, 'k'],
      [3, 'l'],
      y(5, 'k'),
    ],
  ] as const)('%s', async (_, last, first, second, out) => {
    const inputs = [x(...first), { name: 'z', dims: second }];
    const found = await sameAs({ nodes: [last], inputs, outputs: [out] }, [
      { k: 1, l: 1 },
      { k: 4, l: 4 },
    ]);
    expect(found).toEqual(['ONNX_DIMENSION']);
  });

  test('sizes that may be 1 keep their names', async () => {
    const inputs = [x('k', 3), { name: 'z', dims: ['l', 3] }];
    const runs = [
      { k: 4, l: 4 },
      { k: 1, l: 4 },
      { k: 4, l: 1 },
    ];
    expect(
      await sameAs({ nodes: [node('Add', ['x', 'z'])], inputs, outputs: [y(null, 3)] }, runs),
    ).toEqual([]);
  });

  test('three names in a row', async () => {
    const nodes = [
      node('Concat', ['x', 'z'], 'a', { axis: { i: 1 } }),
      node('Concat', ['a', 'v'], 'y', { axis: { i: 1 } }),
    ];
    const inputs = [x('k', 3), { name: 'z', dims: ['l', 2] }, { name: 'v', dims: ['m', 2] }];
    const found = await sameAs({ nodes, inputs, outputs: [y('k', 7)] }, [{ k: 4, l: 4, m: 4 }]);
    expect(found.length).toBe(2);
  });
});

describe('R: one scale of shape [1] is for data of any rank', () => {
  const one = (name: string, value: number): TensorParts => ({ name, dims: [1], floats: [value] });
  test.each([
    ['DequantizeLinear', 3, []],
    ['DequantizeLinear', 3, [1]],
    ['DequantizeLinear', 3, [5]],
    ['DequantizeLinear', 2, [2, 3, 4]],
    ['DequantizeLinear', 6, [2, 1]],
    ['QuantizeLinear', 1, []],
    ['QuantizeLinear', 1, [5]],
    ['QuantizeLinear', 1, [2, 3]],
  ])('%s of type %i and shape %j', async (op, type, dims) => {
    const inputs = [{ ...x(...dims), type }];
    const outputs = [{ ...y(...dims), type: op === 'QuantizeLinear' ? 2 : 1 }];
    await sameAs(
      { nodes: [node(op, ['x', 's'])], inputs, outputs, initializers: [one('s', 0.25)] },
      [{}],
    );
  });
});

describe('O: an If that squeezes an open axis', () => {
  /** x without its last axis if that has size 1, as torch writes it. */
  const squeezes = (result: string, data = 'x'): ReadonlyArray<NodeParts> => [
    node('Shape', [data], `${result}_s`),
    node('Gather', [`${result}_s`, 'last'], `${result}_d`),
    node('Equal', [`${result}_d`, 'one'], `${result}_c`),
    node('If', [`${result}_c`], result, {
      then_branch: graphOf({
        nodes: [node('Squeeze', [data, 'ax'], `${result}_t`)],
        outputs: [{ name: `${result}_t`, dims: [null, null] }],
      }),
      else_branch: graphOf({
        nodes: [node('Identity', [data], `${result}_e`)],
        outputs: [{ name: `${result}_e`, dims: [null, null, null] }],
      }),
    }),
  ];
  const scalar = (name: string, value: number): TensorParts => ({ name, dims: [], ints: [value] });
  const consts = [scalar('last', 2), scalar('one', 1), ints('ax', [2])];
  const weight = (name: string, dims: ReadonlyArray<number>): TensorParts => ({
    name,
    dims,
    floats: Array.from({ length: shapeSize(dims) }, (_, i) => ((i * 5) % 7) / 8 - 0.25),
  });
  const ones = [
    { N: 2, L: 1 },
    { N: 3, L: 1 },
  ];

  test.each([
    ['two axes', y('N', 4), ones],
    [
      'three axes',
      y('N', 4, null),
      [
        { N: 2, L: 3 },
        { N: 1, L: 2 },
      ],
    ],
  ] as const)('the stated rank of the output: %s', async (_, output, runs) => {
    const graph = {
      nodes: squeezes('y'),
      inputs: [x('N', 4, 'L')],
      outputs: [output],
      initializers: consts,
    };
    expect(await sameAs(graph, runs)).toEqual(['ONNX_BRANCH']);
  });

  test('a node that takes one rank', async () => {
    const graph = {
      nodes: [...squeezes('q'), node('Gemm', ['q', 'w'])],
      inputs: [x('N', 4, 'L')],
      outputs: [y('N', 2)],
      initializers: [...consts, weight('w', [4, 2])],
    };
    expect(await sameAs(graph, ones)).toEqual(['ONNX_BRANCH']);
  });

  test('a later node that no run gets past with the other branch', async () => {
    const graph = {
      nodes: [
        ...squeezes('q'),
        node('Unsqueeze', ['q', 'front'], 'u'),
        node('Shape', ['u'], 'us'),
        node('Reshape', ['u', 'us'], 'v'),
        { op: 'LSTM', in: ['v', 'w', 'r'], out: ['y'], attrs: { hidden_size: { i: 2 } } },
      ],
      inputs: [x('N', 4, 'L')],
      outputs: [y(1, 1, 'N', 2)],
      initializers: [...consts, ints('front', [0]), weight('w', [1, 8, 4]), weight('r', [1, 8, 2])],
    };
    expect(await sameAs(graph, ones)).toEqual(['ONNX_BRANCH']);
  });

  test('one in each branch of an If', async () => {
    const side = (name: string, last: string): Attribute =>
      graphOf({
        nodes: [
          ...squeezes(`${name}q`),
          node('Concat', [`${name}q`, 'z'], `${name}m`, { axis: { i: 1 } }),
          node('Flatten', [`${name}m`], `${name}f`),
          node(last, [`${name}f`], `${name}r`),
        ],
        outputs: [{ name: `${name}r`, dims: ['N', 6] }],
      });
    const graph = {
      nodes: [
        node('If', ['c'], 'y', { then_branch: side('a', 'Relu'), else_branch: side('b', 'Neg') }),
      ],
      inputs: [x('N', 4, 'L'), { name: 'z', dims: ['N', 2] }, { name: 'c', dims: [], type: 9 }],
      outputs: [y('N', 6)],
      initializers: consts,
    };
    expect(await sameAs(graph, ones)).toEqual(['ONNX_BRANCH', 'ONNX_BRANCH']);
  });

  const problems = (graph: GraphParts): ReadonlyArray<Diagnostic> => {
    const m = importOnnx(modelBytes(graph, 17), { ops: standardOps });
    return m._tag === 'Left' ? m.left : [];
  };

  test('a result that may have either rank is refused, with the sizes to give', () => {
    const [first] = problems({
      nodes: [...squeezes('q'), node('ReduceSum', ['q'], 'y', { keepdims: { i: 0 } })],
      inputs: [x('N', 4, 'L')],
      outputs: [y()],
      initializers: consts,
    });
    expect(first?.code).toBe('ONNX_BRANCH');
    expect(first?.hint).toContain('the model leaves N, L open');
  });

  test('a node in a branch that runs may leave out decides nothing', () => {
    const after = (op: NodeParts): Attribute =>
      graphOf({ nodes: [op], outputs: [{ name: op.out?.[0] ?? '', dims: [] }] });
    const sum = (out: string): NodeParts => node('ReduceSum', ['q'], out, { keepdims: { i: 0 } });
    const [first] = problems({
      nodes: [
        ...squeezes('q'),
        node('If', ['c'], 'y', {
          then_branch: graphOf({
            nodes: [
              node('Concat', ['q', 'z'], 'm', { axis: { i: 1 } }),
              node('ReduceSum', ['m'], 'ms', { keepdims: { i: 0 } }),
            ],
            outputs: [{ name: 'ms', dims: [] }],
          }),
          else_branch: after(sum('es')),
        }),
      ],
      inputs: [x('N', 4, 'L'), { name: 'z', dims: ['N', 2] }, { name: 'c', dims: [], type: 9 }],
      outputs: [y()],
      initializers: consts,
    });
    expect(first?.code).toBe('ONNX_BRANCH');
  });

  test('equal sizes that only a branch needs stay two names', async () => {
    const graph = {
      nodes: [
        node('If', ['c'], 'y', {
          then_branch: graphOf({
            nodes: [node('MatMul', ['x', 'z'], 't')],
            outputs: [{ name: 't', dims: [null, null] }],
          }),
          else_branch: graphOf({
            nodes: [node('Neg', ['x'], 'e')],
            outputs: [{ name: 'e', dims: [null, null] }],
          }),
        }),
      ],
      inputs: [x(2, 'k'), { name: 'z', dims: ['l', 2] }, { name: 'c', dims: [], type: 9 }],
      outputs: [y(2, null)],
    };
    const runs = [{ k: 4, l: 3 }];
    expect(await sameAs(graph, runs, { values: { c: [0] } })).toEqual([]);
  });
});

describe('O: widths and numbers that are computed from a shape', () => {
  const end = (axis: number): NodeParts =>
    node('Shape', ['x'], 's', { start: { i: axis }, end: { i: axis + 1 } });
  const some = [
    { A: 2, N: 5 },
    { A: 3, N: 8 },
    { A: 1, N: 1 },
  ];

  test.each([
    ['the last of two axes', x(1, 'N'), y(1, null), 1, ['zzz', 'm']],
    ['the first axis', x('N', 2), y(null, 2), 0, ['m', 'zzz']],
    ['the last of three axes', x('A', 3, 'N'), y('A', 3, null), 2, ['zz', 'm', 'zzz']],
  ] as const)('Pad of %s', async (_, input, output, axis, parts) => {
    const graph = {
      nodes: [
        end(axis),
        node('Mod', ['s', 'four'], 'm'),
        node('Concat', parts, 'p', { axis: { i: 0 } }),
        node('Pad', ['x', 'p']),
      ],
      inputs: [input],
      outputs: [output],
      initializers: [ints('four', [4]), ints('zz', [0, 0]), ints('zzz', [0, 0, 0])],
    };
    await sameAs(graph, some);
  });

  test.each([
    ['constant', 1, [1, 0, 2, 1]],
    ['edge', 1, [0, 2, 1, 0]],
    ['reflect', 1, [1, 1, 1, 1]],
    ['constant', 7, [0, 3, 0, 0]],
    ['constant', 11, [2, 0, 0, 0]],
  ])('Pad in mode %s of type %i by widths of the data', async (mode, type, pads) => {
    const graph = {
      nodes: [node('Pad', ['x', 'p'], 'y', { mode: { s: mode } })],
      inputs: [
        { ...x('A', 'N'), type },
        { name: 'p', dims: [4], type: 7 },
      ],
      outputs: [{ ...y(null, null), type }],
    };
    await sameAs(
      graph,
      [
        { A: 2, N: 5 },
        { A: 3, N: 4 },
      ],
      { values: { p: pads } },
    );
  });

  test('Pad of listed axes', async () => {
    const graph = {
      nodes: [
        end(2),
        node('Concat', ['s', 's'], 'p', { axis: { i: 0 } }),
        node('Pad', ['x', 'p', '', 'ax']),
      ],
      inputs: [x('A', 3, 'N')],
      outputs: [y('A', 3, null)],
      initializers: [ints('ax', [-1])],
    };
    await sameAs(graph, some, { opset: 18 });
  });

  test('a convolution of padded data of known channels', async () => {
    const graph = {
      nodes: [
        end(2),
        node('Concat', ['z5', 's'], 'p', { axis: { i: 0 } }),
        node('Pad', ['x', 'p'], 'q'),
        node('Conv', ['q', 'w']),
      ],
      inputs: [x(1, 2, 'N')],
      outputs: [y(1, 1, null)],
      initializers: [
        ints('z5', [0, 0, 0, 0, 0]),
        { name: 'w', dims: [1, 2, 2], floats: [1, 2, 3, 4] },
      ],
    };
    await sameAs(graph, some);
  });

  test.each([
    ['all', [node('Identity', ['s'], 'k')], 1, 1],
    ['half', [node('Add', ['s', 'one'], 'a'), node('Div', ['a', 'two'], 'k')], 1, 0],
    ['at most two', [node('Min', ['s', 'two'], 'k')], 0, 1],
  ] as const)('TopK of %s', async (_, between, axis, largest) => {
    const graph = {
      nodes: [
        end(axis),
        ...between,
        {
          op: 'TopK',
          in: ['x', 'k'],
          out: ['y', 'i'],
          attrs: { axis: { i: axis }, largest: { i: largest } },
        },
      ],
      inputs: [x('A', 'N')],
      outputs: [y(null, null), { name: 'i', dims: [null, null], type: 7 }],
      initializers: [ints('one', [1]), ints('two', [2])],
    };
    await sameAs(graph, some);
  });
});

describe('O: auto_pad SAME of stride 1 does not depend on the size', () => {
  const some = [
    { B: 1, H: 5, W: 6 },
    { B: 2, H: 3, W: 1 },
  ];
  const pad = (upper: boolean): Attribute => ({ s: upper ? 'SAME_UPPER' : 'SAME_LOWER' });
  test.each([
    [true, [1, 1, 3, 3]],
    [true, [1, 1, 2, 4]],
    [false, [1, 1, 2, 3]],
  ])('Conv, upper: %s, of weights %j', async (upper, dims) => {
    const floats = Array.from({ length: shapeSize(dims) }, (_, i) => i / 4 - 1);
    const graph = {
      nodes: [node('Conv', ['x', 'w'], 'y', { auto_pad: pad(upper) })],
      inputs: [x('B', 1, 'H', 'W')],
      outputs: [y('B', 1, 'H', 'W')],
      initializers: [{ name: 'w', dims, floats }],
    };
    await sameAs(graph, some);
  });

  test.each(['MaxPool', 'AveragePool'])('%s', async (op) => {
    const attrs = { auto_pad: pad(true), kernel_shape: { ints: [3, 2] } };
    const graph = {
      nodes: [node(op, ['x'], 'y', attrs)],
      inputs: [x('B', 1, 'H', 'W')],
      outputs: [y('B', 1, 'H', 'W')],
    };
    await sameAs(graph, some);
  });

  test('stride 2 of a size that is a multiple of 2', async () => {
    const graph = {
      nodes: [
        node('Concat', ['x', 'x'], 'd', { axis: { i: 2 } }),
        node('MaxPool', ['d'], 'y', {
          auto_pad: pad(true),
          kernel_shape: { ints: [3] },
          strides: { ints: [2] },
        }),
      ],
      inputs: [x('B', 1, 'H')],
      outputs: [y('B', 1, null)],
    };
    await sameAs(graph, some);
  });
});

describe('O: auto_pad SAME of any stride pads as the run says, and stays one node', () => {
  const image = [
    { B: 1, H: 5, W: 6 },
    { B: 2, H: 4, W: 1 },
    { B: 1, H: 7, W: 9 },
  ];
  const spatial = ['H', 'W', 'D'];
  const windows = (
    auto: string,
    kernel: ReadonlyArray<number>,
    strides: ReadonlyArray<number>,
    dilations?: ReadonlyArray<number>,
  ): Readonly<Record<string, Attribute>> => ({
    auto_pad: { s: auto },
    kernel_shape: { ints: kernel },
    strides: { ints: strides },
    ...(dilations && { dilations: { ints: dilations } }),
  });
  const weight = (dims: ReadonlyArray<number>, name = 'w'): TensorParts => ({
    name,
    dims,
    floats: Array.from({ length: shapeSize(dims) }, (_, i) => ((i * 7) % 11) / 8 - 0.5),
  });
  const opens = (count: number): ReadonlyArray<null> => new Array<null>(count).fill(null);

  test.each([
    ['SAME_UPPER', [3, 3], [2, 2], undefined, 17],
    ['SAME_LOWER', [3, 2], [2, 3], undefined, 11],
    ['SAME_UPPER', [2, 5], [3, 1], undefined, 9],
    ['SAME_UPPER', [3, 2], [2, 2], [1, 1], 22],
    ['SAME_LOWER', [4], [2], undefined, 17],
    ['SAME_UPPER', [2, 2, 2], [2, 2, 2], undefined, 17],
    ['SAME_UPPER', [2, 3], [3, 4], undefined, 17],
  ] as const)('Conv %s of windows %j, strides %j, dilations %j, set %i', async (...given) => {
    const [auto, kernel, strides, dilations, opset] = given;
    const dims = ['B', 2, ...spatial.slice(0, kernel.length)];
    const graph = {
      nodes: [node('Conv', ['x', 'w', 'b'], 'y', windows(auto, kernel, strides, dilations))],
      inputs: [x(...dims)],
      outputs: [y('B', 3, ...opens(kernel.length))],
      initializers: [weight([3, 2, ...kernel]), weight([3], 'b')],
    };
    const runs = image.map((sizes) => ({ ...sizes, D: 3 }));
    await sameAs(graph, runs, { opset, nodes: ['Conv'] });
  });

  test.each([
    ['MaxPool', 'SAME_UPPER', {}, 1, 12],
    ['MaxPool', 'SAME_LOWER', { ceil_mode: { i: 1 } }, 1, 17],
    ['MaxPool', 'SAME_UPPER', {}, 2, 12],
    ['MaxPool', 'SAME_UPPER', {}, 3, 12],
    ['AveragePool', 'SAME_UPPER', {}, 1, 17],
    ['AveragePool', 'SAME_LOWER', {}, 1, 17],
    ['AveragePool', 'SAME_UPPER', { count_include_pad: { i: 1 } }, 1, 11],
    ['LpPool', 'SAME_UPPER', { p: { i: 3 } }, 1, 18],
  ] as const)('%s %s %j of type %i, set %i', async (op, auto, attrs, type, opset) => {
    const graph = {
      nodes: [node(op, ['x'], 'y', { ...windows(auto, [3, 2], [2, 2]), ...attrs })],
      inputs: [{ ...x('B', 2, 'H', 'W'), type }],
      outputs: [{ ...y('B', 2, null, null), type }],
    };
    await sameAs(graph, image, { opset, nodes: [op] });
  });

  test('a window of one place needs no padding', async () => {
    const graph = {
      nodes: [
        node('Conv', ['x', 'w'], 'y', { auto_pad: { s: 'SAME_UPPER' }, strides: { ints: [2, 2] } }),
      ],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 3, null, null)],
      initializers: [weight([3, 2, 1, 1])],
    };
    await sameAs(graph, image, { nodes: ['Conv'] });
  });

  test.each(['SAME_UPPER', 'SAME_LOWER'])('ConvTranspose %s', async (auto) => {
    const graph = {
      nodes: [node('ConvTranspose', ['x', 'w'], 'y', windows(auto, [3, 4], [2, 2]))],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 3, null, null)],
      initializers: [weight([2, 3, 3, 4])],
    };
    await sameAs(graph, image, { nodes: ['ConvTranspose'] });
  });

  test('in a chain, whose nodes stay as many', async () => {
    const graph = {
      nodes: [
        node('Conv', ['x', 'w'], 'c', windows('SAME_UPPER', [3, 3], [2, 2])),
        node('Relu', ['c'], 'r'),
        node('MaxPool', ['r'], 'm', windows('SAME_UPPER', [3, 3], [2, 2])),
        node('GlobalAveragePool', ['m']),
      ],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 3, 1, 1)],
      initializers: [weight([3, 2, 3, 3])],
    };
    await sameAs(graph, image, { nodes: ['Conv', 'Relu', 'MaxPool', 'GlobalAveragePool'] });
  });
});

describe('O: a Resize of sizes that only the run knows stays one node', () => {
  const image = [
    { B: 1, H: 5, W: 6 },
    { B: 2, H: 4, W: 3 },
    { B: 1, H: 2, W: 7 },
  ];
  const texts = (given: Readonly<Record<string, string>>): Readonly<Record<string, Attribute>> =>
    Object.fromEntries(Object.entries(given).map(([name, s]) => [name, { s }]));
  const floats = (name: string, values: ReadonlyArray<number>): TensorParts => ({
    name,
    dims: [values.length],
    floats: values,
  });

  test.each([
    [[1, 1, 2, 2], { mode: 'nearest' }, 17],
    [
      [1, 1, 2, 3],
      { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
      12,
    ],
    [[1, 1, 2, 2], { mode: 'nearest', coordinate_transformation_mode: 'asymmetric' }, 13],
    [[1, 1, 2, 2], { mode: 'linear' }, 17],
    [[1, 1, 3, 2], { mode: 'linear', coordinate_transformation_mode: 'asymmetric' }, 17],
    [[1, 1, 2, 2], { mode: 'linear', coordinate_transformation_mode: 'align_corners' }, 11],
    [[1, 1, 2, 2], { mode: 'linear', coordinate_transformation_mode: 'pytorch_half_pixel' }, 11],
    [[1, 1, 1.5, 0.7], { mode: 'linear' }, 18],
    [[1, 1, 0.5, 1], { mode: 'nearest', nearest_mode: 'ceil' }, 17],
    [[1, 1, 2, 2], { mode: 'cubic' }, 17],
    [[1, 1, 1.5, 2], { mode: 'cubic', coordinate_transformation_mode: 'asymmetric' }, 19],
    [[1, 1, 2, 2], { mode: 'linear', coordinate_transformation_mode: 'half_pixel_symmetric' }, 19],
  ] as const)('by %j with %j, set %i', async (scales, attrs, opset) => {
    const graph = {
      // Before 13 the region may not be left out.
      nodes: [node('Resize', ['x', opset < 13 ? 'roi' : '', 's'], 'y', texts(attrs))],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 2, null, null)],
      initializers: [floats('s', scales), floats('roi', [])],
    };
    await sameAs(graph, image, { opset, nodes: ['Resize'] });
  });

  test.each([
    ['Upsample', 9, [1, 1, 2, 2], 'nearest'],
    ['Upsample', 9, [1, 1, 1.5, 2], 'linear'],
    ['Resize', 10, [1, 1, 2, 2], 'nearest'],
    ['Resize', 10, [1, 1, 0.5, 0.6], 'nearest'],
    ['Resize', 10, [1, 1, 2, 2], 'linear'],
  ] as const)('%s of set %i by %j, %s', async (op, opset, scales, mode) => {
    const graph = {
      nodes: [node(op, ['x', 's'], 'y', texts({ mode }))],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 2, null, null)],
      initializers: [floats('s', scales)],
    };
    await sameAs(graph, image, { opset, nodes: ['Resize'] });
  });

  // The axis that stays has a size that only the run knows, the other one is known.
  describe.each([
    ['width', ['B', 2, 4, 'W'], [1, 1, 2, 1], [1, 1, 1.5, 1]],
    ['height', ['B', 2, 'H', 6], [1, 1, 1, 3], [1, 1, 1, 0.5]],
    ['length', ['H', 2, 5, 'W'], [1, 1, 3, 1], [1, 1, 0.6, 1]],
    ['middle', ['B', 4, 'H', 3], [1, 2, 1, 1], [1, 1.25, 1, 1]],
    ['depth', ['B', 2, 4, 'H', 4], [1, 1, 2, 1, 2], [1, 1, 1.5, 1, 0.5]],
  ] as const)('beside a %s that stays', (_, dims, whole, part) => {
    const graphWith = (
      op: string,
      inputs: ReadonlyArray<string>,
      given: TensorParts,
      attrs = {},
    ) => ({
      nodes: [node(op, inputs, 'y', attrs)],
      inputs: [x(...dims)],
      outputs: [y(...dims.map(() => null))],
      initializers: [given],
    });

    test.each([
      [
        17,
        { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
      ],
      [17, { mode: 'nearest' }],
      [17, { mode: 'linear' }],
      [13, { mode: 'linear', coordinate_transformation_mode: 'asymmetric' }],
      [17, { mode: 'linear', coordinate_transformation_mode: 'align_corners' }],
    ] as const)('Resize of set %i with %j', async (opset, attrs) => {
      for (const scales of [whole, part]) {
        const graph = graphWith('Resize', ['x', '', 's'], floats('s', scales), texts(attrs));
        await sameAs(graph, image, { opset, most: 1 });
      }
    });

    const early = [
      ['Upsample', 9, 'nearest'],
      ['Resize', 10, 'nearest'],
      ['Upsample', 9, 'linear'],
    ] as const;
    // onnxruntime interpolates volumes of these sets over their last axes alone.
    test.each(early.filter(([, , mode]) => mode === 'nearest' || dims.length === 4))(
      '%s of set %i, %s',
      async (op, opset, mode) => {
        const graph = graphWith(op, ['x', 's'], floats('s', whole), texts({ mode }));
        await sameAs(graph, image, { opset });
      },
    );
  });

  test('Upsample whose scales are an attribute', async () => {
    const graph = {
      nodes: [
        node('Upsample', ['x'], 'y', { mode: { s: 'nearest' }, scales: { floats: [1, 1, 2, 3] } }),
      ],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 2, null, null)],
    };
    await sameAs(graph, image, { opset: 7, nodes: ['Resize'] });
  });

  test.each([
    ['bytes', 2, { mode: 'nearest' }],
    ['integers', 6, { mode: 'nearest', coordinate_transformation_mode: 'asymmetric' }],
    ['halves', 10, { mode: 'nearest', nearest_mode: 'floor' }],
  ] as const)('of %s', async (_, type, attrs) => {
    const graph = {
      nodes: [node('Resize', ['x', '', 's'], 'y', texts(attrs))],
      inputs: [{ ...x('B', 2, 'H', 'W'), type }],
      outputs: [{ ...y('B', 2, null, null), type }],
      initializers: [floats('s', [1, 1, 1.5, 2])],
    };
    await sameAs(graph, image, { nodes: ['Resize'] });
  });

  test.each([
    ['one axis', ['B', 2, 'H'], [1, 1, 2]],
    ['a volume', ['B', 1, 'H', 'W', 3], [1, 1, 2, 2, 2]],
    ['a matrix', ['H', 'W'], [2, 1.5]],
    ['channels last', ['B', 'H', 'W', 2], [1, 2, 2, 1]],
  ] as const)('of %s', async (_, dims, scales) => {
    const graph = {
      nodes: [node('Resize', ['x', '', 's'], 'y', texts({ mode: 'nearest' }))],
      inputs: [x(...dims)],
      outputs: [y(...dims.map(() => null))],
      initializers: [floats('s', scales)],
    };
    await sameAs(graph, image, { nodes: ['Resize'] });
  });

  test.each(['nearest', 'linear'])('%s to the sizes of another tensor', async (mode) => {
    const graph = {
      nodes: [
        node('Shape', ['z'], 'zs'),
        node('Slice', ['zs', 'two', 'four'], 'hw'),
        node('Shape', ['x'], 'xs'),
        node('Slice', ['xs', 'zero', 'two'], 'bc'),
        node('Concat', ['bc', 'hw'], 'sizes', { axis: { i: 0 } }),
        node('Resize', ['x', '', '', 'sizes'], 'u', texts({ mode })),
        node('Concat', ['u', 'z'], 'y', { axis: { i: 1 } }),
      ],
      inputs: [x('B', 2, 'H', 'W'), { name: 'z', dims: ['B', 1, 'K', 'L'] }],
      outputs: [y('B', 3, null, null)],
      initializers: [ints('zero', [0]), ints('two', [2]), ints('four', [4])],
    };
    await sameAs(
      graph,
      image.map((sizes) => ({ ...sizes, K: sizes.H * 2, L: sizes.W + 3 })),
    );
  });

  test('to sizes that are twice its own', async () => {
    const graph = {
      nodes: [
        node('Shape', ['x'], 'xs'),
        node('Mul', ['xs', 'by'], 'sizes'),
        node('Resize', ['x', '', '', 'sizes'], 'y', texts({ mode: 'nearest' })),
      ],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 2, null, null)],
      initializers: [ints('by', [1, 1, 2, 2])],
    };
    await sameAs(graph, image, { nodes: ['Resize'] });
  });

  test.each([17, 10, 9])('by scales that the graph computes, set %i', async (opset) => {
    const op = opset === 9 ? 'Upsample' : 'Resize';
    const graph = {
      nodes: [
        node('Shape', ['z'], 'zs'),
        node('Cast', ['zs'], 'zf', { to: { i: 1 } }),
        node('Shape', ['x'], 'xs'),
        node('Cast', ['xs'], 'xf', { to: { i: 1 } }),
        node('Div', ['zf', 'xf'], 's'),
        node(op, opset > 10 ? ['x', '', 's'] : ['x', 's'], 'y', texts({ mode: 'nearest' })),
      ],
      inputs: [x('B', 2, 'H', 'W'), { name: 'z', dims: ['B', 2, 'K', 'L'] }],
      outputs: [y('B', 2, null, null)],
    };
    await sameAs(
      graph,
      image.map((sizes) => ({ ...sizes, K: sizes.H * 2, L: sizes.W * 4 })),
      { opset },
    );
  });

  test.each([
    ['of some axes', 18, { axes: { ints: [3, 2] } }, [8, 9]],
    [
      'not larger',
      18,
      { axes: { ints: [2, 3] }, keep_aspect_ratio_policy: { s: 'not_larger' } },
      [8, 9],
    ],
    [
      'not smaller',
      18,
      { axes: { ints: [2, 3] }, keep_aspect_ratio_policy: { s: 'not_smaller' } },
      [8, 9],
    ],
  ] as const)('to constant sizes %s', async (_, opset, attrs, sizes) => {
    const graph = {
      nodes: [node('Resize', ['x', '', '', 's'], 'y', { mode: { s: 'linear' }, ...attrs })],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 2, null, null)],
      initializers: [ints('s', sizes)],
    };
    await sameAs(graph, image, { opset, nodes: ['Resize'] });
  });

  // Where a size stays, onnxruntime does not crop.
  test('of a crop', async () => {
    const attrs = texts({ mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize' });
    const graph = {
      nodes: [
        node('Resize', ['x', 'roi', '', 's'], 'y', { ...attrs, extrapolation_value: { f: 7 } }),
      ],
      inputs: [x(1, 2, 'H', 'W')],
      outputs: [y(1, 2, null, null)],
      initializers: [ints('s', [1, 2, 3, 5]), floats('roi', [0, 0, 0.25, -0.5, 1, 1, 0.75, 1.25])],
    };
    await sameAs(graph, image, { nodes: ['Resize'] });
  });

  test('antialiased', async () => {
    const graph = {
      nodes: [node('Resize', ['x', '', 's'], 'y', { mode: { s: 'linear' }, antialias: { i: 1 } })],
      inputs: [x('B', 2, 'H', 'W')],
      outputs: [y('B', 2, null, null)],
      initializers: [floats('s', [1, 1, 0.5, 0.5])],
    };
    await sameAs(
      graph,
      [
        { B: 1, H: 6, W: 8 },
        { B: 2, H: 4, W: 10 },
      ],
      { opset: 18, nodes: ['Resize'] },
    );
  });
});

describe('O: what is known of a shape in part is used', () => {
  const runs = [{ N: 2 }, { N: 5 }, { N: 8 }];
  // A pool of stride 2 makes a size without a name.
  const pooled: NodeParts = node('MaxPool', ['x'], 'p', {
    kernel_shape: { ints: [1, 2] },
    strides: { ints: [1, 2] },
  });
  const io = { inputs: [x(2, 3, 4, 'N')] };
  const sized = [node('Shape', ['p'], 's'), node('Gather', ['s', 'three'], 'n')];

  test('a list of numbers and one size that nothing names', async () => {
    const nodes = [pooled, ...sized, node('Concat', ['n', 'rest'], 'to', { axis: { i: 0 } })];
    const graph: GraphParts = {
      nodes: [...nodes, node('Reshape', ['p', 'to'])],
      ...io,
      outputs: [y(null, null, null)],
      initializers: [ints('three', [3]), ints('rest', [4, 6])],
    };
    expect(await sameAs(graph, runs, { nodes: ['MaxPool', 'Reshape'] })).toEqual([]);
  });

  test.each([
    ['at its own place', [0], ['MaxPool', 'Reshape']],
    ['at another place', [2], ['MaxPool', 'Shape', 'Gather', 'Concat', 'Reshape']],
  ] as const)('a size that is copied, and one that is found: %s', async (_, axis, wanted) => {
    const nodes = [
      node('MaxPool', ['x'], 'p', { kernel_shape: { ints: [2, 2] }, strides: { ints: [2, 2] } }),
      node('Shape', ['p'], 's'),
      node('Gather', ['s', 'axis'], 'n'),
      node('Concat', ['n', 'rest'], 'to', { axis: { i: 0 } }),
      node('Reshape', ['p', 'to']),
    ];
    const graph: GraphParts = {
      nodes,
      inputs: [x('A', 2, 'B', 'C')],
      outputs: [y(null, null)],
      initializers: [ints('axis', axis), ints('rest', [-1])],
    };
    const sizes = [
      { A: 2, B: 4, C: 2 },
      { A: 4, B: 8, C: 4 },
    ];
    expect(await sameAs(graph, sizes, { nodes: [...wanted] })).toEqual([]);
  });

  test.each([
    ['a number', [] as number[]],
    ['one element', [1]],
  ])('%s is spread without a look at the list', async (_, dims) => {
    const fill: TensorParts = { name: 'fill', dims, floats: [2] };
    const nodes = [
      pooled,
      node('Shape', ['p'], 's'),
      node('Expand', ['fill', 's'], 'e'),
      node('Exp', ['e']),
    ];
    const graph: GraphParts = {
      nodes,
      ...io,
      outputs: [y(null, null, null, null)],
      initializers: [fill],
    };
    const wanted = ['MaxPool', 'Shape', 'Expand', 'Exp'];
    expect(await sameAs(graph, runs, { nodes: wanted })).toEqual([]);
  });

  describe('an initial state of zeros is left out', () => {
    const weights = (gates: number): ReadonlyArray<TensorParts> => [
      { name: 'w', dims: [1, gates * 2, 3], floats: ramp(gates * 6) },
      { name: 'r', dims: [1, gates * 2, 2], floats: ramp(gates * 4) },
    ];
    const ramp = (count: number): number[] =>
      Array.from({ length: count }, (_, i) => ((7 * i) % 11) / 16 - 0.25);
    const states = (value: number): ReadonlyArray<NodeParts> => [
      node('Shape', ['x'], 'xs'),
      node('Gather', ['xs', 'one'], 'n'),
      node('Concat', ['n', 'two'], 'sizes', { axis: { i: 0 } }),
      node('Expand', ['value', 'sizes'], 'flat'),
      node('Unsqueeze', ['flat', 'zero'], `h${value}`),
    ];
    test.each([
      ['RNN', 1, 0, ['RNN', 'Tanh']],
      ['GRU', 3, 0, ['GRU', 'Tanh']],
      ['LSTM', 4, 0, ['LSTM', 'Tanh']],
      ['LSTM', 4, 0.5, undefined],
      ['GRU', 3, -1, undefined],
    ] as const)('%s, %i gates, of %d', async (op, gates, value, nodes) => {
      const h = `h${value}`;
      const given = ['x', 'w', 'r', '', '', h, ...(op === 'LSTM' ? [h] : [])];
      const graph: GraphParts = {
        nodes: [
          ...states(value),
          node(op, given, 'o', { hidden_size: { i: 2 } }),
          node('Tanh', ['o']),
        ],
        inputs: [x(3, 'N', 3)],
        outputs: [y(null, null, null, null)],
        initializers: [
          ...weights(gates),
          { name: 'value', dims: [], floats: [value] },
          ...[ints('one', [1]), ints('two', [2]), ints('zero', [0])],
        ],
      };
      const rest = nodes === undefined ? {} : { nodes: [...nodes] };
      expect(await sameAs(graph, runs, rest)).toEqual([]);
    });
  });

  test.each([
    ['above', 'm', 'big', ['Max', 'Exp']],
    ['below', 'small', 'm', ['Min', 'Exp']],
    ['on both sides', 'small', 'big', ['Exp']],
  ])('a bound that is infinite %s bounds nothing', async (_, least, most, nodes) => {
    const graph: GraphParts = {
      nodes: [
        node('ReduceMean', ['x'], 'm', { keepdims: { i: 0 } }),
        node('Clip', ['x', least, most], 'c'),
        node('Exp', ['c']),
      ],
      inputs: [x('N', 4)],
      outputs: [y('N', 4)],
      initializers: [
        { name: 'big', dims: [], floats: [Infinity] },
        { name: 'small', dims: [], floats: [-Infinity] },
      ],
    };
    const wanted = nodes.length > 1 ? ['ReduceMean', ...nodes] : nodes;
    expect(await sameAs(graph, runs, { nodes: wanted })).toEqual([]);
  });
});

describe('O: Tile and Split by numbers that only the run knows stay one node', () => {
  const some = [
    { N: 2, L: 4 },
    { N: 3, L: 6 },
    { N: 1, L: 2 },
  ];

  test.each([
    ['one row for each of a batch', [1, 3], ['z', 'one']],
    ['both axes', [2, 3], ['z', 'zl']],
    ['an axis that is open, too', ['L', 3], ['z', 'one']],
  ] as const)('Tile: %s', async (_, dims, reps) => {
    const graph = {
      nodes: [
        node('Shape', ['b'], 's'),
        node('Slice', ['s', 'zero', 'one'], 'z'),
        node('Slice', ['s', 'one', 'two'], 'zl'),
        node('Concat', reps, 'reps', { axis: { i: 0 } }),
        node('Tile', ['x', 'reps']),
      ],
      inputs: [x(...dims), { name: 'b', dims: ['N', 'L'] }],
      outputs: [y(null, null)],
      initializers: [ints('zero', [0]), ints('one', [1]), ints('two', [2])],
    };
    await sameAs(graph, some);
  });

  test.each([1, 6, 7, 10])('Tile by an input, of type %i', async (type) => {
    const graph = {
      nodes: [node('Tile', ['x', 'r'])],
      inputs: [
        { ...x('N', 3), type },
        { name: 'r', dims: [2], type: 7 },
      ],
      outputs: [{ ...y(null, null), type }],
    };
    await sameAs(graph, some, { nodes: ['Tile'], values: { r: [2, 3] } });
  });

  test('Tile by the sizes of data that are known', async () => {
    const graph = {
      nodes: [node('Shape', ['b'], 's'), node('Tile', ['x', 's'])],
      inputs: [x('N', 3), { name: 'b', dims: [2, 4] }],
      outputs: [y(null, 12)],
    };
    await sameAs(graph, some, { nodes: ['Tile'] });
  });

  const parts = (count: number): NodeParts => ({
    op: 'Split',
    in: ['x'],
    out: Array.from({ length: count }, (_, i) => `p${i}`),
  });
  const outs = (count: number): ReadonlyArray<ValueParts> =>
    Array.from({ length: count }, (_, i) => ({ name: `p${i}`, dims: [null, null] }));

  test.each([
    [2, 11, 1],
    [2, 13, 1],
    [1, 13, 0],
  ])('Split into %i equal parts, set %i, axis %i', async (count, opset, axis) => {
    const graph = {
      nodes: [{ ...parts(count), attrs: { axis: { i: axis } } }],
      inputs: [x('N', 'L')],
      outputs: outs(count),
    };
    await sameAs(graph, some, { opset });
  });

  test.each([2, 3])('Split into %i parts, the last of which may be smaller', async (count) => {
    const attrs = { axis: { i: 1 }, num_outputs: { i: count } };
    const graph = {
      nodes: [{ ...parts(count), attrs }],
      inputs: [x('N', 'L')],
      outputs: outs(count),
    };
    const runs = [
      { N: 2, L: 5 },
      { N: 1, L: 6 },
      { N: 3, L: 8 },
    ];
    await sameAs(graph, runs, { opset: 18, nodes: ['Split'] });
  });

  test.each([13, 18])('Split by sizes that the graph computes, set %i', async (opset) => {
    const graph = {
      nodes: [
        node('Shape', ['b'], 's'),
        node('Shape', ['x'], 'xs'),
        node('Slice', ['xs', 'one', 'two'], 'all'),
        node('Slice', ['s', 'zero', 'one'], 'first'),
        node('Sub', ['all', 'first'], 'rest'),
        node('Concat', ['first', 'rest'], 'sizes', { axis: { i: 0 } }),
        { ...parts(2), in: ['x', 'sizes'], attrs: { axis: { i: 1 } } },
      ],
      inputs: [x('N', 'L'), { name: 'b', dims: ['K'] }],
      outputs: outs(2),
      initializers: [ints('zero', [0]), ints('one', [1]), ints('two', [2])],
    };
    await sameAs(
      graph,
      some.map((sizes) => ({ ...sizes, K: sizes.L - 1 })),
      { opset },
    );
  });

  test('Split by sizes that are an input', async () => {
    const graph = {
      nodes: [{ ...parts(3), in: ['x', 'n'], attrs: { axis: { i: 0 } } }],
      inputs: [x(6, 'L'), { name: 'n', dims: [3], type: 7 }],
      outputs: outs(3),
    };
    await sameAs(graph, some, { nodes: ['Split'], values: { n: [1, 3, 2] } });
  });
});

describe('R: an input with a default stays an input', () => {
  const two = { name: 'w', dims: [2], floats: [1, 2] };
  const io = { inputs: [x(2), { name: 'w', dims: [2] }], outputs: [y(2)] };
  const add = [node('Add', ['x', 'w'])];

  /**
   * The parameters of the import. The written file runs with its defaults; onnxruntime's binding takes
   * no other values for them, so these are compared with the graph without defaults.
   */
  async function both(graph: GraphParts): Promise<ReadonlyArray<string>> {
    const original = modelBytes(graph, 17);
    const m = orThrow(importOnnx(original, { ops: standardOps }));
    const file = orThrow(exportOnnx(m));
    const names = m.functions.get('main')?.params.map(({ nameHint }) => nameHint) ?? [];
    const inputs = new Map((graph.inputs ?? []).map((one) => [one.name, drawn(one, { N: 3 })]));
    const wanted = await runElsewhere(original, { inputs });
    const found = await runElsewhere(file, { inputs });
    for (const [name, value] of wanted) {
      expect(allClose(found.get(name) as Tensor, value, TOLERANCE), name).toBe(true);
    }
    const bare = (graph.initializers ?? []).filter(({ name = '' }) => !names.includes(name));
    const overridden = await runElsewhere(modelBytes({ ...graph, initializers: bare }, 17), {
      inputs,
    });
    const again = orThrow(importOnnx(file, { ops: standardOps }));
    const own = leavesOf(orThrow(evaluate(again, [...inputs.values()])));
    for (const [i, value] of [...overridden.values()].entries()) {
      expect(allClose(own[i] as Tensor, value, TOLERANCE), `result ${i}`).toBe(true);
    }
    return names;
  }

  test('whose default the written file has, too', async () => {
    expect(await both({ nodes: add, ...io, initializers: [two] })).toEqual(['x', 'w']);
  });

  test.each([
    [6, { raw: [1, 0, 0, 0, 254, 255, 255, 255] }],
    [7, { ints: [5, -7] }],
    [10, { raw: [0, 60, 0, 192] }],
    [11, { raw: [0, 0, 0, 0, 0, 0, 248, 63, 0, 0, 0, 0, 0, 0, 240, 127] }],
  ])('of type %i', async (type, values) => {
    const graph = {
      nodes: add,
      inputs: [
        { ...x(2), type },
        { name: 'w', dims: [2], type },
      ],
      outputs: [{ ...y(2), type }],
      initializers: [{ name: 'w', dims: [2], type, ...values }],
    };
    expect(await both(graph)).toEqual(['x', 'w']);
  });

  test('of open size', async () => {
    const graph = {
      nodes: [node('Mul', ['x', 'w'])],
      inputs: [x('N', 2), { name: 'w', dims: ['k'] }],
      outputs: [y('N', 2)],
      initializers: [two],
    };
    const m = orThrow(importOnnx(modelBytes(graph, 17), { ops: standardOps }));
    const again = orThrow(importOnnx(orThrow(exportOnnx(m)), { ops: standardOps }));
    expect(again.functions.get('main')?.params.length).toBe(2);
  });

  test('two of them, and a weight that is none', async () => {
    const graph = {
      nodes: [node('Add', ['x', 'w'], 'a'), node('Mul', ['a', 'v'], 'b'), node('Sub', ['b', 'k'])],
      inputs: [x(2), { name: 'w', dims: [2] }, { name: 'v', dims: [2] }],
      outputs: [y(2)],
      initializers: [two, { ...two, name: 'v' }, { ...two, name: 'k' }],
    };
    expect(await both(graph)).toEqual(['x', 'w', 'v']);
  });

  test('used in a branch', async () => {
    const branch = (op: string): Attribute =>
      graphOf({ nodes: [node(op, ['x', 'w'], 'r')], outputs: [{ name: 'r', dims: [2] }] });
    const graph = {
      nodes: [
        node('ReduceSum', ['x'], 's', { keepdims: { i: 0 } }),
        node('Cast', ['s'], 'c', { to: { i: 9 } }),
        node('If', ['c'], 'y', { then_branch: branch('Add'), else_branch: branch('Sub') }),
      ],
      ...io,
      initializers: [two],
    };
    expect(await both(graph)).toEqual(['x', 'w']);
  });

  test('that is an output itself', async () => {
    const outputs = [y(2), { name: 'w', dims: [2] }];
    expect(await both({ nodes: add, ...io, outputs, initializers: [two] })).toEqual(['x', 'w']);
  });

  test('unless the import needs to know it', () => {
    const graph = {
      nodes: [node('Squeeze', ['x', 'axes'])],
      inputs: [x('N', 1), { name: 'axes', dims: [1], type: 7 }],
      outputs: [y('N')],
      initializers: [ints('axes', [1])],
    };
    const told: string[] = [];
    const onWarning = ({ code }: Diagnostic): void => void told.push(code);
    const m = orThrow(importOnnx(modelBytes(graph, 17), { ops: standardOps, onWarning }));
    expect(m.functions.get('main')?.params.map(({ nameHint }) => nameHint)).toEqual(['x']);
    expect(told).toEqual(['ONNX_DEFAULT']);
  });

  test('or the caller wants constants, or binds it', () => {
    const file = modelBytes({ nodes: add, ...io, initializers: [two] }, 17);
    const paramsWith = (options: Partial<ImportOptions>): ReadonlyArray<string> | undefined =>
      orThrow(importOnnx(file, { ops: standardOps, ...options }))
        .functions.get('main')
        ?.params.map(({ nameHint }) => nameHint);
    expect(paramsWith({ defaults: 'constants' })).toEqual(['x']);
    expect(paramsWith({ defaults: 'inputs' })).toEqual(['x', 'w']);
    const w = fromNumbers([3, 4], [2], 'float32');
    expect(paramsWith({ constants: { w } })).toEqual(['x']);
  });

  test('a file that lists all weights as inputs means constants, and so does IR version 3', () => {
    const names = Array.from({ length: 10 }, (_, i) => `w${i}`);
    const chain = names.map((name, i) =>
      node('Add', [i === 0 ? 'x' : `t${i - 1}`, name], i === 9 ? 'y' : `t${i}`),
    );
    const graph = {
      nodes: chain,
      inputs: [x(2), ...names.map((name) => ({ name, dims: [2] }))],
      outputs: [y(2)],
      initializers: names.map((name) => ({ ...two, name })),
    };
    const countOf = (file: Uint8Array): number | undefined =>
      orThrow(importOnnx(file, { ops: standardOps })).functions.get('main')?.params.length;
    expect(countOf(modelBytes(graph, 17))).toBe(1);
    const old = modelBytes({ nodes: add, ...io, initializers: [two] }, 7);
    old[1] = 3;
    expect(countOf(old)).toBe(1);
  });
});

describe('R: definitions of early operator sets', () => {
  const sides = { axis: { i: 1 }, broadcast: { i: 1 } };

  test.each([
    ['Add', 1],
    ['Sub', 6],
    ['Mul', 6],
    ['Div', 1],
    ['Pow', 1],
  ])('%s of operator set %i with an axis', async (op, opset) => {
    const old = modelBytes(
      {
        nodes: [node(op, ['x', 'z'], 'y', sides)],
        inputs: [x('N', 3, 2), { name: 'z', dims: [3] }],
        outputs: [y('N', 3, 2)],
      },
      opset,
    );
    const file = orThrow(exportOnnx(orThrow(importOnnx(old, { ops: standardOps }))));
    const like = modelBytes(
      {
        nodes: [node('Unsqueeze', ['z', 'ax'], 'u'), node(op, ['x', 'u'])],
        inputs: [x('N', 3, 2), { name: 'z', dims: [3] }],
        outputs: [y('N', 3, 2)],
        initializers: [ints('ax', [1])],
      },
      17,
    );
    const inputs = new Map([
      ['x', fromNumbers([1, 2, 3, 4, 5, 6], [1, 3, 2], 'float32')],
      ['z', fromNumbers([2, 0.5, 3], [3], 'float32')],
    ]);
    const [wanted, found] = [
      await runElsewhere(like, { inputs }),
      await runElsewhere(file, { inputs }),
    ];
    expect(allClose(found.get('y') as Tensor, wanted.get('y') as Tensor, TOLERANCE)).toBe(true);
  });

  const refusedWith = (graph: GraphParts, opset: number): string | undefined => {
    const m = importOnnx(modelBytes(graph, opset), { ops: standardOps });
    return m._tag === 'Left' ? m.left[0].code : undefined;
  };
  const two = { inputs: [x(2, 3), { name: 'z', dims: [3] }], outputs: [y(2, 3)] };

  test.each([
    ['without an axis: the last ones', 6, { broadcast: { i: 1 } }, undefined],
    ['an axis without room', 6, sides, undefined],
    ['an axis too far', 6, { axis: { i: 2 }, broadcast: { i: 1 } }, 'ONNX_AXIS'],
    ['attributes that later sets do not have', 7, sides, 'ONNX_ATTRIBUTE'],
  ])('%s', (_, opset, attrs, code) => {
    expect(refusedWith({ nodes: [node('Add', ['x', 'z'], 'y', attrs)], ...two }, opset)).toBe(code);
  });

  test.each([
    [0, [2, 3, 2]],
    [1, [2, 3, 2]],
    [2, [2, 3, 2]],
    [-1, [4, 5]],
    [1, [3, 4]],
  ])('Hardmax before 13 over all axes from %i of %j on', async (axis, dims) => {
    const graph = {
      nodes: [node('Hardmax', ['x'], 'y', { axis: { i: axis } })],
      inputs: [x(...dims)],
      outputs: [y(...dims)],
    };
    await sameAs(graph, [{ N: 1 }, { N: 2 }], { opset: 11 });
  });

  test.each([
    ['places in order', { indices: [1, 3], dims: [2] }],
    ['places along each axis', { indices: [0, 1, 1, 1], dims: [2, 2] }],
  ])('a sparse Constant: %s', async (_, { indices, dims }) => {
    const value = {
      values: { dims: [2], floats: [1.5, -2] },
      indices: { dims, ints: indices },
      dims: [2, 2],
    };
    const like = [0, 1.5, 0, -2];
    const graph = (constant: NodeParts): GraphParts => ({
      nodes: [constant, node('Add', ['x', 'c'])],
      inputs: [x(2, 2)],
      outputs: [y(2, 2)],
    });
    const dense = node('Constant', [], 'c', { value: { t: { dims: [2, 2], floats: like } } });
    await sameAs(graph(node('Constant', [], 'c', { sparse_value: { sparse: value } })), [{}], {
      like: graph(dense),
    });
  });
});

describe('G: sizes that are found when the model runs need no more nodes than the original has', () => {
  const some = [
    { N: 2, M: 3 },
    { N: 1, M: 5 },
    { N: 4, M: 1 },
  ];
  const size = (of: string, axis: number, out: string): ReadonlyArray<NodeParts> => [
    node('Shape', [of], `${out}s`),
    node('Gather', [`${out}s`, `i${axis}`], out, { axis: { i: 0 } }),
  ];
  const constants = [
    ...[0, 1, 2, 3].map((i) => ints(`i${i}`, [i])),
    ints('less', [-1]),
    ints('four', [4]),
    ints('eight', [8]),
  ];
  const list = (...parts: ReadonlyArray<string>): NodeParts =>
    node('Concat', parts, 'list', { axis: { i: 0 } });
  const transpose = (from: string, to: string, ...perm: ReadonlyArray<number>): NodeParts =>
    node('Transpose', [from], to, { perm: { ints: perm } });
  const file = (nodes: ReadonlyArray<NodeParts>, ...dims: ReadonlyArray<number | string>) => ({
    nodes,
    initializers: [...constants, { name: 'half', dims: [], floats: [0.5] }],
    inputs: [x(...dims), { name: 'z', dims: ['N', 'M'] }],
    outputs: [{ name: 'y' }],
  });
  const expand = node('Expand', ['x', 'list']);
  const [n, m] = [size('z', 0, 'n'), size('z', 1, 'm')];
  const max = node('Max', ['x', 'z'], 'q');

  test.each([
    ['an Expand to a list with 1', file([...m, list('i1', 'm', 'i1'), expand], 'N', 1, 4), 4],
    ['two open sizes', file([...n, ...m, list('n', 'm'), expand], 'N', 1), 6],
    ['one of three', file([...n, ...m, list('n', 'i1', 'm', 'i1'), expand], 1, 'M', 4), 6],
    ['more axes than the data', file([...n, ...m, list('n', 'm', 'four'), expand], 'M', 1), 6],
    ['the shape of a result', file([max, node('Shape', ['q'], 'list'), expand], 'N', 1), 3],
    [
      'of integers',
      {
        ...file([...n, ...m, list('n', 'm'), expand], 'N', 1),
        outputs: [{ name: 'y', type: 7 }],
        inputs: [
          { ...x('N', 1), type: 7 },
          { name: 'z', dims: ['N', 'M'] },
        ],
      },
      6,
    ],
  ] as const)('%s', async (_, graph, most) => {
    await sameAs(graph, some, { most });
  });

  const reshaped = (...parts: ReadonlyArray<string>): ReadonlyArray<NodeParts> => [
    ...n,
    ...m,
    list(...parts),
    node('Reshape', ['x', 'list'], 'r'),
    node('Exp', ['r']),
  ];

  test.each([
    ['a Reshape to two open sizes and a number', file(reshaped('m', 'i2', 'n'), 'N', 2, 'M')],
    ['to two numbers', file(reshaped('m', 'i2', 'n', 'four'), 'N', 8, 'M')],
    ['to a size that it finds', file(reshaped('n', 'i2', 'less', 'm'), 'N', 8, 'M')],
  ] as const)('%s', async (_, graph) => {
    await sameAs(graph, some, { most: graph.nodes.length - 1 });
  });

  /** Keys as PyTorch writes them: two axes merged, the others turned, and the two split again. */
  const keys = (...between: ReadonlyArray<NodeParts>): ReadonlyArray<NodeParts> => [
    ...size('x', 0, 'b'),
    ...size('x', 2, 'm'),
    node('Concat', ['less', 'm', 'four'], 'merged', { axis: { i: 0 } }),
    node('Reshape', ['x', 'merged'], 'r'),
    transpose('r', 't', 0, 2, 1),
    ...between,
    list('b', 'i2', 'four', 'm'),
    node('Reshape', [between.length > 0 ? 'u' : 't', 'list'], 'k'),
    node('Exp', ['k']),
  ];

  test.each([
    ['keys of an attention', file(keys(), 'N', 2, 'M', 4), ['Transpose', 'Exp']],
    [
      'with a factor',
      file(keys(node('Mul', ['t', 'half'], 'u')), 'N', 2, 'M', 4),
      ['Transpose', 'Mul', 'Exp'],
    ],
  ] as const)('%s', async (_, graph, nodes) => {
    await sameAs(graph, some, { nodes });
  });

  test('axes that are split otherwise stay', async () => {
    const other = keys().map((one) =>
      one.out?.[0] === 'list' ? list('i2', 'b', 'four', 'm') : one,
    );
    const graph = file(other, 'N', 2, 'M', 4);
    await sameAs(graph, some, { most: graph.nodes.length });
  });

  test('sizes of one name are read once', async () => {
    const nodes = [
      node('Exp', ['x'], 'e'),
      transpose('x', 't', 1, 0),
      ...size('e', 0, 'p'),
      ...size('t', 1, 'q'),
      node('Mul', ['p', 'q'], 'y'),
    ];
    const graph = { ...file(nodes, 'N', 'M'), outputs: [{ name: 'y', type: 7, dims: [1] }] };
    await sameAs(graph, some, {
      nodes: ['Exp', 'Shape', 'Gather', 'Mul'],
    });
  });
});

describe('X12: a loop of open length is written with the nodes of the original', () => {
  const some = [{ T: 3 }, { T: 1 }, { T: 5 }];
  const trips = [
    node('Shape', ['x'], 's', { start: { i: 0 }, end: { i: 1 } }),
    node('Squeeze', ['s'], 'trip'),
  ];
  const state = (name: string): ValueParts => ({ name, dims: [4] });
  const flag = (name: string): ValueParts => ({ name, dims: [], type: 9 });
  const count: ValueParts = { name: 'i', dims: [], type: 7 };
  const constants: ReadonlyArray<TensorParts> = [
    { name: 'go', dims: [], type: 9, raw: [1] },
    { name: 'h', dims: [4], floats: [1, 2, 3, 4] },
    { name: 'two', dims: [], floats: [2] },
  ];
  /** A loop over the rows of `x` with this body after `row`, its states and joined results. */
  const over = (
    body: ReadonlyArray<NodeParts>,
    states: ReadonlyArray<string>,
    joined: ReadonlyArray<string>,
    nodes: ReadonlyArray<NodeParts> = [],
  ): GraphParts => {
    const rows = [
      node('Identity', ['c'], 'c2'),
      node('Gather', ['x', 'i'], 'row', { axis: { i: 0 } }),
      ...body,
    ];
    const graph = graphOf({
      nodes: rows,
      inputs: [count, flag('c'), ...states.map(state)],
      outputs: [flag('c2'), ...states.map((name) => state(`${name}2`)), ...joined.map(state)],
    });
    const results = [...states.map((name) => `${name}9`), ...joined.map((name) => `${name}9`)];
    const loop: NodeParts = {
      op: 'Loop',
      in: ['trip', 'go', ...states.map(() => 'h')],
      out: results,
      attrs: { body: graph },
    };
    return {
      nodes: [...trips, loop, ...nodes],
      inputs: [x('T', 4)],
      outputs: (nodes.length > 0 ? ['y'] : results).map((name) => ({ name })),
      initializers: constants,
    };
  };
  const inBody = (graph: GraphParts): number => graph.nodes.length;

  test.each([
    ['one state', over([node('Add', ['a', 'row'], 'a2')], ['a'], []), 3],
    [
      'a state and results',
      over([node('Add', ['a', 'row'], 'a2'), node('Neg', ['a2'], 'r')], ['a'], ['r']),
      3,
    ],
    [
      'results that are the state',
      over([node('Add', ['a', 'row'], 'a2'), node('Identity', ['a2'], 'r')], ['a'], ['r']),
      3,
    ],
    [
      'two states and two results',
      over(
        [
          node('Add', ['a', 'row'], 'a2'),
          node('Mul', ['b', 'two'], 'b2'),
          node('Neg', ['a2'], 'r'),
          node('Abs', ['b2'], 'q'),
        ],
        ['a', 'b'],
        ['r', 'q'],
      ),
      3,
    ],
    ['results alone', over([node('Mul', ['row', 'two'], 'r')], [], ['r']), 3],
    [
      'results that are used',
      over(
        [node('Add', ['a', 'row'], 'a2'), node('Neg', ['a2'], 'r')],
        ['a'],
        ['r'],
        [node('Mul', ['r9', 'a9'], 'y')],
      ),
      4,
    ],
  ] as const)('%s', async (_, graph, most) => {
    expect(inBody(graph)).toBe(most);
    await sameAs(graph, some, { most });
    const file = orThrow(
      exportOnnx(orThrow(importOnnx(modelBytes(graph, 17), { ops: standardOps }))),
    );
    const loop = orThrow(decodeModel(file)).graph?.nodes.find(({ opType }) => opType === 'Loop');
    const body = loop?.attributes.find(({ name }) => name === 'body')?.value;
    const ops = body?.kind === 'graph' ? body.value.nodes.map(({ opType }) => opType) : [];
    // Neither a counter nor a tensor that grows in each step.
    expect(loop?.inputs[0]).not.toBe('');
    expect(ops.filter((op) => ['Less', 'Concat', 'Shape', 'Unsqueeze'].includes(op))).toEqual([]);
  });

  test('a condition of the data beside the length', async () => {
    const body = [
      node('Add', ['a', 'row'], 'a2'),
      node('ReduceSum', ['a2'], 'sum', { keepdims: { i: 0 } }),
      node('Less', ['sum', 'limit'], 'c2'),
      node('Neg', ['a2'], 'r'),
    ];
    const graph = over(body, ['a'], ['r']);
    const [shape, squeeze, loop] = graph.nodes;
    const stops = graphOf({
      nodes: [node('Gather', ['x', 'i'], 'row', { axis: { i: 0 } }), ...body],
      inputs: [count, flag('c'), state('a')],
      outputs: [flag('c2'), state('a2'), state('r')],
    });
    const nodes = [shape, squeeze, loop && { ...loop, attrs: { body: stops } }].flatMap(
      (one) => one ?? [],
    );
    const limit: TensorParts = { name: 'limit', dims: [], floats: [11] };
    await sameAs({ ...graph, nodes, initializers: [...constants, limit] }, some);
  });

  test.each([
    ['from the first', 0],
    ['from the third', 2],
  ])('a counter of its own, %s', async (_, first) => {
    const one: TensorParts = { name: 'one', dims: [], ints: [1] };
    const start: TensorParts = { name: 'start', dims: [], ints: [first] };
    const body = graphOf({
      nodes: [
        node('Add', ['k', 'one'], 'k2'),
        node('Less', ['k2', 'trip'], 'c2'),
        node('Gather', ['x', 'i'], 'row', { axis: { i: 0 } }),
        node('Add', ['a', 'row'], 'a2'),
      ],
      inputs: [count, flag('c'), { name: 'k', dims: [], type: 7 }, state('a')],
      outputs: [flag('c2'), { name: 'k2', dims: [], type: 7 }, state('a2')],
    });
    const loop: NodeParts = {
      op: 'Loop',
      in: ['', 'begins', 'start', 'h'],
      out: ['k9', 'a9'],
      attrs: { body },
    };
    const graph: GraphParts = {
      nodes: [...trips, node('Less', ['start', 'trip'], 'begins'), loop],
      inputs: [x('T', 4)],
      outputs: [{ name: 'a9' }],
      initializers: [...constants, one, start],
    };
    await sameAs(graph, some, { most: graph.nodes.length });
  });

  test('a counter that the body and the result use', async () => {
    const body = [
      node('Cast', ['i'], 'f', { to: { i: 1 } }),
      node('Mul', ['row', 'f'], 'g'),
      node('Add', ['a', 'g'], 'a2'),
    ];
    await sameAs(over(body, ['a'], []), some, { most: 3 });
  });
});

describe('G: what ONNX says with one node is one node again', () => {
  test.each([
    ['a LayerNormalization of halves', 10, undefined],
    ['with a shift', 10, 'b'],
  ])('%s', async (_, type, shift) => {
    const weight = (name: string, floats: ReadonlyArray<number>): TensorParts => ({
      name,
      dims: [4],
      floats,
    });
    const nodes = [
      node('Cast', ['w0'], 'w', { to: { i: type } }),
      ...(shift === undefined ? [] : [node('Cast', ['b0'], 'b', { to: { i: type } })]),
      node('LayerNormalization', ['x', 'w', ...(shift === undefined ? [] : [shift])]),
    ];
    const graph = {
      nodes,
      inputs: [{ ...x('N', 4), type }],
      outputs: [{ name: 'y', type }],
      initializers: [weight('w0', [1, 2, 0.5, 1.5]), weight('b0', [0, 1, 0.25, -1])],
    };
    await sameAs(graph, [{ N: 2 }, { N: 3 }], { nodes: ['LayerNormalization'] });
  });

  test('a Pad by a size', async () => {
    const nodes = [
      node('Shape', ['x'], 's', { start: { i: 1 }, end: { i: 2 } }),
      node('Mod', ['s', 'k'], 'm'),
      node('Concat', ['zero', 'm'], 'p', { axis: { i: 0 } }),
      node('Pad', ['x', 'p']),
    ];
    const initializers = [ints('k', [4]), ints('zero', [0, 0, 0])];
    for (const rows of [1, 3]) {
      const graph = { nodes, initializers, inputs: [x(rows, 'N')], outputs: [{ name: 'y' }] };
      await sameAs(graph, [{ N: 2 }, { N: 7 }], { nodes: ['Shape', 'Mod', 'Concat', 'Pad'] });
    }
  });
});

describe('O: a batch normalization after a convolution of open sizes goes into its weight', () => {
  const some = [
    { N: 1, H: 7, W: 8 },
    { N: 2, H: 6, W: 5 },
  ];
  const floats = (name: string, dims: ReadonlyArray<number>, positive = false): TensorParts => {
    const next = mulberry32(fnv1a32(name));
    const draw = () => (positive ? 0.5 + next() : 2 * next() - 1);
    return { name, dims, floats: Array.from({ length: shapeSize(dims) }, draw) };
  };
  const constants = [
    floats('w', [4, 3, 3, 3]),
    floats('d', [6, 1, 3, 3]),
    floats('o', [4]),
    ...['s', 'b', 'm'].map((name) => floats(name, [4])),
    floats('v', [4], true),
    ...['s', 'b', 'm'].map((name) => floats(`${name}6`, [6])),
    floats('v6', [6], true),
  ];
  const same = (mode: string, more: Readonly<Record<string, Attribute>> = {}) => ({
    auto_pad: { s: mode },
    strides: { ints: [2, 2] },
    ...more,
  });
  const graphWith = (conv: NodeParts, ...rest: ReadonlyArray<NodeParts>): GraphParts => ({
    nodes: [conv, ...rest],
    inputs: [x('N', 3, 'H', 'W')],
    outputs: [{ name: 'y' }],
    initializers: constants,
  });
  const normal = (more: Readonly<Record<string, Attribute>> = {}, out = 'y') =>
    node('BatchNormalization', ['c', 's', 'b', 'm', 'v'], out, more);

  test.each([
    ['SAME_UPPER', graphWith(node('Conv', ['x', 'w'], 'c', same('SAME_UPPER')), normal())],
    ['SAME_LOWER', graphWith(node('Conv', ['x', 'w'], 'c', same('SAME_LOWER')), normal())],
    ['with a bias', graphWith(node('Conv', ['x', 'w', 'o'], 'c', same('SAME_UPPER')), normal())],
    [
      'of each channel',
      graphWith(
        node('Conv', ['x', 'd'], 'c', same('SAME_UPPER', { group: { i: 3 } })),
        node('BatchNormalization', ['c', 's6', 'b6', 'm6', 'v6']),
      ),
    ],
    [
      'with another epsilon',
      graphWith(node('Conv', ['x', 'w'], 'c', same('SAME_UPPER')), normal({ epsilon: { f: 0.1 } })),
    ],
  ] as const)('%s', async (_, graph) => {
    await sameAs(graph, some, { nodes: ['Conv'] });
  });

  test('a convolution that others use keeps its weight', async () => {
    const conv = node('Conv', ['x', 'w'], 'c', same('SAME_UPPER'));
    const graph = graphWith(conv, normal({}, 'n'), node('Add', ['n', 'c']));
    await sameAs(graph, some, { nodes: ['Conv', 'BatchNormalization', 'Add'] });
  });
});
