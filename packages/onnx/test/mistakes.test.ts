/** The messages of the import for unexpected input. */
import { type Diagnostic, isLeft, printSpan } from '@baton/base';
import { type ImportOptions, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { type GraphParts, modelBytes } from './helpers/encode.ts';

/** Place, message and hint of each diagnostic. */
function told(bytes: unknown, options: object = {}): ReadonlyArray<string> {
  const all = { ops: standardOps, source: 'net.onnx', ...options } as ImportOptions;
  const result = importOnnx(bytes as Uint8Array, all);
  return isLeft(result) ? result.left.map(text) : ['imported'];
}

const text = (d: Diagnostic): string =>
  [
    d.span === undefined ? d.code : `${d.code} at ${printSpan(d.span)}`,
    d.message,
    ...(d.hint === undefined ? [] : [d.hint]),
  ].join(' | ');

const latin = (value: string): Uint8Array => Uint8Array.from(value, (c) => c.charCodeAt(0));

describe('U.11 bytes that are no ONNX model', () => {
  test.each([
    ['\n<!DOCTYPE html><html><body>Not found', 'an HTML page', 'take the address of the raw file'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'a PNG image', undefined],
    ['PK\x03\x04\x14\0\0\0', 'a zip archive', 'unpack it first; a PyTorch checkpoint is one'],
    ['\x1f\x8b\x08\0', 'a gzip archive', 'unpack it first'],
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n',
      'a pointer of Git LFS',
      'fetch the file itself with `git lfs pull`',
    ],
    ['\x89HDF\r\n', 'an HDF5 file', 'tf2onnx'],
    ['\x1c\0\0\0TFL3\x14\0', 'a TensorFlow Lite model', 'tf2onnx'],
    ['\x30\0\0\0ORTM\0\0', 'a model in the format ORT', 'the .onnx that it was made from'],
    ['{"model": 1}', 'JSON', undefined],
    ['# a note on the model that is not here', 'a text', undefined],
    ['', 'an empty file', undefined],
  ])('U.11 says what %j is', (start, what, hint) => {
    const [found = '', ...others] = told(latin(start));
    expect(others).toEqual([]);
    expect(found).toContain(
      `ONNX_MALFORMED at net.onnx: ModelProto at byte 0 | expected an ONNX model, found ${what}`,
    );
    expect(found.split(' | ')[2] ?? '').toContain(hint ?? '');
  });

  test('U.11 damage to a model is reported with its place', () => {
    const bytes = modelBytes({ nodes: [], initializers: [{ name: 'y', dims: [1], floats: [1] }] });
    expect(told(bytes.subarray(0, 20))[0]).toContain('expected more bytes, found the end');
  });

  test.each([
    [undefined, 'undefined', 'read the file into a Uint8Array first'],
    [null, 'null', 'read the file into a Uint8Array first'],
    ['net.onnx', 'a text', 'read the file first: a path is not opened here'],
    [new ArrayBuffer(8), 'an ArrayBuffer', 'give new Uint8Array(buffer)'],
    [Promise.resolve(), 'a Promise', 'await it first'],
    [[8, 8], 'an Array', 'read the file into a Uint8Array first'],
  ])('O.11 %s in the place of bytes', (bytes, what, hint) => {
    expect(told(bytes)).toEqual([
      `ONNX_BYTES at net.onnx: importOnnx bytes | expected the bytes of an ONNX file, found ${what} | ${hint}`,
    ]);
  });
});

const graph: GraphParts = {
  nodes: [
    { op: 'Relu', in: ['x'], out: ['r'] },
    { op: 'Add', in: ['r', 'w'] },
  ],
  inputs: [
    { name: 'x', dims: ['batch', 3, null] },
    { name: 'mask', dims: ['?', '?'] },
  ],
  initializers: [{ name: 'w', dims: [1], floats: [1] }],
};
const model = modelBytes(graph);
const one = tensor([1], [1], 'float32');

