import { orThrow } from '@baton/base';
import { type Expr, postOrderExprs } from '@baton/ir';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { modelBytes } from './helpers/encode.ts';
import { imported, refused, summary, typeText } from './helpers/import.ts';

const x = { name: 'x', dims: [2, 3] };
const relu = { op: 'Relu', in: ['x'] };

describe('the import of a graph', () => {
  test('inputs are parameters, with the types that the file gives them', () => {
    const main = imported(
      {
        nodes: [relu],
        inputs: [
          { name: 'x', dims: ['batch', 'other', null, 3, -1] },
          { name: 'mask', dims: [], type: 9 },
          { name: 'half', dims: [0], type: 10 },
        ],
        outputs: ['y'],
      },
      { dims: { batch: 4 } },
    );
    expect(main.params.map((p) => `${p.nameHint}: ${typeText(p.typeAnnotation)}`)).toEqual([
      'x: float32(4, ?, ?, 3, ?)',
      'mask: bool()',
      'half: float16(0)',
    ]);
  });

  test('several outputs are a tuple; one is itself', () => {
    const nodes = [
      { op: 'Relu', in: ['x'], out: ['a'] },
      { op: 'Exp', in: ['a'], out: ['b'] },
    ];
    expect(summary(imported({ nodes, inputs: [x], outputs: ['b', 'a', 'x'] }).body)).toBe(
      '(exp(nn.relu(x)), nn.relu(x), x)',
    );
    expect(summary(imported({ nodes, inputs: [x], outputs: ['b'] }).body)).toBe('exp(nn.relu(x))');
  });

  test('O.12 the names of the outputs are an attribute of the function', () => {
    const { attrs } = imported({ nodes: [relu], inputs: [x], outputs: ['y', 'x'] });
    expect(attrs).toEqual({ output_tensor_names: ['y', 'x'] });
  });

  test('O.9 an input of texts that nothing uses is left out', () => {
    const names = { name: 'names', dims: [2], type: 8 };
    const { params } = imported({ nodes: [relu], inputs: [names, x] });
    expect(params.map((p) => p.nameHint)).toEqual(['x']);
    const used = { nodes: [{ op: 'QuantizeLinear', in: ['x', 'x', 'z'] }], inputs: [x] };
    const float6 = { name: 'z', dims: [], type: 27 };
    expect(refused({ ...used, inputs: [x, float6] })).toEqual([
      'ONNX_ELEMENT_TYPE at test: input z: expected an element type of numbers or bool, found float6e2m3',
    ]);
  });

  test.each([
    [14, 'complex64'],
    [15, 'complex128'],
    [27, 'float6e2m3'],
    [28, 'float6e3m2'],
  ])('O.10 element type %i is %s', (type, name) => {
    expect(refused({ nodes: [relu], inputs: [{ name: 'x', dims: [2], type }] })).toEqual([
      `ONNX_ELEMENT_TYPE at test: input x: expected an element type of numbers or bool, found ${name}`,
    ]);
  });

  test('a value that two nodes use is one node', () => {
    const main = imported({
      nodes: [
        { op: 'Relu', in: ['x'], out: ['a'] },
        { op: 'Add', in: ['a', 'a'] },
      ],
      inputs: [x],
    });
    const { body } = main;
    expect(body._tag === 'Call' && body.args[0] === body.args[1]).toBe(true);
  });

  test('initializers that are listed as inputs are constants, and unused ones are dropped', () => {
    const main = imported(
      {
        nodes: [{ op: 'Add', in: ['x', 'w'] }],
        inputs: [x, { name: 'w', dims: [3] }, { name: 'unused', dims: [3] }],
        initializers: [
          { name: 'w', dims: [3], floats: [1, 2, 3] },
          // Its elements do not fill it, but it is not used.
          { name: 'unused', dims: [3], floats: [1] },
        ],
      },
      { defaults: 'constants' },
    );
    expect(main.params.map((p) => p.nameHint)).toEqual(['x']);
    expect(summary(main.body)).toBe('add(x, float32(3)[1, 2, 3])');
  });

  test('every node knows where it comes from', () => {
    const main = imported({
      nodes: [
        { op: 'Relu', in: ['x'], out: ['a'], name: 'first' },
        { op: 'Add', in: ['a', 'w'] },
      ],
      inputs: [x],
      initializers: [{ name: 'w', dims: [], floats: [1] }],
    });
    const places = postOrderExprs([main.body]).flatMap((e) =>
      e.span === undefined ? [] : [e.span],
    );
    expect(places).toEqual([
      { _tag: 'NodeSpan', source: 'test', name: 'x', op: 'input' },
      { _tag: 'NodeSpan', source: 'test', name: 'first', op: 'Relu' },
      { _tag: 'NodeSpan', source: 'test', name: 'w', op: 'Initializer' },
      { _tag: 'NodeSpan', source: 'test', name: '#1', op: 'Add' },
    ]);
  });

  test('raw data are used as they lie in the file', () => {
    const file = modelBytes({
      nodes: [{ op: 'Add', in: ['x', 'w'] }],
      inputs: [{ name: 'x', dims: [2], type: 3 }],
      initializers: [{ name: 'w', dims: [2], type: 3, raw: [1, 255] }],
    });
    const module = orThrow(importOnnx(file, { ops: standardOps }));
    const constants = postOrderExprs([module.functions.get('main')?.body as Expr]).flatMap((e) =>
      e._tag === 'Constant' ? [e.data] : [],
    );
    expect(constants[0]?.data).toEqual(Int8Array.from([1, -1]));
    expect(constants[0]?.data.buffer).toBe(file.buffer);
  });

  test('a chain of 15,000 nodes is imported', () => {
    const nodes = Array.from({ length: 15_000 }, (_, i) => ({
      op: 'Relu',
      in: [i === 0 ? 'x' : `v${i}`],
      out: [`v${i + 1}`],
    }));
    const main = imported({ nodes, inputs: [x], outputs: ['v15000'] });
    expect(postOrderExprs([main.body]).filter((e) => e._tag === 'Call')).toHaveLength(15_000);
  });
});

describe('element types', () => {
  const cases: ReadonlyArray<readonly [string, number, ReadonlyArray<number>, string]> = [
    ['float32', 1, [0, 0, 0x80, 0x3f], 'float32(1)[1]'],
    ['uint8', 2, [200], 'uint8(1)[200]'],
    ['int8', 3, [200], 'int8(1)[-56]'],
    ['uint16', 4, [0xff, 0xff], 'uint16(1)[65535]'],
    ['int16', 5, [0xff, 0xff], 'int16(1)[-1]'],
    ['int32', 6, [0xfe, 0xff, 0xff, 0xff], 'int32(1)[-2]'],
    ['int64', 7, [0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 'int64(1)[-3]'],
    ['bool', 9, [1], 'bool(1)[1]'],
    ['float16', 10, [0, 0x3e], 'float16(1)[1.5]'],
    ['float64', 11, [0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 'float64(1)[1.5]'],
    ['uint32', 12, [0xff, 0xff, 0xff, 0xff], 'uint32(1)[4294967295]'],
    ['uint64', 13, [1, 0, 0, 0, 0, 0, 0, 0], 'uint64(1)[1]'],
    ['bfloat16', 16, [0x80, 0xbf], 'bfloat16(1)[-1]'],
  ];
  test.each(cases)('raw %s', (_, type, raw, expected) => {
    const graph = { nodes: [], initializers: [{ name: 'y', dims: [1], type, raw }] };
    expect(summary(imported(graph).body)).toBe(expected);
  });
});
