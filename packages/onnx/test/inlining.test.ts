/** O.9 Nodes outside the graph's own list: branches, functions, sparse weights. */
import { type Diagnostic, isLeft, orThrow } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { type FunctionParts, type GraphParts, graphProto, modelBytes } from './helpers/encode.ts';
import { diagnosticText, imported, mainOf, refused, summary } from './helpers/import.ts';
import { run } from './helpers/run.ts';

const x = { name: 'x', dims: [2, 3] };

/** The body of a model with functions, or why it is refused. */
function withFunctions(graph: GraphParts, functions: ReadonlyArray<FunctionParts>): string {
  const result = importOnnx(modelBytes(graph, 13, functions), { ops: standardOps, source: 'test' });
  if (isLeft(result)) return result.left.map(diagnosticText).join('\n');
  return summary(mainOf(result.right).body, ['alpha']);
}

describe('O.9 If with a condition that is known', () => {
  const branch = (op: string, more: Partial<GraphParts> = {}) =>
    graphProto({ nodes: [{ op, in: ['x'], out: ['b'] }], outputs: ['b'], ...more });
  const choice = (value: number, then = branch('Relu'), other = branch('Exp')): GraphParts => ({
    nodes: [
      { op: 'If', in: ['c'], attrs: { then_branch: { g: then }, else_branch: { g: other } } },
    ],
    inputs: [x],
    initializers: [{ name: 'c', dims: [], type: 9, raw: [value] }],
  });

  test.each([
    [1, 'nn.relu(x)'],
    [0, 'exp(x)'],
  ])('O.9 %i takes its branch', (value, expected) => {
    expect(summary(imported(choice(value)).body)).toBe(expected);
  });

  test('O.9 a branch has initializers of its own, and branches', () => {
    const inner = branch('Tanh');
    const outer = graphProto({
      nodes: [
        { op: 'Add', in: ['x', 'w'], out: ['s'] },
        {
          op: 'If',
          in: ['c'],
          out: ['r'],
          attrs: { then_branch: { g: inner }, else_branch: { g: inner } },
        },
        { op: 'Mul', in: ['s', 'r'], out: ['b'] },
      ],
      initializers: [{ name: 'w', dims: [1], floats: [2] }],
      outputs: ['b'],
    });
    expect(summary(imported(choice(1, outer)).body)).toBe(
      'multiply(add(x, float32(1)[2]), tanh(x))',
    );
  });

  test('O.9 unsupported operators in the other branch do not matter', () => {
    expect(summary(imported(choice(1, branch('Relu'), branch('Loop'))).body)).toBe('nn.relu(x)');
    expect(refused(choice(0, branch('Relu'), branch('Frobnicate')))).toEqual([
      'ONNX_UNSUPPORTED at test: Frobnicate #0: operator Frobnicate is not imported: 1 node',
    ]);
  });

  test('O.9 a condition that only the run knows', () => {
    const open = {
      ...choice(0, branch('Relu'), branch('Frobnicate')),
      inputs: [x, { name: 'c', dims: [], type: 9 }],
      initializers: [],
    };
    expect(refused(open)).toEqual([
      'ONNX_UNSUPPORTED at test: Frobnicate #0: operator Frobnicate is not imported: 1 node',
    ]);
  });

  test('O.9 the results of both branches have one element type and one rank', () => {
    const [x, c] = [
      { name: 'x', dims: [2, 3] },
      { name: 'c', dims: [1], type: 9 },
    ];
    const open = (then: string, other: string, attrs = {}): GraphParts => ({
      nodes: [
        {
          op: 'If',
          in: ['c'],
          attrs: {
            then_branch: { g: branch(then) },
            else_branch: {
              g: graphProto({
                nodes: [{ op: other, in: ['x'], out: ['b'], attrs }],
                outputs: ['b'],
              }),
            },
          },
        },
      ],
      inputs: [x, c],
    });
    const f = imported(open('Relu', 'Transpose'));
    const inputs = [tensor([1, -2, 3, -4, 5, -6], [2, 3], 'float32')];
    const results = [0, 1].map((value) => run(f, [...inputs, tensor([value], [1], 'bool')])[0]);
    expect(results.map((value) => value?.shape)).toEqual([
      [3, 2],
      [2, 3],
    ]);
    expect(refused(open('Relu', 'Shape'))).toEqual([
      'ONNX_TYPE at test: If #0: expected results of both branches of one element type and one rank',
    ]);
  });

  test('O.9 a branch that the sizes contradict is left out, and the caller is told', () => {
    const wider = branch('Add', {
      nodes: [{ op: 'Add', in: ['x', 'w'], out: ['b'] }],
      initializers: [{ name: 'w', dims: [7], floats: [1, 2, 3, 4, 5, 6, 7] }],
    });
    const open: GraphParts = {
      ...choice(0, wider, branch('Relu')),
      inputs: [
        { name: 'x', dims: ['n'] },
        { name: 'c', dims: [], type: 9 },
      ],
      initializers: [],
    };
    const told = (n: number): ReadonlyArray<string> => {
      const warnings: Diagnostic[] = [];
      imported(open, { dims: { n }, onWarning: (warning) => warnings.push(warning) });
      return warnings.map((warning) => `${warning.severity} ${diagnosticText(warning)}`);
    };
    expect(told(7)).toEqual([]);
    expect(told(5)).toEqual([
      'warning ONNX_BRANCH at test: If #0: then_branch cannot run with these sizes and is left out: the other branch is taken in every run',
    ]);
    expect(summary(imported(open, { dims: { n: 5 } }).body)).toBe('nn.relu(x)');
  });

  test('O.9 a value that nothing defines, and a branch that is not there', () => {
    const lost = graphProto({
      nodes: [{ op: 'Add', in: ['x', 'no'], out: ['b'] }],
      outputs: ['b'],
    });
    expect(refused(choice(1, lost))).toEqual([
      'ONNX_VALUE at test: If #0: expected a value no, found none of this name',
    ]);
    const { nodes: _, ...rest } = choice(1);
    expect(refused({ ...rest, nodes: [{ op: 'If', in: ['c'] }] })).toEqual([
      'ONNX_ATTRIBUTE at test: If #0: expected attribute then_branch with a graph, found none',
    ]);
  });
});

