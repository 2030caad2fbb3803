/** Loops whose number of steps only the run knows, and those whose steps are imported one by one. */
import { orThrow } from '@baton/base';
import { decodeModel } from '@baton/onnx';
import { type Tensor, tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { type GraphParts, graphProto, modelBytes } from './helpers/encode.ts';
import { imported, refused, summary } from './helpers/import.ts';
import { run } from './helpers/run.ts';

const scalar = (name: string, type: number) => ({ name, dims: [], type });

/** Doubles `v` while it is below `limit`, which is computed outside; its rows are the values. */
const doubling: GraphParts = {
  nodes: [
    { op: 'Add', in: ['limit', 'limit'], out: ['twice'] },
    {
      op: 'Loop',
      in: ['trips', 'keep', 'v'],
      out: ['last', 'rows'],
      attrs: {
        body: {
          g: graphProto({
            nodes: [
              { op: 'Add', in: ['a', 'a'], out: ['b'] },
              { op: 'Less', in: ['b', 'twice'], out: ['again'] },
              { op: 'Identity', in: ['b'], out: ['row'] },
            ],
            inputs: [scalar('i', 7), scalar('c', 9), { name: 'a', dims: [] }],
            outputs: ['again', 'b', 'row'],
          }),
        },
      },
    },
  ],
  inputs: [scalar('trips', 7), scalar('keep', 9), scalar('v', 1), scalar('limit', 1)],
  outputs: ['last', 'rows'],
};

const numbers = (results: ReadonlyArray<Tensor>) => results.map((r) => Array.from(toNumbers(r)));

describe('a loop', () => {
  const inputs = (trips: number, keep: number) => [
    tensor([trips], [], 'int64'),
    tensor([keep], [], 'bool'),
    tensor([1], [], 'float32'),
    tensor([5], [], 'float32'),
  ];

  test.each([
    [9, 1, [[16], [2, 4, 8, 16]]],
    [2, 1, [[4], [2, 4]]],
    [0, 1, [[1], []]],
    [9, 0, [[1], []]],
  ])('of at most %i steps, with condition %i', (trips, keep, expected) => {
    const f = imported(doubling);
    expect(numbers(run(f, inputs(trips, keep)))).toEqual(expected);
  });

  test('that cannot begin gives its first values, and no rows', () => {
    const known = { trips: tensor([0], [], 'int64'), keep: tensor([1], [], 'bool') };
    const f = imported(doubling, { constants: known });
    expect(numbers(run(f, inputs(0, 1).slice(2)))).toEqual([[1], []]);
  });

  const steps = (graph: GraphParts): GraphParts => ({
    nodes: [
      {
        op: 'Loop',
        in: ['n', '', 'x'],
        out: ['y'],
        attrs: {
          body: {
            g: graphProto({
              inputs: [scalar('i', 7), scalar('c', 9), { name: 'a', dims: [2] }],
              ...graph,
            }),
          },
        },
      },
    ],
    inputs: [{ name: 'x', dims: [2] }],
    initializers: [{ name: 'n', dims: [], type: 7, ints: [2] }],
    outputs: ['y'],
  });

  test('of a few known steps is their calls', () => {
    const graph = steps({
      nodes: [{ op: 'Exp', in: ['a'], out: ['b'] }],
      outputs: ['c', 'b'],
    });
    expect(orThrow(decodeModel(modelBytes(graph))).graph?.nodes.length).toBe(1);
    expect(summary(imported(graph).body)).toBe('exp(exp(x))');
  });

  test('whose values change their element type is refused', () => {
    const graph = steps({
      nodes: [
        { op: 'Shape', in: ['a'], out: ['b'] },
        { op: 'ReduceMin', in: ['a'], out: ['low'], attrs: { keepdims: { i: 0 } } },
        { op: 'Less', in: ['low', 'low'], out: ['again'] },
      ],
      outputs: ['again', 'b'],
    });
    expect(refused(graph)).toEqual([
      'ONNX_TYPE at test: Loop #0: expected values that a loop carries of one element type and one rank',
    ]);
  });
});
