/**
 * X4: names, types and order of a model's inputs and outputs survive import, optimization and export:
 * outputs that are inputs, values that are two outputs, sequences, and names of open dimensions.
 */
import { orThrow } from '@baton/base';
import {
  type AttributeProto,
  decodeModel,
  exportOnnx,
  importOnnx,
  type NodeProto,
  type ValueInfoProto,
} from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { optimize, runPass } from 'batonjs';
import { InferenceSession } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { encodeModel } from '../../packages/onnx/src/encode-model.ts';

type Dims = ReadonlyArray<number | string | undefined>;

const FLOAT = 1;

const tensorInfo = (name: string, shape: Dims): ValueInfoProto => ({
  name,
  type: { _tag: 'Tensor', elemType: FLOAT, shape },
});

const containerInfo = (
  name: string,
  container: 'sequence' | 'optional',
  shape: Dims | undefined,
): ValueInfoProto => ({
  name,
  type: { _tag: 'Container', container, of: { _tag: 'Tensor', elemType: FLOAT, shape } },
});

const node = (
  opType: string,
  inputs: ReadonlyArray<string>,
  outputs: ReadonlyArray<string>,
  attributes: ReadonlyArray<AttributeProto> = [],
): NodeProto => ({
  name: '',
  opType,
  domain: '',
  overload: '',
  inputs,
  outputs,
  attributes,
  docString: '',
});

const int = (name: string, value: number): AttributeProto => ({
  name,
  value: { kind: 'int', value },
});

/** The bytes of pieces. */
const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array =>
  new Uint8Array(pieces.flatMap((piece) => [...piece]));

interface Case {
  readonly title: string;
  readonly inputs: ReadonlyArray<ValueInfoProto>;
  readonly outputs: ReadonlyArray<ValueInfoProto>;
  readonly nodes: ReadonlyArray<NodeProto>;
}

const X = tensorInfo('x', ['n', 4]);

const cases: ReadonlyArray<Case> = [
  {
    title: 'an output that is an input',
    inputs: [X],
    outputs: [X, tensorInfo('y', ['n', 4])],
    nodes: [node('Relu', ['x'], ['y'])],
  },
  {
    title: 'an output that is an input, last, and its copy',
    inputs: [X, tensorInfo('mask', ['n', 1])],
    outputs: [
      tensorInfo('y', ['n', 4]),
      tensorInfo('copy', ['n', 1]),
      tensorInfo('mask', ['n', 1]),
    ],
    nodes: [node('Mul', ['x', 'mask'], ['y']), node('Identity', ['mask'], ['copy'])],
  },
  {
    title: 'only inputs, in another order',
    inputs: [X, tensorInfo('z', [2])],
    outputs: [tensorInfo('z', [2]), X],
    nodes: [],
  },
  {
    title: 'a value that is two outputs',
    inputs: [X],
    outputs: [tensorInfo('a', ['n', 4]), tensorInfo('b', ['n', 4])],
    nodes: [node('Relu', ['x'], ['a']), node('Identity', ['a'], ['b'])],
  },
  {
    title: 'outputs that are equal to each other and to an input',
    inputs: [X],
    outputs: [tensorInfo('a', ['n', 4]), X, tensorInfo('b', ['n', 4])],
    nodes: [node('Identity', ['x'], ['a']), node('Dropout', ['a'], ['b'])],
  },
  {
    title: 'an output with the name of an operator',
    inputs: [X],
    outputs: [tensorInfo('Relu', ['n', 4]), tensorInfo('constant', ['n', 4])],
    nodes: [node('Relu', ['x'], ['Relu']), node('Neg', ['Relu'], ['constant'])],
  },
  {
    title: 'dimensions without names, and with names that Relay cannot say',
    inputs: [
      tensorInfo('x', [undefined, 'batch-size', 'a b']),
      tensorInfo('z', ['unk__653', 1, 1]),
    ],
    outputs: [
      tensorInfo('y', [undefined, 'batch-size', 'a b']),
      tensorInfo('w', ['unk__653', 1, 1]),
    ],
    nodes: [node('Relu', ['x'], ['y']), node('Relu', ['z'], ['w'])],
  },
  {
    title: 'open dimensions that an output has of its own',
    inputs: [tensorInfo('x', ['n']), tensorInfo('z', ['m'])],
    outputs: [tensorInfo('y', ['total']), tensorInfo('s', ['found', 1])],
    nodes: [
      node('Concat', ['x', 'z'], ['y'], [int('axis', 0)]),
      node('NonZero', ['x'], ['places']),
      node('Transpose', ['places'], ['moved']),
      node('Cast', ['moved'], ['s'], [int('to', FLOAT)]),
    ],
  },
  {
    title: 'a sequence',
    inputs: [X],
    outputs: [containerInfo('s', 'sequence', ['n', 4])],
    nodes: [node('Neg', ['x'], ['a']), node('SequenceConstruct', ['x', 'a'], ['s'])],
  },
  {
    title: 'a sequence of one, and a tensor',
    inputs: [X],
    outputs: [containerInfo('s', 'sequence', ['n', 4]), tensorInfo('y', ['n', 4])],
    nodes: [node('SequenceConstruct', ['x'], ['s']), node('Relu', ['x'], ['y'])],
  },
  {
    title: 'an empty sequence',
    inputs: [X],
    outputs: [tensorInfo('y', ['n', 4]), containerInfo('s', 'sequence', [])],
    nodes: [node('Relu', ['x'], ['y']), node('SequenceEmpty', [], ['s'], [int('dtype', FLOAT)])],
  },
  {
    title: 'an optional value',
    inputs: [X],
    outputs: [containerInfo('o', 'optional', ['n', 4])],
    nodes: [node('Relu', ['x'], ['a']), node('Optional', ['a'], ['o'])],
  },
];

