/**
 * Files that are made to do harm, one for each kind of known advisory on readers of models: each is
 * refused at once, with a place, or read as the small thing that it is.
 */
import { isLeft } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import {
  type Bytes,
  bytes,
  type FunctionParts,
  float,
  type GraphParts,
  graphProto,
  int,
  modelBytes,
  type NodeParts,
  text,
  varint,
} from './helpers/encode.ts';

const x = { name: 'x', dims: [2, 3] };
const relu: NodeParts = { op: 'Relu', in: ['x'] };
const LARGE = 2 ** 31;
const HUGE = 2n ** 62n;

const graph = (parts: Partial<GraphParts>): Uint8Array =>
  modelBytes({ nodes: [relu], inputs: [x], ...parts }, 18);

const node = (parts: NodeParts, more: Partial<GraphParts> = {}): Uint8Array =>
  graph({ nodes: [parts], ...more });

const inGraph = (inner: Bytes): Bytes => bytes(7, inner);

const nested = (depth: number, around: (inner: Bytes) => Bytes): Bytes => {
  let inner: Bytes = [];
  for (let i = 0; i < depth; i++) inner = around(inner);
  return inner;
};

const ints = (name: string, values: ReadonlyArray<number | bigint>) => ({
  name,
  dims: [values.length],
  ints: values,
});

const external = (entries: Readonly<Record<string, string>>): Bytes => [
  ...Object.entries(entries).flatMap(([key, value]) =>
    bytes(13, [...text(1, key), ...text(2, value)]),
  ),
  ...int(14, 1),
];

