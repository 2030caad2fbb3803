import { isLeft } from '@baton/base';
import { opTable } from '@baton/ir';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { bytes, type GraphParts, graphProto, int, modelBytes, text } from './helpers/encode.ts';
import { type Row, refused, table } from './helpers/import.ts';

const x = { name: 'x', dims: [2, 3] };
const relu = { op: 'Relu', in: ['x'] };

describe('all unsupported features are reported at once', () => {
  const lacking: GraphParts = {
    nodes: [
      { op: 'Relu', in: ['x'], out: ['a'] },
      { op: 'Frobnicate', in: ['a'], out: ['b'], name: 'first' },
      { op: 'FusedGelu', domain: 'com.microsoft', in: ['b'], out: ['c'] },
      { op: 'Frobnicate', in: ['c'], out: ['d'], name: 'second' },
    ],
    inputs: [x],
    outputs: ['d'],
  };
  test('operators once each, with their number and the first node', () => {
    expect(refused(lacking)).toEqual([
      'ONNX_UNSUPPORTED at test: Frobnicate first: operator Frobnicate is not imported: 2 nodes',
      'ONNX_UNSUPPORTED at test: FusedGelu #2: operator com.microsoft::FusedGelu is not imported: 1 node',
    ]);
  });

  test('operators that the table lacks', () => {
    const found = refused({ nodes: [relu], inputs: [x] }, { ops: opTable([]) });
    expect(found).toEqual([
      'ONNX_UNSUPPORTED at test: Relu #0: the operator table lacks nn.relu, which this node needs',
    ]);
  });

  test('an operator set that is too old for an operator, or too new', () => {
    const old = { nodes: [{ op: 'Concat', in: ['x', 'x'] }], inputs: [x] };
    expect(refused(old, { opset: 3 })).toEqual([
      'ONNX_UNSUPPORTED at test: Concat #0: operator Concat of operator set 3 is not imported: 1 node',
    ]);
    expect(refused({ nodes: [relu], inputs: [x] }, { opset: 99 })).toEqual([
      'ONNX_OPSET at test: GraphProto test: expected operator set ai.onnx of version 1 to 28, found 99',
    ]);
  });

  test('an operator set that the model does not name', () => {
    const file = bytes(7, graphProto({ nodes: [relu], inputs: [x] }));
    const result = importOnnx(Uint8Array.from(file), { ops: standardOps });
    expect(isLeft(result) && result.left[0].message).toContain('found none');
  });
});

