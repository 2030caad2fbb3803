/** X9: a written file whose inputs or outputs are not the model's is found when it is read again. */
import { isLeft, orThrow } from '@baton/base';
import {
  decodeModel,
  exportOnnx,
  type GraphProto,
  type ModelProto,
  misstatedOutputs,
  portsOf,
  rereadOnnx,
  type ValueInfoProto,
} from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';
import { encodeModel } from '../src/encode-model.ts';

const m = orThrow(
  parseModule(
    `#[version = "0.0.5"]
def @main[n: ShapeVar](%x: Tensor[(n, 3), float32], %i: int64, output_tensor_names=["y", "z"]) {
  (take(%x, %i, axis=0, mode="fast"), nn.relu(%x))
}`,
    { ops: standardOps },
  ),
);

const ports = orThrow(portsOf(m));
const model = orThrow(decodeModel(orThrow(exportOnnx(m))));

/** What reading finds in the file with another graph. */
function found(change: (graph: GraphProto) => Partial<GraphProto>): ReadonlyArray<string> {
  const { graph } = model;
  if (graph === undefined) throw new Error('a file has a graph');
  const changed: ModelProto = { ...model, graph: { ...graph, ...change(graph) } };
  const bytes = new Uint8Array(encodeModel(changed).flatMap((piece) => [...piece]));
  const reread = rereadOnnx(ports, bytes, { ops: standardOps });
  return isLeft(reread) ? reread.left.map(({ code, message }) => `${code}: ${message}`) : [];
}

const replaced = (
  values: ReadonlyArray<ValueInfoProto>,
  at: number,
  part: Partial<ValueInfoProto>,
): ReadonlyArray<ValueInfoProto> => values.map((one, i) => (i === at ? { ...one, ...part } : one));

test('the file as it is has the inputs and outputs of the model', () => {
  expect(found(() => ({}))).toEqual([]);
});

test.each<[string, (graph: GraphProto) => Partial<GraphProto>, string]>([
  [
    'an output of another name',
    ({ nodes, outputs }) => ({
      nodes: nodes.map((one) => ({
        ...one,
        outputs: one.outputs.map((o) => (o === 'y' ? 'y_1' : o)),
      })),
      outputs: replaced(outputs, 0, { name: 'y_1' }),
    }),
    'the file has the output y_1, and the model has the output y',
  ],
  [
    'outputs in another order',
    ({ outputs }) => ({ outputs: outputs.toReversed() }),
    'the file has the output z, and the model has the output y',
  ],
  [
    'a missing output',
    ({ outputs }) => ({ outputs: outputs.slice(0, 1) }),
    'the file has 1 outputs, and the model has 2',
  ],
  [
    'an input of another type',
    ({ inputs }) => ({
      inputs: replaced(inputs, 1, { type: { _tag: 'Tensor', elemType: 6, shape: [] } }),
    }),
    'the file has the input i of type int32, and the model has int64',
  ],
  [
    'an input of another rank',
    ({ inputs }) => ({
      inputs: replaced(inputs, 1, { type: { _tag: 'Tensor', elemType: 7, shape: [1] } }),
    }),
    'the file has the output y of type Tensor[(1, 3), float32], and the model has Tensor[(3), float32]',
  ],
  [
    'an input without a use',
    ({ inputs }) => ({
      inputs: [...inputs, { name: 'more', type: { _tag: 'Tensor', elemType: 1, shape: [2] } }],
    }),
    'the file has 3 inputs, and the model has 2',
  ],
  [
    'an output whose stated rank is not its own',
    ({ outputs }) => ({
      outputs: replaced(outputs, 0, { type: { _tag: 'Tensor', elemType: 1, shape: [1, 3] } }),
    }),
    'the file has the output y stated as (1, 3), and the model has Tensor[(3), float32]',
  ],
  [
    'an output whose stated type is not its own',
    ({ outputs }) => ({
      outputs: replaced(outputs, 1, { type: { _tag: 'Tensor', elemType: 10, shape: ['n', 3] } }),
    }),
    'the file has the output z stated as (n, 3), and the model has Tensor[(n, 3), float32]',
  ],
])('%s', (_, change, message) => {
  expect(found(change)).toContain(`ONNX_SIGNATURE: ${message}`);
});

test('what a file states of its outputs is compared without the model', () => {
  const file = orThrow(exportOnnx(m));
  expect(misstatedOutputs(ports, file)).toEqual([]);
  expect(misstatedOutputs({ ...ports, outputs: ports.outputs.toReversed() }, file)).toHaveLength(2);
});
