/**
 * An unused output may go without a name. For every operator with several outputs, and
 * every choice of names that are left out, the others are what they are when all have names.
 */
import { isLeft, orThrow } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { type Tensor, tensor, tensorsEqual } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import {
  type FunctionParts,
  type GraphParts,
  graphProto,
  modelBytes,
  type NodeParts,
  type ValueParts,
} from './helpers/encode.ts';
import { imported, mainOf } from './helpers/import.ts';
import { ints } from './helpers/one.ts';
import { run } from './helpers/run.ts';

/** A node with all of its outputs, on inputs of these shapes. */
interface Subject {
  readonly node: NodeParts & { readonly out: ReadonlyArray<string> };
  readonly inputs: Readonly<Record<string, ReadonlyArray<number>>>;
  readonly initializers?: GraphParts['initializers'];
  readonly opset?: number;
  readonly functions?: ReadonlyArray<FunctionParts>;
  /** Reads an output that is no tensor. */
  readonly read?: (name: string) => NodeParts;
}

const abc = ['a', 'b', 'c'];
const six = { x: [6] };
const value = (name: string, ...dims: number[]): ValueParts => ({ name, dims });
const weights = (name: string, ...dims: number[]) => ({
  name,
  dims,
  floats: Array.from({ length: dims.reduce((a, b) => a * b) }, (_, i) => Math.sin(i + 1)),
});

const split = (attrs: NodeParts['attrs'] = {}, names = ['x']): Subject['node'] => ({
  op: 'Split',
  in: names,
  out: abc,
  attrs,
});

const unary = (op: string, of: string, name: string): NodeParts => ({ op, in: [of], out: [name] });

/** A branch with three results of `x`. */
const branch = (op: string) =>
  graphProto({
    nodes: [unary(op, 'x', 'p'), unary('Neg', 'x', 'q'), unary('Abs', 'x', 'r')],
    outputs: ['p', 'q', 'r'],
  });

const rounds = graphProto({
  nodes: [
    unary('Identity', 'go', 'on'),
    { op: 'Add', in: ['s', 's'], out: ['next'] },
    unary('Neg', 's', 'p'),
    unary('Abs', 's', 'q'),
  ],
  inputs: [{ name: 'i', dims: [], type: 7 }, { name: 'go', dims: [], type: 9 }, value('s', 6)],
  outputs: ['on', 'next', 'p', 'q'],
});

const steps = graphProto({
  nodes: [
    { op: 'Add', in: ['s', 'e'], out: ['next'] },
    { op: 'Mul', in: ['s', 'e'], out: ['p'] },
    unary('Neg', 'e', 'q'),
  ],
  inputs: [value('s', 2), value('e', 2)],
  outputs: ['next', 'p', 'q'],
});

const three = graphProto({
  nodes: [unary('Neg', 'e', 'p'), unary('Abs', 'e', 'q'), unary('Relu', 'e', 'r')],
  inputs: [value('e')],
  outputs: ['p', 'q', 'r'],
});

const recurrence = (op: string, gates: number, out: ReadonlyArray<string>): Subject => ({
  node: { op, in: ['x', 'W', 'R'], out, attrs: { hidden_size: { i: 2 } } },
  inputs: { x: [3, 2, 4] },
  initializers: [weights('W', 1, 2 * gates, 4), weights('R', 1, 2 * gates, 2)],
  opset: 14,
});

