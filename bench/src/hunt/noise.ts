/**
 * Runs of the reference with rounding errors made larger: every float input, every float constant and
 * every float value inside is multiplied by numbers near 1. An output that changes
 * much under this noise depends on rounding, and is no evidence of a fault.
 */
import { isLeft, mulberry32 } from '@baton/base';
import type { ModelProto, NodeProto } from '@baton/onnx';
import { type DType, isFloat, shapeSize, type Tensor, tensor, toNumbers } from '@baton/tensor';
import type { Runtime } from '../onnxruntime/installed.ts';
import { type Feeds, graphOf, nodeProto, referenceBytes, tensorProto } from './model.ts';

/** The relative size of the noise: a few units in the last place. */
const NOISE: Readonly<Record<string, number>> = {
  float16: 2 ** -9,
  float32: 2 ** -21,
  float64: 2 ** -48,
};

/** Each run shows one side of a near tie: twelve runs show both. */
const RUNS = 12;

/** Operators whose float operands are sizes. */
const SIZED = new Set(['Resize', 'Upsample', 'Range']);

/** The outputs of the model under noise; runs that fail are left out. */
export async function disturbedRuns(
  runtime: Runtime,
  model: ModelProto,
  feeds: Feeds,
  values: Feeds,
): Promise<ReadonlyArray<Feeds>> {
  const runs: Feeds[] = [];
  for (let seed = 1; seed <= RUNS; seed++) {
    const bytes = referenceBytes(disturbed(model, values, seed));
    const found = await runtime.run(bytes, [disturbedFeeds(feeds, seed)]);
    // A model that noise breaks, for example because a shape depends on a value, is no evidence.
    if (!isLeft(found)) runs.push(...found.right);
  }
  return runs;
}

/** A model in which a factor near 1 follows every float value. */
function disturbed(model: ModelProto, values: Feeds, seed: number): ModelProto {
  const graph = graphOf(model);
  const next = mulberry32(seed);
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const initializers = [...graph.initializers];
  const sized = new Set(
    graph.nodes.flatMap(({ opType, inputs }) =>
      SIZED.has(opType) ? inputs.slice(opType === 'Range' ? 0 : 1) : [],
    ),
  );
  const nodes = graph.nodes.flatMap((node): ReadonlyArray<NodeProto> => {
    const followers: NodeProto[] = [];
    const renamed = node.outputs.map((name) => {
      const value = values.get(name);
      if (value === undefined || !isNoisy(value.dtype) || sized.has(name)) return name;
      if (isIdle(node, value, values)) return name;
      const factor = `${name}_factor`;
      const before = `${name}_exact`;
      initializers.push(tensorProto(factor, nearOne(value, next)));
      followers.push(nodeProto('Mul', [before, factor], [name]));
      return before;
    });
    return followers.length === 0 ? [node] : [{ ...node, outputs: renamed }, ...followers];
  });
  // A file with other types than the original states none.
  const info = graph.outputs
    .filter(({ name }) => outputs.has(name))
    .map(({ name }) => ({ name, type: undefined }));
  return { ...model, graph: { ...graph, nodes, initializers, outputs: info } };
}

/** A cast to the type of its operand: onnxruntime removes it, and then confuses the type of what follows. */
const isIdle = ({ opType, inputs: [of] }: NodeProto, value: Tensor, values: Feeds): boolean =>
  opType === 'Cast' && values.get(of ?? '')?.dtype === value.dtype;

const isNoisy = (dtype: DType): boolean => isFloat(dtype) && NOISE[dtype] !== undefined;

/** Between half and all of the noise, of either sign. */
const amount = (dtype: DType, next: () => number): number =>
  (NOISE[dtype] ?? 0) * (next() < 0.5 ? -1 : 1) * (0.5 + 0.5 * next());

const disturbedFeeds = (feeds: Feeds, seed: number): Feeds => {
  const next = mulberry32(seed + 1000);
  return new Map(
    [...feeds].map(([name, t]) => [name, isNoisy(t.dtype) ? shaken(t, next) : t] as const),
  );
};

const shaken = (t: Tensor, next: () => number): Tensor =>
  tensor(
    Array.from(toNumbers(t), (x) => x * (1 + amount(t.dtype, next))),
    t.shape,
    t.dtype,
  );

/** A factor for each element: one for all would cancel out in a normalization. */
const nearOne = ({ shape, dtype }: Tensor, next: () => number): Tensor =>
  tensor(
    Array.from({ length: shapeSize(shape) }, () => 1 + amount(dtype, next)),
    shape,
    dtype,
  );