describe('U.4 names in the options', () => {
  test.each<readonly [object, string]>([
    [
      { dims: { bacth: 1 } },
      'expected one of the dimensions in the option dims, found bacth | did you mean `batch`? the dimensions are batch, x:2, mask:0, mask:1',
    ],
    [
      { dims: { 'x:1': 3 } },
      'expected one of the dimensions in the option dims, found x:1 | did you mean `x:2`? the dimensions are batch, x:2, mask:0, mask:1',
    ],
    [
      { constants: { msak: one } },
      'expected one of the inputs in the option constants, found msak | did you mean `mask`? the inputs are x, mask',
    ],
    [
      { weights: { v: one } },
      'expected one of the weights in the option weights, found v | did you mean `w`? the weights are w',
    ],
    [
      { weights: new Map([['weight', one]]) },
      'expected one of the weights in the option weights, found weight | the weights are w',
    ],
    [
      { limits: { node: 3 } },
      'expected one of the limits in the option limits, found node | did you mean `nodes`? the limits are nodes, values, attributeItems, depth, heapFactor, heapBase, bytes, elements and 3 more',
    ],
    [
      { dim: { batch: 1 } },
      'expected an option of importOnnx, found dim | did you mean `dims`? the options are ops, source, dims, weights, constants, externalData, ownsBytes, maxConstantBytes and 3 more',
    ],
    [{ dims: { batch: '1' } }, 'expected a number as option dims.batch, found a text'],
    [
      { maxConstantBytes: -1 },
      'expected a number of bytes as option maxConstantBytes, found a number',
    ],
    [
      { ops: undefined },
      'expected an operator table as option ops, found undefined | give standardOps of @baton/ops',
    ],
  ])('U.4 %j', (options, expected) => {
    const [found = '', ...others] = told(model, options);
    expect(others).toEqual([]);
    expect(found).toMatch(/^ONNX_OPTION at net.onnx: option \S+ \| /);
    expect(found.slice(found.indexOf(' | ') + 3)).toBe(expected);
  });

  test('U.4 a model without open dimensions says so', () => {
    const fixed = modelBytes({ ...graph, inputs: [{ name: 'x', dims: [2] }] });
    expect(told(fixed, { dims: { n: 1 } })).toEqual([
      'ONNX_OPTION at net.onnx: option dims.n | expected one of the dimensions in the option dims, found n | there are no dimensions',
    ]);
  });
});

describe('O.7 values and sizes unknown at import', () => {
  const convolved = modelBytes({
    nodes: [{ op: 'Conv', in: ['x', 'w'] }],
    inputs: [
      { name: 'x', dims: [1, 1, 4, 4] },
      { name: 'w', dims: [1, 1, 'h', null] },
    ],
  });
  const framed = modelBytes(
    {
      nodes: [{ op: 'STFT', in: ['s', 'step', 'x'] }],
      inputs: [{ name: 'x', dims: [-1] }],
      initializers: [
        { name: 's', dims: [1, 4, 1], floats: [1, 2, 3, 4] },
        { name: 'step', dims: [], ints: [1] },
      ],
    },
    17,
  );

  test('O.7 weights and windows name the dimensions that are open', () => {
    expect(told(convolved)).toEqual([
      'ONNX_NOT_CONSTANT at net.onnx: Conv #0 | expected a weight of known size | give sizes in the option dims: the model leaves h, w:3 open',
    ]);
    expect(told(framed)).toEqual([
      'ONNX_NOT_CONSTANT at net.onnx: STFT #0 | expected a known length of the windows | give sizes in the option dims: the model leaves x:0 open',
    ]);
  });

  test('O.7 nameless dimensions are set by input and axis', () => {
    expect(told(convolved, { dims: { h: 2, 'w:3': 2 } })).toEqual(['imported']);
    expect(told(framed, { dims: { 'x:0': 3 } })).toEqual(['imported']);
    expect(told(model, { dims: { 'mask:0': 2, 'mask:1': 3 } })).toEqual(['imported']);
  });

  test('O.7 dimensions are no remedy where all are given', () => {
    const shape = { name: 's', dims: [1], type: 7 };
    const given = modelBytes({
      nodes: [{ op: 'Unsqueeze', in: ['x', 's'] }],
      inputs: [{ name: 'x', dims: [2] }, shape],
    });
    expect(told(given)).toEqual([
      'ONNX_NOT_CONSTANT at net.onnx: Unsqueeze #0 | expected a constant as input 1 | give the value of input s in the option constants',
    ]);
    const computed = modelBytes({
      nodes: [
        { op: 'Neg', in: ['s'], out: ['t'] },
        { op: 'Unsqueeze', in: ['x', 't'] },
      ],
      inputs: [{ name: 'x', dims: [2] }, shape],
    });
    expect(told(computed)).toEqual([
      'ONNX_NOT_CONSTANT at net.onnx: Unsqueeze #1 | expected a constant as input 1',
    ]);
  });
});

describe('operators that are not imported say why', () => {
  test.each([
    ['ai.onnx', 'ImageDecoder', 'it decodes files of images: decode them before the model'],
    ['', 'StringConcat', 'it computes with texts, and tensors here hold numbers and bools'],
    ['ai.onnx.ml', 'TreeEnsemble', 'operators of classical machine learning are not imported'],
    ['ai.onnx.preview.training', 'Adam', 'operators of training are not imported'],
  ])('%s %s', (domain, op, why) => {
    const [found = ''] = told(modelBytes({ nodes: [{ op, domain }] }));
    expect(found).toContain(`${op} is not imported: 1 node | ${why}`);
  });
});