test('O.9 operators in the body of a loop are listed as lacking', () => {
  const body = graphProto({ nodes: [{ op: 'Frobnicate', in: ['x'], out: ['b'] }], outputs: ['b'] });
  const loop = { op: 'Loop', in: ['', '', 'x'], attrs: { body: { g: body } } };
  expect(refused({ nodes: [loop], inputs: [x] })).toEqual([
    'ONNX_UNSUPPORTED at test: Frobnicate #0: operator Frobnicate is not imported: 1 node',
  ]);
});

describe('O.9 functions of the model', () => {
  const leaky: FunctionParts = {
    name: 'Leaky',
    domain: 'local',
    inputs: ['a', 'shift'],
    outputs: ['z'],
    defaults: { slope: { f: 0.5 } },
    nodes: [
      { op: 'Clip', in: ['a', 'shift'], out: ['c'] },
      { op: 'LeakyRelu', in: ['c'], out: ['z'], attrs: { alpha: { ref: 'slope' } } },
    ],
  };
  const call = (attrs = {}) => ({ op: 'Leaky', domain: 'local', in: ['x'], attrs });

  test('O.9 a call is its body, with the attributes of the call or the defaults', () => {
    const of = (attrs: object): string =>
      withFunctions({ nodes: [call(attrs)], inputs: [x] }, [leaky]);
    expect(of({})).toBe('nn.leaky_relu(x, alpha=0.5)');
    expect(of({ slope: { f: 0.25 } })).toBe('nn.leaky_relu(x, alpha=0.25)');
  });

  test('O.9 functions call functions, and names of one are none of the other', () => {
    const twice: FunctionParts = {
      name: 'Twice',
      domain: 'local',
      inputs: ['x'],
      outputs: ['c'],
      nodes: [
        { op: 'Leaky', domain: 'local', in: ['x'], out: ['z'] },
        { op: 'Leaky', domain: 'local', in: ['z'], out: ['c'] },
      ],
    };
    const graph = { nodes: [{ ...call(), op: 'Twice' }], inputs: [x] };
    expect(withFunctions(graph, [leaky, twice])).toBe(
      'nn.leaky_relu(nn.leaky_relu(x, alpha=0.5), alpha=0.5)',
    );
  });

  test('O.9 unsupported operators in a function are reported first', () => {
    const bad = { ...leaky, nodes: [{ op: 'Frobnicate', in: ['a'], out: ['z'] }] };
    expect(withFunctions({ nodes: [call()], inputs: [x] }, [bad])).toBe(
      'ONNX_UNSUPPORTED at test: Frobnicate #0: operator Frobnicate is not imported: 1 node',
    );
    const newer = { ...leaky, opset: 99 };
    expect(withFunctions({ nodes: [call()], inputs: [x] }, [newer])).toContain(
      'operator Clip of operator set 99 is not imported: 1 node',
    );
  });

  test('O.9 a function that calls itself ends', () => {
    const loop = { ...leaky, nodes: [{ ...call(), in: ['a'], out: ['z'] }] };
    expect(withFunctions({ nodes: [call()], inputs: [x] }, [loop])).toBe(
      'ONNX_LIMIT at test: Leaky #0: functions and branches nest deeper than 100',
    );
  });

  test('O.9 functions that double one another use up what the file may ask for', () => {
    const level = (i: number): FunctionParts => ({
      name: `F${i}`,
      domain: 'local',
      inputs: ['a'],
      outputs: ['z'],
      nodes:
        i === 0
          ? [{ op: 'Relu', in: ['a'], out: ['z'] }]
          : [
              { op: `F${i - 1}`, domain: 'local', in: ['a'], out: ['b'] },
              { op: `F${i - 1}`, domain: 'local', in: ['b'], out: ['z'] },
            ],
    });
    const functions = Array.from({ length: 40 }, (_, i) => level(i));
    const graph = { nodes: [{ op: 'F39', domain: 'local', in: ['x'] }], inputs: [x] };
    expect(withFunctions(graph, functions)).toContain('ONNX_LIMIT');
  });

  test('O.9 a call with more inputs or results than the function has', () => {
    const many = { ...call(), in: ['x', 'x', 'x'] };
    expect(withFunctions({ nodes: [many], inputs: [x] }, [leaky])).toBe(
      'ONNX_INPUTS at test: Leaky #0: expected 0 to 2 inputs of local::Leaky, found 3',
    );
    const results = { ...call(), out: ['y', 'w'] };
    expect(withFunctions({ nodes: [results], inputs: [x] }, [leaky])).toBe(
      'ONNX_VALUE at test: Leaky #0: expected 2 results of local::Leaky, found 1',
    );
  });
});