/** A weight whose elements are in another file. */
const outside = (entries: Readonly<Record<string, string>>): Uint8Array =>
  graph({
    initializers: [{ name: 'w', dims: [4], extra: external(entries) }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  });

const selfCalling = (name: string, callee: string): FunctionParts => ({
  name,
  domain: 'local',
  inputs: ['a'],
  outputs: ['b'],
  nodes: [{ op: callee, domain: 'local', in: ['a'], out: ['b'] }],
});

/** Functions each of which calls the next one twice. */
const doubling = (count: number): ReadonlyArray<FunctionParts> =>
  Array.from({ length: count }, (_, i) => ({
    name: `f${i}`,
    domain: 'local',
    inputs: ['a'],
    outputs: ['b'],
    nodes:
      i + 1 < count
        ? [
            { op: `f${i + 1}`, domain: 'local', in: ['a'], out: ['c'] },
            { op: `f${i + 1}`, domain: 'local', in: ['c'], out: ['b'] },
          ]
        : [{ op: 'Relu', in: ['a'], out: ['b'] }],
  }));

const callOf = (name: string, functions: ReadonlyArray<FunctionParts>): Uint8Array =>
  modelBytes({ nodes: [{ op: name, domain: 'local', in: ['x'] }], inputs: [x] }, 18, functions);

const branch = (inner: Bytes): Bytes =>
  graphProto({
    nodes: [
      {
        op: 'If',
        in: ['c'],
        attrs: { then_branch: { g: inner }, else_branch: { g: graphProto({ nodes: [relu] }) } },
      },
    ],
    inputs: [],
  });

/** A model whose size input has these values. */
const sized = (
  op: string,
  values: ReadonlyArray<number | bigint>,
  attrs: NodeParts['attrs'] = {},
) => node({ op, in: ['x', 's'], attrs }, { initializers: [ints('s', values)] });

const FILES: Readonly<Record<string, Iterable<number>>> = {
  'an empty file': [],
  'a web page': new TextEncoder().encode('<!doctype html><title>Not found</title>'),
  'a PNG': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array<number>(32).fill(0)],
  'a tar archive': [
    ...new Array<number>(257).fill(0x41),
    0x75,
    0x73,
    0x74,
    0x61,
    0x72,
    0,
    0x30,
    0x30,
  ],
  'a zip archive': [0x50, 0x4b, 3, 4, ...new Array<number>(32).fill(0)],
  'a gzip stream': [0x1f, 0x8b, 8, ...new Array<number>(32).fill(0)],
  'a pickle': [0x80, 2, 0x7d, 0x71, 0],
  zeros: new Uint8Array(4096),
  'ones in all bits': new Uint8Array(4096).fill(0xff),
  'a length beyond the end': [0x3a, ...varint(2 ** 31)],
  'a length beyond 32 bits': [0x3a, ...varint(2 ** 40)],
  'a length of 64 bits': [0x3a, ...varint(2n ** 64n - 1n)],
  'an endless integer': [8, ...new Array<number>(4096).fill(0xff)],
  'groups within groups': new Array<number>(4096).fill(0x53),
  'messages within messages': inGraph(
    nested(4_000, (inner) => bytes(1, bytes(5, bytes(6, inner)))),
  ),
  'types within types': inGraph(
    bytes(
      11,
      bytes(
        2,
        nested(4_000, (inner) => bytes(4, bytes(1, inner))),
      ),
    ),
  ),
  'branches within branches': modelBytes({
    nodes: [],
    inputs: [x],
    extra: nested(60, (inner) => branch(inner)),
  }),
  'a million empty nodes': inGraph(new Array<Bytes>(200_000).fill([0x0a, 0]).flat()),
  'a million empty attributes': inGraph(bytes(1, new Array<Bytes>(200_000).fill([0x2a, 0]).flat())),
  'a node with a million inputs': inGraph(
    bytes(1, new Array<Bytes>(200_000).fill([0x0a, 0]).flat()),
  ),
  'a name of a megabyte': inGraph(text(2, 'x'.repeat(2 ** 20 + 1))),
  'names with control characters': node({ op: '\u001b[2J\u001b]0;gone\u0007', in: ['x'] }),
  'a name that is code': node({ op: 'constructor', in: ['__proto__'] }),
  'an attribute named like a prototype': node({
    ...relu,
    attrs: { __proto__: { i: 1 }, toString: { i: 1 } },
  }),
  'a domain named like a prototype': node({ ...relu, domain: '__proto__' }),
  'bytes that are no UTF-8': node({ op: '\ud800', in: ['x'] }),
  'an operator set of the far future': modelBytes({ nodes: [relu], inputs: [x] }, 2 ** 31 - 1),
  'a negative operator set': modelBytes({ nodes: [relu], inputs: [x] }, -1),
  'two graphs': [...inGraph([]), ...inGraph([])],
  'no graph': int(1, 8),
  'a node that takes its own result': node({ op: 'Relu', in: ['y'] }),
  'a circle of nodes': graph({
    nodes: [
      { op: 'Relu', in: ['b'], out: ['a'] },
      { op: 'Relu', in: ['a'], out: ['b'] },
    ],
  }),
  'a value defined twice': graph({ nodes: [relu, relu] }),
  'a function that calls itself': callOf('f', [selfCalling('f', 'f')]),
  'two functions that call each other': callOf('f', [selfCalling('f', 'g'), selfCalling('g', 'f')]),
  'functions that double': callOf('f0', doubling(60)),
  'a tensor of more bytes than the file': graph({
    initializers: [{ name: 'w', dims: [LARGE, LARGE], raw: [] }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  }),
  'a tensor of a negative size': graph({
    initializers: [{ name: 'w', dims: [-1], raw: [] }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  }),
  'a tensor whose size overflows': graph({
    initializers: [{ name: 'w', dims: [2 ** 32, 2 ** 32], raw: [0, 0, 0, 0] }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  }),
  'a tensor of a thousand axes': graph({
    initializers: [{ name: 'w', dims: new Array<number>(1_000).fill(1), raw: [0, 0, 0, 0] }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  }),
  'a tensor of too few elements': graph({
    initializers: [{ name: 'w', dims: [4], raw: [0, 0, 0, 0] }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  }),
  'a tensor of an unknown type': graph({
    initializers: [{ name: 'w', dims: [1], type: 99, raw: [0] }],
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
  }),
  'a tensor with its elements twice': graph({
    initializers: [{ name: 'w', dims: [1], floats: [1], raw: [0, 0, 0, 0] }],
  }),
  'packed floats of seven bytes': inGraph(bytes(5, bytes(4, [1, 2, 3, 4, 5, 6, 7]))),
  'weights at /etc/passwd': outside({ location: '/etc/passwd' }),
  'weights above the folder': outside({ location: '../../../etc/passwd' }),
  'weights at an address': outside({ location: 'https://example.org/w.bin' }),
  'weights at a negative offset': outside({ location: 'w.bin', offset: '-1' }),
  'weights at an offset that is no number': outside({ location: 'w.bin', offset: '0x10' }),
  'weights of an exabyte': outside({ location: 'w.bin', length: '1152921504606846976' }),
  'weights without a place': outside({}),
  'an attribute without value': inGraph(bytes(1, bytes(5, text(1, 'a')))),
  'an attribute with two values': inGraph(bytes(1, bytes(5, [...int(3, 1), ...float(2, 1)]))),
  'an attribute of another kind': node({ op: 'Softmax', in: ['x'], attrs: { axis: { s: '0' } } }),
  'an axis out of range': node({ op: 'Softmax', in: ['x'], attrs: { axis: { i: HUGE } } }),
  'a permutation with axes twice': node({
    op: 'Transpose',
    in: ['x'],
    attrs: { perm: { ints: [0, 0] } },
  }),
  'a reshape to a huge size': sized('Reshape', [HUGE, 1]),
  'an expansion to a huge size': sized('Expand', [2n ** 40n, 2, 3]),
  'a tile of a huge number': sized('Tile', [HUGE, HUGE]),
  'a constant of a huge size': node(
    { op: 'ConstantOfShape', in: ['s'] },
    { initializers: [ints('s', [2 ** 20, 2 ** 20])] },
  ),
  'a range without end': node(
    { op: 'Range', in: ['a', 'b', 'c'] },
    {
      initializers: [0, HUGE, 1].map((value, i) => ({
        name: 'abc'[i] ?? '',
        dims: [],
        ints: [value],
      })),
    },
  ),
  'a range of step zero': node(
    { op: 'Range', in: ['a', 'b', 'c'] },
    {
      initializers: [0, 4, 0].map((value, i) => ({
        name: 'abc'[i] ?? '',
        dims: [],
        ints: [value],
      })),
    },
  ),
  'a padding of a huge size': node(
    { op: 'Pad', in: ['x', 's'] },
    { initializers: [ints('s', [HUGE, 0, 0, 0])] },
  ),
  'a convolution of stride zero': node(
    { op: 'Conv', in: ['i', 'w'], attrs: { strides: { ints: [0, 0] } } },
    {
      inputs: [
        { name: 'i', dims: [1, 1, 4, 4] },
        { name: 'w', dims: [1, 1, 2, 2] },
      ],
    },
  ),
  'a convolution of no groups': node(
    { op: 'Conv', in: ['i', 'w'], attrs: { group: { i: 0 } } },
    {
      inputs: [
        { name: 'i', dims: [1, 1, 4, 4] },
        { name: 'w', dims: [1, 1, 2, 2] },
      ],
    },
  ),
  'a pool of a huge window': node(
    { op: 'MaxPool', in: ['i'], attrs: { kernel_shape: { ints: [HUGE, HUGE] } } },
    { inputs: [{ name: 'i', dims: [1, 1, 4, 4] }] },
  ),
  'a resize to a huge size': node(
    { op: 'Resize', in: ['x', '', '', 's'], attrs: { mode: { s: 'linear' } } },
    { initializers: [ints('s', [2 ** 19, 3])] },
  ),
  'a split into a million': node({
    op: 'Split',
    in: ['x'],
    out: ['y'],
    attrs: { num_outputs: { i: 2 ** 30 } },
  }),
  'an equation of a thousand letters': node({
    op: 'Einsum',
    in: ['x'],
    attrs: { equation: { s: `${'abc'.repeat(1_000)}->a` } },
  }),
  'an input of a huge size': graph({ inputs: [{ name: 'x', dims: [2 ** 40, 2 ** 40] }] }),
  'an input of a negative size': graph({ inputs: [{ name: 'x', dims: [-5] }] }),
  'an input twice': graph({ inputs: [x, x] }),
  'a sparse tensor beyond its size': graph({
    nodes: [{ op: 'Add', in: ['x', 'w'] }],
    sparse: [
      {
        values: { name: 'w', dims: [1], floats: [1] },
        indices: { dims: [1], ints: [HUGE] },
        dims: [3],
      },
    ],
  }),
  'a loop without end': node(
    {
      op: 'Loop',
      in: ['n', 'c', 'x'],
      attrs: {
        body: {
          g: graphProto({
            nodes: [
              { op: 'Identity', in: ['k'], out: ['d'] },
              { op: 'Relu', in: ['v'], out: ['w'] },
            ],
            inputs: [
              { name: 'i', dims: [], type: 7 },
              { name: 'k', dims: [], type: 9 },
              { name: 'v', dims: [2, 3] },
            ],
            outputs: ['d', 'w'],
          }),
        },
      },
    },
    {
      initializers: [
        { name: 'n', dims: [], ints: [HUGE] },
        { name: 'c', dims: [], type: 9, raw: [1] },
      ],
    },
  ),
};

/** Damage that is none: these files are small programs. */
const HARMLESS: ReadonlySet<string> = new Set([
  'an expansion to a huge size',
  'a range without end',
  'an input of a huge size',
  'an input of a negative size',
  'a resize to a huge size',
  'a loop without end',
]);

describe('hostile files', () => {
  test('are of 60 kinds at least', () => {
    expect(Object.keys(FILES).length).toBeGreaterThanOrEqual(60);
  });

  test.each(Object.entries(FILES))('%s', (name, file) => {
    const content = Uint8Array.from(file);
    const start = process.cpuUsage();
    const read = importOnnx(content, { ops: standardOps, source: 'hostile.onnx' });
    const { user, system } = process.cpuUsage(start);
    // Far from the second that the largest takes, and from what a file could ask for.
    expect((user + system) / 1e6).toBeLessThan(10);
    expect(isLeft(read)).toBe(!HARMLESS.has(name));
    if (!isLeft(read)) return;
    for (const problem of read.left) {
      expect(problem.span ?? problem.code, problem.message).not.toBe(problem.code);
      expect(problem.message.length).toBeLessThan(600);
    }
  });
});
