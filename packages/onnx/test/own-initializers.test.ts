/** Initializers in the graph that uses them: runtimes hand those of outer graphs over at each run of an inner one. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { type GraphParts, graphProto, modelBytes, type NodeParts } from './helpers/encode.ts';

const plus = (from: string, weight: string, to: string): NodeParts => ({
  op: 'Add',
  in: [from, weight],
  out: [to],
});

/** A weight that is known by its first element. */
const weight = (name: string, start: number) => ({
  name,
  dims: [4],
  floats: [0, 1, 2, 3].map((i) => start + i),
});

const inputs = [
  { name: 'x', dims: ['n', 4] },
  { name: 'b', dims: [], type: 9 },
  { name: 'd', dims: [], type: 9 },
];

const choice = (
  whenTrue: GraphParts,
  whenFalse: GraphParts,
  out: string,
  condition = 'b',
): NodeParts => ({
  op: 'If',
  in: [condition],
  out: [out],
  attrs: {
    then_branch: { g: graphProto({ outputs: ['r'], ...whenTrue }) },
    else_branch: { g: graphProto({ outputs: ['r'], ...whenFalse }) },
  },
});

/** The first elements of the initializers: of the file's graph, and of each branch in the order of nodes. */
function written(graph: GraphParts): ReadonlyArray<ReadonlyArray<number>> {
  const m = orThrow(importOnnx(modelBytes(graph, 17), { ops: standardOps }));
  const file = orThrow(decodeModel(orThrow(exportOnnx(m)))).graph;
  const found: number[][] = [];
  const pending = file === undefined ? [] : [file];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    found.push(
      next.initializers.map(({ payload, file: bytes }) => {
        if (payload?._tag !== 'Raw' || bytes === undefined) return Number.NaN;
        return new DataView(bytes.buffer, bytes.byteOffset + payload.start).getFloat32(0, true);
      }),
    );
    for (const { attributes } of next.nodes) {
      for (const { value } of attributes) if (value?.kind === 'graph') pending.push(value.value);
    }
  }
  return found;
}

describe('X: an initializer that one graph uses is its own', () => {
  const outputs = [{ name: 'y', dims: ['n', 4] }];
  const initializers = [weight('u', 10), weight('v', 20), weight('w', 30)];

  it.each<[string, ReadonlyArray<NodeParts>, ReadonlyArray<ReadonlyArray<number>>]>([
    [
      'in each branch',
      [choice({ nodes: [plus('x', 'u', 'r')] }, { nodes: [plus('x', 'v', 'r')] }, 'y')],
      [[], [10], [20]],
    ],
    [
      'but not of both branches',
      [
        choice(
          { nodes: [plus('x', 'u', 't'), plus('t', 'w', 'r')] },
          { nodes: [plus('x', 'w', 'r')] },
          'y',
        ),
      ],
      [[30], [], [10]],
    ],
    [
      'but not of a branch and the graph around it',
      [
        choice({ nodes: [plus('x', 'u', 'r')] }, { nodes: [plus('x', 'v', 'r')] }, 'c'),
        plus('c', 'u', 'y'),
      ],
      [[10], [], [20]],
    ],
    [
      'of inner branches, in the branch around them',
      [
        choice(
          {
            nodes: [
              choice(
                { nodes: [plus('x', 'u', 'r')] },
                { nodes: [{ op: 'Exp', in: ['x'], out: ['s'] }, plus('s', 'u', 'r')] },
                'r',
                'd',
              ),
            ],
          },
          { nodes: [plus('x', 'v', 'r')] },
          'y',
        ),
      ],
      [[], [], [], [10], [20]],
    ],
  ])('%s', (_, nodes, expected) => {
    const found = written({ nodes, inputs, outputs, initializers });
    // The file's graph is the first; branches come in the order of their attributes' names.
    expect(found[0]).toEqual(expected[0]);
    expect(found.toSorted(byNumbers)).toEqual([...expected].toSorted(byNumbers));
  });
});

const byNumbers = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.length - b.length || (a[0] ?? 0) - (b[0] ?? 0);
