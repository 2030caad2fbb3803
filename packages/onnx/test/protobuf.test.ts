import { isLeft } from '@baton/base';
import { decodeModel } from '@baton/onnx';
import { describe, expect, test } from 'vitest';
import {
  type Attribute,
  type Bytes,
  bytes,
  float,
  graphProto,
  int,
  modelBytes,
  nodeProto,
  text,
  valueInfo,
  varint,
} from './helpers/encode.ts';

function decoded(file: Iterable<number>) {
  const result = decodeModel(Uint8Array.from(file), { source: 'test.onnx' });
  if (isLeft(result)) throw new Error(result.left[0].message);
  return result.right;
}

const graphOf = (graph: Bytes) => decoded(bytes(7, graph)).graph;

/** The code and message of the first diagnostic. */
function refusal(file: Iterable<number>): string {
  const result = decodeModel(Uint8Array.from(file), { source: 'test.onnx' });
  return isLeft(result) ? `${result.left[0].code}: ${result.left[0].message}` : 'accepted';
}

describe('messages of an ONNX file', () => {
  test('a model holds its version, operator sets, graph and functions', () => {
    const fn = [...text(1, 'F'), ...bytes(7, nodeProto({ op: 'Relu' })), ...text(10, 'local')];
    const model = decoded([
      ...int(1, 8),
      ...text(2, 'producer'),
      ...bytes(8, [...text(1, 'ai.onnx'), ...int(2, 13)]),
      ...bytes(8, [...text(1, 'com.microsoft'), ...int(2, 1)]),
      ...bytes(7, []),
      ...bytes(25, fn),
      ...bytes(14, [...text(1, 'key'), ...text(2, 'value')]),
    ]);
    expect(model.irVersion).toBe(8);
    expect(model.opsetImports).toEqual([
      { domain: '', version: 13 },
      { domain: 'com.microsoft', version: 1 },
    ]);
    expect(model.graph?.nodes).toEqual([]);
    expect(model.functions.map((f) => [f.domain, f.name, f.nodes.length])).toEqual([
      ['local', 'F', 1],
    ]);
  });

  test('a node holds names, operator, domain and attributes', () => {
    const node = nodeProto({
      op: 'Conv',
      in: ['x', '', 'b'],
      out: ['y', 'z'],
      name: 'conv',
      domain: 'd',
      attrs: { group: { i: 2 } },
    });
    expect(graphOf(bytes(1, node))?.nodes).toEqual([
      {
        name: 'conv',
        opType: 'Conv',
        domain: 'd',
        overload: '',
        inputs: ['x', '', 'b'],
        outputs: ['y', 'z'],
        attributes: [{ name: 'group', value: { kind: 'int', value: 2 } }],
      },
    ]);
  });

  const attributes: ReadonlyArray<readonly [string, Attribute, unknown]> = [
    ['an int', { i: -3 }, { kind: 'int', value: -3 }],
    ['the largest int', { i: 2n ** 63n - 1n }, { kind: 'int', value: 2n ** 63n - 1n }],
    ['the least int', { i: -(2n ** 63n) }, { kind: 'int', value: -(2n ** 63n) }],
    ['an int of 53 bits', { i: 2 ** 53 - 1 }, { kind: 'int', value: 2 ** 53 - 1 }],
    ['a float', { f: 0.5 }, { kind: 'float', value: 0.5 }],
    ['a text', { s: 'größe €𝄞' }, { kind: 'string', value: 'größe €𝄞' }],
    ['ints', { ints: [1, -1, 300] }, { kind: 'ints', value: [1, -1, 300] }],
    ['no ints', { ints: [] }, { kind: 'ints', value: [] }],
    ['floats', { floats: [1, -2.5] }, { kind: 'floats', value: [1, -2.5] }],
    ['texts', { strings: ['a', ''] }, { kind: 'strings', value: ['a', ''] }],
  ];
  test.each(attributes)('an attribute holds %s', (_, value, expected) => {
    const node = graphOf(bytes(1, nodeProto({ op: 'A', attrs: { a: value } })))?.nodes[0];
    expect(node?.attributes).toEqual([{ name: 'a', value: expected }]);
  });

  test('lists of numbers may be packed, and in several pieces', () => {
    const packed = [
      ...text(1, 'a'),
      ...bytes(8, [...varint(1), ...varint(-2)]),
      ...int(8, 3),
      ...bytes(8, varint(4)),
      ...int(20, 7),
    ];
    const node = graphOf(bytes(1, bytes(5, packed)))?.nodes[0];
    expect(node?.attributes[0]?.value).toEqual({ kind: 'ints', value: [1, -2, 3, 4] });
  });

  test('an attribute of an old file states no type', () => {
    const old = [...text(1, 'a'), ...float(2, 2)];
    const node = graphOf(bytes(1, bytes(5, old)))?.nodes[0];
    expect(node?.attributes[0]?.value).toEqual({ kind: 'float', value: 2 });
  });

  test('an attribute that refers to one of a function is recorded as such', () => {
    const reference = [...text(1, 'a'), ...text(21, 'outer'), ...int(20, 2)];
    const node = graphOf(bytes(1, bytes(5, reference)))?.nodes[0];
    expect(node?.attributes[0]?.value).toEqual({ kind: 'reference', value: 'outer' });
  });

  test('an attribute holds a graph with nodes', () => {
    const inner = graphProto({ nodes: [{ op: 'Relu', in: ['x'] }] });
    const node = graphOf(bytes(1, nodeProto({ op: 'Loop', attrs: { body: { g: inner } } })))
      ?.nodes[0];
    const value = node?.attributes[0]?.value;
    expect(value?.kind === 'graph' ? value.value.nodes[0]?.opType : value).toBe('Relu');
  });

  test('an input has a type with numbers, names and unknown sizes', () => {
    const graph = graphOf(bytes(11, valueInfo({ name: 'x', dims: [2, 'batch', null], type: 7 })));
    expect(graph?.inputs).toEqual([
      { name: 'x', type: { _tag: 'Tensor', elemType: 7, shape: [2, 'batch', undefined] } },
    ]);
  });

  test('an input may have no shape, no type, or be no tensor', () => {
    const sequence = [...text(1, 's'), ...bytes(2, bytes(4, []))];
    const graph = graphOf([
      ...bytes(11, valueInfo({ name: 'x' })),
      ...bytes(11, text(1, 'n')),
      ...bytes(11, sequence),
    ]);
    expect(graph?.inputs).toEqual([
      { name: 'x', type: { _tag: 'Tensor', elemType: 1, shape: undefined } },
      { name: 'n', type: undefined },
      { name: 's', type: { _tag: 'Other', what: 'a sequence' } },
    ]);
  });

  test('unneeded fields of any layout are skipped', () => {
    const fixed64 = [...varint(503 * 8 + 1), 1, 2, 3, 4, 5, 6, 7, 8];
    const unknown = [...int(500, 1), ...float(501, 1), ...text(502, 'x'), ...fixed64];
    expect(decoded([...unknown, ...int(1, 7)]).irVersion).toBe(7);
  });

  test('bytes that are no UTF-8 become replacement characters', () => {
    const name = [0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80, 0xe2, 0x82];
    expect(graphOf(bytes(2, name))?.name).toBe(new TextDecoder().decode(Uint8Array.from(name)));
  });

  test('raw data of a tensor stay in the file', () => {
    const file = modelBytes({
      nodes: [],
      initializers: [{ name: 'w', dims: [2], type: 2, raw: [7, 9] }],
    });
    const tensor = decoded(file).graph?.initializers[0];
    const payload = tensor?.payload;
    expect(payload?._tag === 'Raw' && [...file.subarray(payload.start, payload.end)]).toEqual([
      7, 9,
    ]);
  });
});

