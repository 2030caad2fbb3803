/** Attributes that few models set: what a node computes with them, compared with values by hand. */
import { type Tensor, tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { type GraphParts, graphProto, type NodeParts } from './helpers/encode.ts';
import { imported } from './helpers/import.ts';
import { ints } from './helpers/one.ts';
import { run } from './helpers/run.ts';

const counting = (...shape: number[]): Tensor =>
  tensor(
    Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i + 1),
    shape,
    'float32',
  );

/** The shapes and the values of the results of a graph. */
function results(graph: GraphParts, args: ReadonlyArray<Tensor>, opset = 13) {
  return run(imported(graph, { opset }), args).map((t) => [t.shape, Array.from(toNumbers(t))]);
}

const value = (name: string, ...dims: number[]) => ({ name, dims });

test('SplitToSequence drops the axis only if no sizes are given', () => {
  const at = { name: 'at', dims: [], ints: [1] };
  const graph = (sizes: ReadonlyArray<string>): GraphParts => ({
    nodes: [
      {
        op: 'SplitToSequence',
        in: ['x', ...sizes],
        out: ['s'],
        attrs: { axis: { i: 0 }, keepdims: { i: 0 } },
      },
      { op: 'SequenceAt', in: ['s', 'at'], out: ['y'] },
    ],
    inputs: [value('x', 3, 2)],
    initializers: [at, ints('each', [1, 1, 1]), { name: 'one', dims: [], ints: [1] }],
  });
  expect(results(graph([]), [counting(3, 2)])).toEqual([[[2], [3, 4]]]);
  expect(results(graph(['each']), [counting(3, 2)])).toEqual([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
  expect(results(graph(['one']), [counting(3, 2)])).toEqual([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
});

test.each([
  ['not_larger', [6, 2], [2, 2]],
  ['not_smaller', [2, 1], [2, 2]],
])('Resize %s rounds half a place up', (policy, sizes, shape) => {
  // The factor is 2 / 3 of one axis or 1 / 2 of the other; 0.5 · 3 is 1.5, which is 2 places.
  const node: NodeParts = {
    op: 'Resize',
    in: ['x', '', '', 'z'],
    attrs: { keep_aspect_ratio_policy: { s: policy } },
  };
  const from = policy === 'not_larger' ? [3, 4] : [4, 3];
  const graph = { nodes: [node], inputs: [value('x', ...from)], initializers: [ints('z', sizes)] };
  expect(results(graph, [counting(...from)], 18)[0]?.[0]).toEqual(shape);
});

test.each([
  // Of the four pixels around a sample, each with its share, the largest share counts.
  ['max', 10, 2.5],
  ['avg', 10, 5],
  ['max', 16, 5],
  ['avg', 16, 2.5],
])(
  'RoiAlign %s in set %i has pixels at whole places before set 16, and at halves after',
  (mode, opset, expected) => {
    const node: NodeParts = {
      op: 'RoiAlign',
      in: ['x', 'regions', 'images'],
      attrs: { mode: { s: mode }, sampling_ratio: { i: 2 } },
    };
    const graph: GraphParts = {
      nodes: [node],
      inputs: [value('x', 1, 1, 4, 4)],
      initializers: [{ name: 'regions', dims: [1, 4], floats: [0, 0, 2, 2] }, ints('images', [0])],
    };
    // Of 0, 1, … the pixel in row and column 1 is 5.
    const x = tensor(
      Array.from({ length: 16 }, (_, i) => i),
      [1, 1, 4, 4],
      'float32',
    );
    expect(results(graph, [x], opset)).toEqual([[[1, 1, 1, 1], [expected]]]);
  },
);

test('a branch may give one value twice', () => {
  const branch = (op: string) =>
    graphProto({ nodes: [{ op, in: ['x'], out: ['p'] }], outputs: ['p', 'p'] });
  const node: NodeParts = {
    op: 'If',
    in: ['c'],
    out: ['a', 'b'],
    attrs: { then_branch: { g: branch('Neg') }, else_branch: { g: branch('Abs') } },
  };
  const graph: GraphParts = {
    nodes: [node],
    inputs: [value('x', 2), { name: 'c', dims: [], type: 9 }],
    outputs: ['a', 'b'],
  };
  const given = (c: number) => [counting(2), tensor([c], [], 'bool')];
  expect(results(graph, given(1))).toEqual([
    [[2], [-1, -2]],
    [[2], [-1, -2]],
  ]);
  expect(results(graph, given(0))).toEqual([
    [[2], [1, 2]],
    [[2], [1, 2]],
  ]);
});

describe('Scan', () => {
  // Sums up to each row, and each row with its sign changed.
  const body = graphProto({
    nodes: [
      { op: 'Add', in: ['s', 'e'], out: ['next'] },
      { op: 'Identity', in: ['next'], out: ['sum'] },
      { op: 'Neg', in: ['e'], out: ['minus'] },
    ],
    inputs: [value('s', 2), value('e', 2)],
    outputs: ['next', 'sum', 'minus'],
  });
  const scan = (attrs: NodeParts['attrs'], ...x: number[]): GraphParts => ({
    nodes: [
      {
        op: 'Scan',
        in: ['s', 'x'],
        out: ['last', 'sums', 'signs'],
        attrs: { body: { g: body }, num_scan_inputs: { i: 1 }, ...attrs },
      },
    ],
    inputs: [value('s', 2), value('x', ...x)],
    outputs: ['last', 'sums', 'signs'],
  });
  const zero = tensor([0, 0], [2], 'float32');

  test('reads from the end, and writes each output in its own direction', () => {
    const graph = scan(
      { scan_input_directions: { ints: [1] }, scan_output_directions: { ints: [1, 0] } },
      3,
      2,
    );
    expect(results(graph, [zero, counting(3, 2)])).toEqual([
      [[2], [9, 12]],
      [
        [3, 2],
        [9, 12, 8, 10, 5, 6],
      ],
      [
        [3, 2],
        [-5, -6, -3, -4, -1, -2],
      ],
    ]);
  });

  test('reads along an axis, and stacks each output along its own', () => {
    const graph = scan(
      { scan_input_axes: { ints: [1] }, scan_output_axes: { ints: [-1, 0] } },
      2,
      3,
    );
    // The rows are the columns of [[1, 2, 3], [4, 5, 6]].
    expect(results(graph, [zero, counting(2, 3)])).toEqual([
      [[2], [6, 15]],
      [
        [2, 3],
        [1, 3, 6, 4, 9, 15],
      ],
      [
        [3, 2],
        [-1, -4, -2, -5, -3, -6],
      ],
    ]);
  });
});

describe('RNN', () => {
  // One unit without recurrence: each step is the activation of the input.
  const rnn = (
    attrs: NodeParts['attrs'],
    directions: number,
    more: ReadonlyArray<string> = [],
  ) => ({
    nodes: [
      {
        op: 'RNN',
        in: ['x', 'W', 'R', ...more],
        out: ['y', 'last'],
        attrs: { hidden_size: { i: 1 }, ...attrs },
      },
    ],
    inputs: [value('x', 3, 2, 1)],
    outputs: ['y', 'last'],
    initializers: [
      { name: 'W', dims: [directions, 1, 1], floats: new Array<number>(directions).fill(1) },
      { name: 'R', dims: [directions, 1, 1], floats: new Array<number>(directions).fill(1) },
      { name: 'lengths', dims: [2], type: 6, raw: new Uint8Array(Int32Array.of(3, 1).buffer) },
    ],
  });
  const x = tensor([1, 2, -3, 4, 5, 6], [3, 2, 1], 'float32');
  const relu = { activations: { strings: ['Relu'] } };

  test('gives 0 for rows past the length of a sequence, and its last row within it', () => {
    expect(results(rnn(relu, 1, ['', 'lengths']), [x])).toEqual([
      [
        [3, 1, 2, 1],
        [1, 2, 0, 0, 5, 0],
      ],
      [
        [1, 2, 1],
        [5, 2],
      ],
    ]);
  });

  test('begins a reversed sequence at its own end', () => {
    const reverse = { ...relu, direction: { s: 'reverse' } };
    expect(results(rnn(reverse, 1, ['', 'lengths']), [x])).toEqual([
      [
        [3, 1, 2, 1],
        [3, 2, 2, 0, 5, 0],
      ],
      [
        [1, 2, 1],
        [3, 2],
      ],
    ]);
  });

  test('has other activations in the second direction', () => {
    const both = {
      direction: { s: 'bidirectional' },
      activations: { strings: ['Relu', 'Affine'] },
      activation_alpha: { floats: [2] },
      activation_beta: { floats: [1] },
    };
    // Forwards: relu(x + h). Backwards: 2·(x + h) + 1.
    expect(results(rnn(both, 2), [x])).toEqual([
      [
        [3, 2, 2, 1],
        [1, 2, 37, 75, 0, 6, 17, 35, 5, 12, 11, 13],
      ],
      [
        [2, 2, 1],
        [5, 12, 37, 75],
      ],
    ]);
  });
});