describe('graphs that are wrong', () => {
  const cases: ReadonlyArray<Row<ReadonlyArray<string>>> = [
    [
      'a value that nothing defines, told once',
      {
        nodes: [
          { op: 'Add', in: ['x', 'nowhere'], out: ['a'] },
          { op: 'Add', in: ['a', 'nowhere'] },
        ],
        inputs: [x],
      },
      ['ONNX_VALUE at test: Add #0: expected a value nowhere, found none of this name'],
    ],
    [
      'nodes that need each other',
      {
        nodes: [
          { op: 'Relu', in: ['a'] },
          { op: 'Relu', in: ['y'], out: ['a'] },
        ],
        inputs: [x],
      },
      ['ONNX_ORDER at test: Relu #1: value y depends on itself'],
    ],
    [
      'a cycle',
      { nodes: [{ op: 'Relu', in: ['y'] }], inputs: [x] },
      ['ONNX_ORDER at test: Relu #0: value y depends on itself'],
    ],
    [
      'two results of one name',
      { nodes: [relu, { op: 'Exp', in: ['x'] }], inputs: [x] },
      ['ONNX_DUPLICATE at test: Exp #1: expected one value of each name, found two of y'],
    ],
    [
      'a result with the name of an input',
      { nodes: [{ op: 'Relu', in: ['x'], out: ['x'] }], inputs: [x], outputs: ['x'] },
      ['ONNX_DUPLICATE at test: Relu #0: expected one value of each name, found two of x'],
    ],
    [
      'two inputs of one name',
      { nodes: [relu], inputs: [x, x] },
      ['ONNX_DUPLICATE at test: input x: expected one value of each name, found two of x'],
    ],
    [
      'two initializers of one name',
      {
        nodes: [],
        initializers: [
          { name: 'y', dims: [], floats: [1] },
          { name: 'y', dims: [], floats: [2] },
        ],
      },
      ['ONNX_DUPLICATE at test: Initializer y: expected one value of each name, found two of y'],
    ],
    [
      'an output that nothing defines',
      { nodes: [], inputs: [x] },
      ['ONNX_VALUE at test: output y: expected a value y, found none of this name'],
    ],
    [
      'no output',
      { nodes: [relu], inputs: [x], outputs: [] },
      ['ONNX_VALUE at test: GraphProto test: expected a graph with outputs, found none'],
    ],
    [
      'one output twice',
      { nodes: [relu], inputs: [x], outputs: ['y', 'y'] },
      ['ONNX_DUPLICATE at test: output y: expected one value of each name, found two of y'],
    ],
    [
      'too few inputs of a node',
      { nodes: [{ op: 'Add', in: ['x'] }], inputs: [x] },
      ['ONNX_INPUTS at test: Add #0: expected 2 inputs of Add, found 1'],
    ],
    [
      'too many inputs of a node',
      { nodes: [{ op: 'Clip', in: ['x', 'x', 'x', 'x'] }], inputs: [x] },
      ['ONNX_INPUTS at test: Clip #0: expected 1 to 3 inputs of Clip, found 4'],
    ],
    [
      'a required input that is left out',
      { nodes: [{ op: 'Add', in: ['', 'x'] }], inputs: [x] },
      ['ONNX_INPUTS at test: Add #0: expected input 0 of Add, found none'],
    ],
    [
      'a graph input without shape',
      { nodes: [relu], inputs: [{ name: 'x' }] },
      [
        'ONNX_INPUT_TYPE at test: input x: expected input x to be a tensor of known rank, found no shape',
      ],
    ],
    [
      'a graph input of text',
      { nodes: [relu], inputs: [{ name: 'x', dims: [], type: 8 }] },
      [
        'ONNX_ELEMENT_TYPE at test: input x: expected an element type of numbers or bool, found string',
      ],
    ],
    [
      'a graph input of rank 17',
      { nodes: [relu], inputs: [{ name: 'x', dims: new Array<number>(17).fill(1) }] },
      ['ONNX_LIMIT at test: input x: expected at most 16 dimensions, found 17'],
    ],
    [
      'a graph input of an impossible size',
      { nodes: [relu], inputs: [{ name: 'x', dims: [2 ** 60] }] },
      [
        `ONNX_DIM at test: input x: expected whole sizes from 0 to 9007199254740991 for the dimensions of x, found ${2 ** 60}`,
      ],
    ],
    [
      'an attribute that the operator does not have',
      { nodes: [{ ...relu, attrs: { slope: { f: 1 } } }], inputs: [x] },
      ['ONNX_ATTRIBUTE at test: Relu #0: expected an attribute of the operator, found slope'],
    ],
    [
      'an attribute of another kind',
      { nodes: [{ op: 'Softmax', in: ['x'], attrs: { axis: { f: 1 } } }], inputs: [x] },
      ['ONNX_ATTRIBUTE at test: Softmax #0: expected attribute axis of kind int, found float'],
    ],
    [
      'an attribute whose name JavaScript knows',
      { nodes: [{ ...relu, attrs: { constructor: { f: 1 } } }], inputs: [x] },
      ['ONNX_ATTRIBUTE at test: Relu #0: expected an attribute of the operator, found constructor'],
    ],
  ];
  test.each(table(cases))('$name', ({ graph, expected, options }) => {
    expect(refused(graph, options)).toEqual(expected);
  });

  test('mismatched shapes are reported at the node, and not again at later nodes', () => {
    const found = refused({
      nodes: [
        { op: 'Add', in: ['x', 'z'], out: ['a'], name: 'sum' },
        { op: 'Relu', in: ['a'], out: ['b'] },
        { op: 'Softmax', in: ['x'], out: ['c'], attrs: { axis: { i: 5 } } },
        { op: 'Add', in: ['b', 'c'] },
      ],
      inputs: [x, { name: 'z', dims: [2, 4] }],
    });
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('at test: Add sum: ');
    expect(found[1]).toContain('ONNX_AXIS at test: Softmax #2');
  });

  test('an attribute given twice', () => {
    const attribute = bytes(5, [...text(1, 'axis'), ...int(3, 1), ...int(20, 2)]);
    const node = bytes(1, [
      ...text(1, 'x'),
      ...text(2, 'y'),
      ...text(4, 'Softmax'),
      ...attribute,
      ...attribute,
    ]);
    const found = refused({ nodes: [], inputs: [x], extra: node });
    expect(found).toEqual(['ONNX_ATTRIBUTE at test: Softmax #0: attribute axis is given twice']);
  });

  test('a long list of problems is cut, and the rest counted', () => {
    const nodes = Array.from({ length: 150 }, (_, i) => ({
      op: 'Add',
      in: ['x', `no${i}`],
      out: [`y${i}`],
    }));
    const found = refused({ nodes, inputs: [x], outputs: nodes.flatMap((node) => node.out) });
    expect(found).toHaveLength(101);
    expect(found[100]).toContain('50 further problems not listed');
  });

  test('a file without graph', () => {
    const result = importOnnx(Uint8Array.from(int(1, 8)), { ops: standardOps });
    expect(isLeft(result) && result.left[0].message).toContain('expected a model with a graph');
  });

  test('names are cut before they are shown', () => {
    const found = refused({ nodes: [{ op: 'Z'.repeat(5000), in: ['x'] }], inputs: [x] });
    const message = found[0]?.split(': ').slice(2).join(': ') ?? '';
    expect(message.length).toBeLessThan(300);
  });

  test('a model in a Node buffer that begins at an odd byte is read', () => {
    const file = modelBytes({
      nodes: [],
      initializers: [{ name: 'y', dims: [1], raw: [0, 0, 128, 63] }],
    });
    const inside = Buffer.concat([Buffer.from([0]), file]).subarray(1);
    expect(isLeft(importOnnx(inside, { ops: standardOps }))).toBe(false);
  });
});
