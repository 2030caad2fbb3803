import type { Expr } from '@baton/ir';
import { tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import type { GraphParts, NodeParts } from './helpers/encode.ts';
import { imported, refused, summary, table } from './helpers/import.ts';
import { ints, one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

/** The body of the function that stands for a node, and whose first result is taken. */
function nodeBody(expr: Expr): Expr {
  const called = expr._tag === 'TupleGetItem' ? expr.tuple : expr;
  if (called._tag !== 'Call' || called.op._tag !== 'Function') throw new Error('no node');
  return called.op.body;
}

describe('shapes', () => {
  const S = [
    'newshape',
    'allowzero',
    'axis',
    'num_newaxis',
    'axes',
    'begin',
    'end',
    'strides',
    'keepdims',
  ];
  test.each(
    table<string>([
      [
        'Reshape',
        one('Reshape', { x: [2, 3] }, {}, [ints('s', [0, -1])]),
        'reshape(x, newshape=[0,-1], allowzero=0)',
      ],
      ['Flatten', one('Flatten', { x: [2, 3, 4] }), 'nn.batch_flatten(x)'],
      [
        'Flatten at 0',
        one('Flatten', { x: [2, 3, 4] }, { axis: { i: 0 } }),
        'reshape(x, newshape=[1,24], allowzero=1)',
      ],
      [
        'Flatten behind unknown axes',
        one('Flatten', { x: ['n', 'm', 4] }, { axis: { i: -1 } }),
        'reshape(x, newshape=[-1,4], allowzero=1)',
      ],
      ['Transpose', one('Transpose', { x: [2, 3] }), 'transpose(x, axes=null)'],
      [
        'Unsqueeze before 13',
        one('Unsqueeze', { x: [2, 3] }, { axes: { ints: [3, 0, 1] } }),
        'expand_dims(expand_dims(x, axis=0, num_newaxis=2), axis=3, num_newaxis=1)',
        { opset: 11 },
      ],
      [
        'Unsqueeze',
        one('Unsqueeze', { x: [2] }, {}, [ints('a', [-1])]),
        'expand_dims(x, axis=1, num_newaxis=1)',
      ],
      ['Squeeze', one('Squeeze', { x: [1, 2, 1] }, {}, [ints('a', [-1])]), 'squeeze(x, axis=[-1])'],
      ['Squeeze of all', one('Squeeze', { x: [1, 2, 1] }), 'squeeze(x, axis=null)'],
      ['ReduceMean of all', one('ReduceMean', { x: [2, 3] }), 'mean(x, axis=null, keepdims=true)'],
      [
        'ReduceMean before 18',
        one('ReduceMean', { x: [2, 3] }, { axes: { ints: [-1] }, keepdims: { i: 0 } }),
        'mean(x, axis=[-1], keepdims=false)',
      ],
      [
        'ReduceSum',
        one('ReduceSum', { x: [2, 3] }, {}, [ints('a', [1])]),
        'sum(x, axis=[1], keepdims=true)',
      ],
      [
        'ReduceSum of nothing',
        one('ReduceSum', { x: [2, 3] }, { noop_with_empty_axes: { i: 1 } }),
        'x',
      ],
      ['Shape', one('Shape', { x: [2, 3] }), 'int64(2)[2, 3]'],
      [
        'Shape of a part',
        one('Shape', { x: ['n', 3, 4] }, { start: { i: -2 } }),
        'int64(2)[3, 4]',
        { opset: 15 },
      ],
      [
        'Slice to the end',
        one('Slice', { x: [5, 6] }, {}, [
          ints('s', [-3]),
          ints('e', [2n ** 63n - 1n]),
          ints('a', [1]),
        ]),
        'strided_slice(x, axes=[1], begin=[3], end=[6], strides=[1])',
      ],
      [
        'Slice backwards to the beginning',
        one('Slice', { x: [5] }, {}, [
          ints('s', [-1]),
          ints('e', [-(2n ** 63n)]),
          ints('a', [0]),
          ints('t', [-1]),
        ]),
        'strided_slice(x, axes=[0], begin=[4], end=[-6], strides=[-1])',
      ],
    ]),
  )('$name', ({ graph, expected, options }) => {
    expect(summary(imported(graph, options).body, S)).toBe(expected);
  });

  test.each<readonly [string, GraphParts, string]>([
    ['Tile by floats', one('Tile', { x: [2], s: [1] }), 'OP_DTYPE_DOMAIN'],
    ['Reshape to codes of Relay', one('Reshape', { x: [2] }, {}, [ints('s', [-2])]), 'ONNX_SHAPE'],
    [
      'Reshape to another size',
      one('Reshape', { x: [2] }, {}, [ints('s', [3])]),
      'at test: Reshape',
    ],
    [
      'Unsqueeze of one axis twice',
      one('Unsqueeze', { x: [2] }, {}, [ints('a', [0, 0])]),
      'ONNX_AXIS',
    ],
    [
      'Unsqueeze to rank 17',
      one('Unsqueeze', { x: [2] }, {}, [
        ints(
          'a',
          Array.from({ length: 16 }, (_, i) => i),
        ),
      ]),
      'ONNX_RANK',
    ],
    [
      'Reshape to rank 17',
      one('Reshape', { x: [1] }, {}, [ints('a', new Array<number>(17).fill(1))]),
      'ONNX_LIMIT',
    ],
    ['Gather out of range', one('Gather', { x: [2] }, {}, [ints('i', [2])]), 'ONNX_INDEX'],
    ['Concat without axis', one('Concat', { x: [2] }), 'ONNX_ATTRIBUTE'],
    [
      'Slice with a step of 0',
      one('Slice', { x: [5] }, {}, [
        ints('s', [0]),
        ints('e', [1]),
        ints('a', [0]),
        ints('t', [0]),
      ]),
      'ONNX_INPUTS',
    ],
    ['Cast to text', one('Cast', { x: [5] }, { to: { i: 8 } }), 'ONNX_ELEMENT_TYPE'],
    ['Constant without value', one('Constant', {}), 'ONNX_ATTRIBUTE'],
    [
      'MatMul of batches that do not match',
      one('MatMul', { x: [2, 1, 3, 4], z: [3, 1, 4, 5] }),
      'ONNX_SHAPE',
    ],
  ])('%s is refused', (_, graph, expected) => {
    const found = refused(graph);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  test('Reshape to sizes of another value keeps those that are known', () => {
    const { body } = imported({
      inputs: [
        { name: 'x', dims: ['n', 'm'] },
        { name: 'z', dims: ['k', 'l'] },
      ],
      initializers: [ints('four', [4])],
      nodes: [
        { op: 'Shape', in: ['z'], out: ['s'] },
        { op: 'Concat', in: ['s', 'four'], out: ['t'], attrs: { axis: { i: 0 } } },
        { op: 'Reshape', in: ['x', 't'] },
      ],
    });
    expect(summary(body, ['newshape'])).toBe(
      'reshape(dyn.reshape(x, concatenate((shape_of(z), int64(1)[4]))), newshape=[0,0,4])',
    );
  });

  test('Squeeze drops an open axis that its result lacks, in the order of the axes', () => {
    const { body } = imported({
      inputs: [{ name: 'x', dims: ['n', 1, 'm'] }],
      outputs: [{ name: 'y', dims: ['m'] }],
      nodes: [{ op: 'Squeeze', in: ['x'] }],
    });
    expect(summary(nodeBody(body), S)).toBe('(squeeze(x0, axis=[0,1]))');
  });

  test('Split of an axis that nothing names stays a node, from the set that takes sizes as data', () => {
    const split = (opset: number, node: NodeParts): string => {
      const nodes = [{ op: 'NonZero', in: ['x'], out: ['i'] }, node];
      const graph = {
        nodes,
        inputs: [{ name: 'x', dims: [5] }],
        initializers: [ints('sizes', [1, 2])],
        outputs: ['a', 'b'],
      };
      return summary(imported(graph, { opset }).body);
    };
    const attrs = { axis: { i: 1 } };
    const given = split(13, { op: 'Split', in: ['i', 'sizes'], out: ['a', 'b'], attrs });
    expect(given).toBe('(?(?(x).0, int64(2)[1, 2]).0, ?(?(x).0, int64(2)[1, 2]).1)');
    const stated = { ...attrs, split: { ints: [1, 2] } };
    expect(split(11, { op: 'Split', in: ['i'], out: ['a', 'b'], attrs: stated })).toBe(
      '(reshape(strided_slice(?(x).0)), reshape(strided_slice(?(x).0)))',
    );
  });

  test('subgraphs that compute shapes are constants', () => {
    const { body } = imported(
      {
        inputs: [{ name: 'x', dims: ['n', 'm', 8] }],
        initializers: [ints('zero', [0]), ints('one', [1]), ints('rest', [2, 4])],
        nodes: [
          { op: 'Shape', in: ['x'], out: ['s'] },
          { op: 'Gather', in: ['s', 'zero'], out: ['n'] },
          { op: 'Gather', in: ['s', 'one'], out: ['m'] },
          { op: 'Mul', in: ['n', 'm'], out: ['nm'] },
          { op: 'Concat', in: ['nm', 'rest'], out: ['t'], attrs: { axis: { i: 0 } } },
          { op: 'Reshape', in: ['x', 't'] },
        ],
      },
      { dims: { n: 3, m: 5 } },
    );
    expect(summary(body, ['newshape'])).toBe('reshape(x, newshape=[15,2,4])');
  });
});

describe('O.6 a slice that begins past its end has no elements', () => {
  test.each([
    [4, 1, 1, [5], []],
    [7, 9, 1, [5], []],
    [1, 3, -1, [5], []],
    [-10, -20, -1, [5], [0]],
    [4, 1, 1, ['n'], []],
    [1, 2 ** 62, 2, ['n'], [1, 3]],
  ])('O.6 from %i to %i by %i over %j', (from, to, step, dims, expected) => {
    const lists = [ints('s', [from]), ints('e', [to]), ints('a', [0]), ints('t', [step])];
    const [y] = run(imported(one('Slice', { x: dims }, {}, lists)), [
      tensor([0, 1, 2, 3, 4], [5], 'float32'),
    ]);
    expect(y === undefined ? undefined : Array.from(toNumbers(y))).toEqual(expected);
  });
});