const parted: FunctionParts = {
  name: 'Parted',
  domain: 'own',
  inputs: ['u'],
  outputs: ['p', 'q', 'r'],
  nodes: [
    { op: 'Split', in: ['u'], out: ['p', 'q', ''], attrs: { num_outputs: { i: 3 } } },
    unary('Neg', 'u', 'r'),
  ],
  opset: 18,
};

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'Split before 13': { node: split(), inputs: six, opset: 11 },
  'Split of sizes before 13': {
    node: split({ split: { ints: [1, 2, 3] } }),
    inputs: six,
    opset: 2,
  },
  Split: { node: split(), inputs: six },
  'Split along an axis': { node: split({ axis: { i: -1 } }), inputs: { x: [2, 9] } },
  'Split of sizes': {
    node: split({}, ['x', 's']),
    inputs: six,
    initializers: [ints('s', [3, 2, 1])],
  },
  'Split of sizes, one of them 0': {
    node: split({}, ['x', 's']),
    inputs: six,
    initializers: [ints('s', [3, 0, 3])],
  },
  'Split in parts': { node: split({ num_outputs: { i: 3 } }), inputs: six, opset: 18 },
  'Split in unequal parts': {
    node: split({ num_outputs: { i: 3 } }),
    inputs: { x: [8] },
    opset: 18,
  },
  'a function with a Split': {
    node: { op: 'Parted', domain: 'own', in: ['x'], out: abc },
    inputs: six,
    opset: 18,
    functions: [parted],
  },
  If: {
    node: {
      op: 'If',
      in: ['yes'],
      out: abc,
      attrs: { then_branch: { g: branch('Relu') }, else_branch: { g: branch('Exp') } },
    },
    inputs: six,
    initializers: [{ name: 'yes', dims: [], type: 9, raw: [0] }],
  },
  Loop: {
    node: { op: 'Loop', in: ['n', '', 'x'], out: abc, attrs: { body: { g: rounds } } },
    inputs: six,
    initializers: [{ name: 'n', dims: [], ints: [3] }],
  },
  Scan: {
    node: {
      op: 'Scan',
      in: ['s', 'x'],
      out: abc,
      attrs: { body: { g: steps }, num_scan_inputs: { i: 1 } },
    },
    inputs: { s: [2], x: [3, 2] },
  },
  SequenceMap: {
    node: { op: 'SequenceMap', in: ['xs'], out: abc, attrs: { body: { g: three } } },
    inputs: { x: [4] },
    opset: 17,
    read: (name) => ({ op: 'ConcatFromSequence', in: [name], attrs: { axis: { i: 0 } } }),
  },
  TopK: {
    node: { op: 'TopK', in: ['x', 'k'], out: ['a', 'b'] },
    inputs: { x: [2, 5] },
    initializers: [ints('k', [2])],
  },
  MaxPool: {
    node: { op: 'MaxPool', in: ['x'], out: ['a', 'b'], attrs: { kernel_shape: { ints: [2] } } },
    inputs: { x: [1, 2, 5] },
  },
  Dropout: { node: { op: 'Dropout', in: ['x'], out: ['a', 'b'] }, inputs: six },
  Unique: { node: { op: 'Unique', in: ['x'], out: ['a', 'b', 'c', 'd'] }, inputs: six },
  DynamicQuantizeLinear: {
    node: { op: 'DynamicQuantizeLinear', in: ['x'], out: abc },
    inputs: six,
  },
  LayerNormalization: {
    node: { op: 'LayerNormalization', in: ['x', 'w'], out: abc },
    inputs: { x: [3, 4] },
    initializers: [weights('w', 4)],
    opset: 17,
  },
  'BatchNormalization in training': {
    node: {
      op: 'BatchNormalization',
      in: ['x', 'g', 'o', 'm', 'v'],
      out: abc,
      attrs: { training_mode: { i: 1 } },
    },
    inputs: { x: [4, 2], g: [2], o: [2], m: [2], v: [2] },
    opset: 15,
  },
  LSTM: recurrence('LSTM', 4, abc),
  GRU: recurrence('GRU', 3, ['a', 'b']),
  RNN: recurrence('RNN', 1, ['a', 'b']),
};

/** The outputs of these names; the others have none. */
function valuesOf(subject: Subject, kept: ReadonlySet<string>): ReadonlyArray<Tensor> {
  const { node, inputs, opset = 13, read } = subject;
  const out = node.out.map((name) => (kept.has(name) ? name : ''));
  const names = node.out.filter((name) => kept.has(name));
  const before: ReadonlyArray<NodeParts> =
    read === undefined ? [] : [{ op: 'SplitToSequence', in: ['x'], out: ['xs'] }];
  const after = read === undefined ? [] : names.map((n) => ({ ...read(n), out: [`of ${n}`] }));
  const graph: GraphParts = {
    nodes: [...before, { ...node, out }, ...after],
    inputs: Object.entries(inputs).map(([name, dims]) => ({ name, dims })),
    initializers: subject.initializers ?? [],
    outputs: read === undefined ? names : names.map((name) => `of ${name}`),
  };
  const args = Object.values(inputs).map((shape) => {
    const length = shape.reduce((a, b) => a * b, 1);
    return tensor(
      Array.from({ length }, (_, i) => Math.cos(3 * i) + 0.1),
      shape,
      'float32',
    );
  });
  if (subject.functions === undefined) return run(imported(graph, { opset }), args);
  const bytes = modelBytes(graph, opset, subject.functions);
  return run(mainOf(orThrow(importOnnx(bytes, { ops: standardOps }))), args);
}

/** All choices of some of the names. */
const choices = (names: ReadonlyArray<string>): ReadonlyArray<ReadonlySet<string>> =>
  Array.from(
    { length: 2 ** names.length - 1 },
    (_, bits) => new Set(names.filter((_, i) => ((bits + 1) >> i) & 1)),
  );

describe('W5: outputs without a name leave the others as they are', () => {
  test.each(Object.entries(SUBJECTS))('%s', (_, subject) => {
    const { out } = subject.node;
    const all = valuesOf(subject, new Set(out));
    expect(all).toHaveLength(out.length);
    for (const kept of choices(out)) {
      const wanted = all.filter((_, i) => kept.has(out[i] ?? ''));
      const found = valuesOf(subject, kept);
      const equal = found.map((t, i) => tensorsEqual(t, wanted[i] as Tensor));
      expect({ kept, equal }).toEqual({ kept, equal: wanted.map(() => true) });
    }
  });

  test('a Split has as many parts as it states outputs', () => {
    const node = { ...split({ num_outputs: { i: 3 } }), out: ['a', ''] };
    const graph = { nodes: [node], inputs: [value('x', 6)], outputs: ['a'] };
    const found = importOnnx(modelBytes(graph, 18), { ops: standardOps });
    expect(isLeft(found) && found.left.map((d) => d.code)).toEqual(['ONNX_ATTRIBUTE']);
  });
});