describe('O.9 sparse initializers', () => {
  const of = (indices: ReadonlyArray<number>, shape: ReadonlyArray<number>): GraphParts => ({
    nodes: [{ op: 'Add', in: ['x', 'y0'] }],
    inputs: [x],
    sparse: [
      {
        values: { name: 'y0', dims: [2], floats: [5, 7] },
        indices: { dims: shape, ints: indices },
        dims: [2, 2],
      },
    ],
  });
  const weight = (graph: GraphParts): string => {
    const result = importOnnx(modelBytes({ ...graph, inputs: [{ name: 'x', dims: [2, 2] }] }), {
      ops: standardOps,
    });
    return summary(mainOf(orThrow(result)).body);
  };

  test('O.9 become dense, by places or by indices along each axis', () => {
    const dense = 'add(x, float32(2, 2)[0, 5, 7, 0])';
    expect(weight(of([1, 2], [2]))).toBe(dense);
    expect(weight(of([0, 1, 1, 0], [2, 2]))).toBe(dense);
  });

  test.each([
    [[1, 4], [2]],
    [[-1, 0], [2]],
    [
      [0, 2, 1, 0],
      [2, 2],
    ],
    [[1], [1]],
  ])('O.9 places %j of shape %j are refused', (indices, shape) => {
    expect(refused(of(indices, shape))).toEqual([
      'ONNX_SPARSE at test: Initializer y0: expected a place within the tensor for each value of the sparse y0',
    ]);
  });
});

test('O.9 a node whose results nothing uses is passed over', () => {
  const names = { op: 'Constant', in: [], out: ['s'], attrs: { value_string: { s: 'x' } } };
  const graph = { nodes: [names, { op: 'Relu', in: ['x'] }], inputs: [x] };
  expect(summary(imported(graph).body)).toBe('nn.relu(x)');
  const odd = { op: 'Frobnicate', in: ['x'], out: ['z'] };
  expect(refused({ nodes: [odd, { op: 'Relu', in: ['x'] }], inputs: [x] })).toEqual(['imported']);
});