test.each(cases)('X4: $title', async ({ inputs, outputs, nodes }) => {
  const graph = { name: 'g', nodes, inputs, outputs, initializers: [], sparseInitializers: [] };
  const opsetImports = [{ domain: '', version: 18 }];
  const bytes = joined(
    encodeModel({ irVersion: 9, producer: ['', ''], opsetImports, graph, functions: [] }),
  );
  // The original is a model.
  await (await InferenceSession.create(bytes)).release();
  const m = orThrow(importOnnx(bytes, { ops: standardOps }));
  for (const level of [0, 3] as const) {
    const { module } = orThrow(runPass(optimize({ level }))(m));
    const file = orThrow(exportOnnx(module));
    const found = orThrow(decodeModel(file)).graph;
    expect(found?.inputs).toEqual(inputs);
    expect(found?.outputs).toEqual(outputs);
    const session = await InferenceSession.create(file, { logSeverityLevel: 3 });
    expect(session.outputNames).toEqual(outputs.map(({ name }) => name));
    await session.release();
  }
});

test('X4: a size that is given replaces the name of its dimension', () => {
  const [first] = cases;
  if (first === undefined) throw new Error('there are cases');
  const graph = { name: 'g', ...first, initializers: [], sparseInitializers: [] };
  const opsetImports = [{ domain: '', version: 18 }];
  const bytes = joined(
    encodeModel({ irVersion: 9, producer: ['', ''], opsetImports, graph, functions: [] }),
  );
  const m = orThrow(importOnnx(bytes, { ops: standardOps, dims: { n: 3 } }));
  const found = orThrow(decodeModel(orThrow(exportOnnx(m)))).graph;
  const shapes = [...(found?.inputs ?? []), ...(found?.outputs ?? [])].map(({ type }) =>
    type?._tag === 'Tensor' ? type.shape : undefined,
  );
  expect(shapes).toEqual([
    [3, 4],
    [3, 4],
    [3, 4],
  ]);
});