describe('bytes that are no ONNX file', () => {
  const inGraph = (graph: Bytes): Bytes => bytes(7, graph);
  const deep = (depth: number): Bytes => {
    let graph: Bytes = [];
    for (let i = 0; i < depth; i++) graph = bytes(1, bytes(5, bytes(6, graph)));
    return inGraph(graph);
  };
  test.each<readonly [string, Iterable<number>, string]>([
    ['a tag that stops in its middle', [0x80], 'expected more bytes, found the end in ModelProto'],
    ['a length beyond the end', [0x3a, 5, 1], 'expected more bytes'],
    ['a length beyond 32 bits', [0x3a, ...varint(2 ** 40)], 'expected more bytes'],
    ['an integer of eleven bytes', [8, ...new Array<number>(11).fill(0xff)], 'at most 64 bits'],
    ['a field of number 0', [0], 'found bytes that are none'],
    ['a group', [0x53, 0x54], 'found bytes that are none'],
    ['a graph as a number', int(7, 1), 'found wire type 0'],
    ['two graphs', [...inGraph([]), ...inGraph([])], 'the model holds two graphs'],
    ['deep nesting', deep(40), 'messages nest deeper than 100'],
    [
      'packed floats of seven bytes',
      inGraph(bytes(5, bytes(4, [1, 2, 3, 4, 5, 6, 7]))),
      'expected more bytes',
    ],
    [
      'a tensor in segments',
      inGraph(bytes(5, bytes(3, int(1, 0)))),
      'the tensor is stored in segments in TensorProto',
    ],
    [
      'a tensor with two lists of data',
      inGraph(bytes(5, [...bytes(4, [0, 0, 0, 0]), ...bytes(7, [1])])),
      'the tensor holds its elements twice',
    ],
    [
      'an attribute of another type than it states',
      inGraph(bytes(1, bytes(5, [...text(1, 'a'), ...int(3, 1), ...int(20, 1)]))),
      'attribute a of type float holds int',
    ],
    [
      'an attribute without value',
      inGraph(bytes(1, bytes(5, text(1, 'a')))),
      'attribute a of type 0 holds no value',
    ],
    [
      'an attribute with two values',
      inGraph(bytes(1, bytes(5, [...int(3, 1), ...float(2, 1)]))),
      'an attribute holds both int and float',
    ],
  ])('%s is a malformed file', (_, file, expected) => {
    expect(refusal(file)).toContain('ONNX_MALFORMED');
    expect(refusal(file)).toContain(expected);
  });

  test('a diagnostic names the message and the byte', () => {
    const result = decodeModel(Uint8Array.from([0x3a, 2, 0x0a, 9]), { source: 'm.onnx' });
    expect(isLeft(result) && result.left[0].span).toEqual({
      _tag: 'NodeSpan',
      source: 'm.onnx',
      name: 'at byte 4',
      op: 'GraphProto',
    });
  });
});

describe('limits of decoding', () => {
  const nodes = (count: number): Uint8Array =>
    Uint8Array.from(bytes(7, new Array<Bytes>(count).fill([0x0a, 0]).flat()));
  test.each([
    ['nodes', { nodes: 11 }, nodes(11), 'more nodes than the limit allows'],
    [
      'values',
      { values: 2 },
      modelBytes({ nodes: [{ op: 'Add', in: ['a', 'b'] }] }),
      'more names of values',
    ],
    [
      'items of attributes',
      { attributeItems: 3 },
      modelBytes({ nodes: [{ op: 'A', attrs: { a: { ints: [1, 2, 3] } } }] }),
      'more items of attributes',
    ],
    ['depth', { depth: 1 }, modelBytes({ nodes: [{ op: 'A' }] }), 'nest deeper than 1'],
  ] as const)('%s are counted', (_, limits, file, expected) => {
    const refused = decodeModel(file, { limits });
    expect(isLeft(refused) && refused.left[0].message).toContain(expected);
    expect(isLeft(decodeModel(file))).toBe(false);
  });

  test('a file of two bytes a node may not stand for more heap than its size allows', () => {
    const refused = decodeModel(nodes(1000), { limits: { heapBase: 0 } });
    expect(isLeft(refused) && refused.left[0].message).toContain('more objects than a file');
    expect(isLeft(decodeModel(nodes(1000)))).toBe(false);
  });

  test('a long name is refused before it is made', () => {
    const file = bytes(7, text(2, 'x'.repeat(2 ** 20 + 1)));
    expect(refusal(file)).toContain('a longer name than the limit allows');
  });
});
