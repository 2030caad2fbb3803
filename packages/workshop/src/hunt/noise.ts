/**
 * Runs of the reference with rounding errors made larger: every float input, every float constant and
 * every float value inside is multiplied by numbers near 1, and what a runtime approximates is moved
 * by a part of 1, too. An output that changes much under this noise depends on rounding, and is no
 * evidence of a fault.
 */
import { isLeft, mulberry32 } from '@baton/base';
import { elementNumber, type ModelProto, type NodeProto } from '@baton/onnx';
import {
  type DType,
  isFloat,
  shapeSize,
  spacingOf,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';
import type { Runtime } from '../onnxruntime/installed.ts';
import { type Feeds, graphOf, nodeProto, referenceBytes } from './model.ts';

/** The relative size of the noise: a few units in the last place. */
const NOISE: Readonly<Record<string, number>> = {
  float16: 2 ** -9,
  float32: 2 ** -21,
  float64: 2 ** -48,
};

/**
 * Functions with values around 1 that onnxruntime approximates with an absolute error: near 0 few of
 * their digits are right. In float32 and around 0 its Sigmoid is wrong by up to 0.8 units in the last
 * place of 1, Gelu by 0.7, Elu by 0.5, Selu by 0.9; the logarithm of a sum that rounds to 1 is 0.
 */
const APPROXIMATED = new Set([
  'Sigmoid',
  'Gelu',
  'Elu',
  'Celu',
  'Selu',
  'HardSigmoid',
  'LogSoftmax',
]);

/** Functions with values above 0, for which onnxruntime returns 0 below the normal range. */
const FLUSHED = new Set(['Exp', 'Softmax']);

/**
 * The most that an operator's results are moved by. onnxruntime computes float16 in float32: it
 * approximates in that type, and keeps digits that a number below the normal range of float16 loses.
 */
function shiftOf(opType: string, dtype: DType): number {
  const spacing = spacingOf(dtype === 'float64' ? 'float64' : 'float32');
  if (APPROXIMATED.has(opType)) return spacing.epsilon;
  if (dtype === 'float16') return spacingOf('float16').least;
  return FLUSHED.has(opType) ? spacing.leastNormal : 0;
}

/**
 * Functions whose results stay the same if a number is added to their data, and which onnxruntime
 * computes as `x·a + (b − mean·a)`: the two products may be far larger than their difference. Of one
 * element an instance normalization is `b`, and is wrong by some units in the last place of `x·a`.
 */
const SHIFT_INVARIANT = new Set(['InstanceNormalization']);

/** Each run shows one side of a near tie; of a tie that two quantizations round one after the other, few show the other. */
const RUNS = 48;

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
    const { model: noisy, noise } = disturbed(model, new Map([...feeds, ...values]), seed);
    const given = new Map([...disturbedFeeds(feeds, seed), ...noise]);
    const found = await runtime.run(referenceBytes(noisy), [given]);
    // A model that noise breaks, for example because a shape depends on a value, is no evidence.
    if (!isLeft(found)) runs.push(...found.right);
  }
  return runs;
}

/** A model in which a factor near 1 follows every float value; the factors are inputs. */
function disturbed(
  model: ModelProto,
  values: Feeds,
  seed: number,
): { readonly model: ModelProto; readonly noise: Feeds } {
  const graph = graphOf(model);
  const next = mulberry32(seed);
  const noise = new Map<string, Tensor>();
  const sized = new Set(
    graph.nodes.flatMap(({ opType, inputs }) =>
      SIZED.has(opType) ? inputs.slice(opType === 'Range' ? 0 : 1) : [],
    ),
  );
  const nodes = graph.nodes.flatMap((node): ReadonlyArray<NodeProto> => {
    const followers: NodeProto[] = [];
    const [of = '', ...others] = node.inputs;
    const data = SHIFT_INVARIANT.has(node.opType) ? values.get(of) : undefined;
    const offset = data && isNoisy(data.dtype) ? offsetOf(data, next) : undefined;
    const at = `${node.outputs[0]}_offset`;
    const moved = `${node.outputs[0]}_moved`;
    if (offset !== undefined) noise.set(at, offset);
    const movers = offset === undefined ? [] : [nodeProto('Add', [of, at], [moved])];
    const renamed = node.outputs.map((name) => {
      const value = values.get(name);
      if (value === undefined || !isNoisy(value.dtype) || sized.has(name)) return name;
      if (isIdle(node, value, values)) return name;
      const before = `${name}_exact`;
      const shift = shiftOf(node.opType, value.dtype);
      const product = shift > 0 ? `${name}_product` : name;
      noise.set(`${name}_factor`, nearOne(value, next));
      followers.push(nodeProto('Mul', [before, `${name}_factor`], [product]));
      if (shift > 0) {
        noise.set(`${name}_shift`, nearZero(value, shift, next));
        followers.push(nodeProto('Add', [product, `${name}_shift`], [name]));
      }
      return before;
    });
    const inputs = movers.length === 0 ? node.inputs : [moved, ...others];
    return [...movers, { ...node, inputs, outputs: renamed }, ...followers];
  });
  // A file with other types than the original states none.
  const outputs = graph.outputs.map(({ name }) => ({ name, type: undefined }));
  const inputs = [...noise].map(([name, { dtype }]) => ({
    name,
    type: { _tag: 'Tensor' as const, elemType: elementNumber(dtype), shape: undefined },
  }));
  const noisy = { ...graph, nodes, inputs: [...graph.inputs, ...inputs], outputs };
  return { model: { ...model, graph: noisy }, noise };
}

/** A cast to the type of its operand: onnxruntime removes it, and then confuses the type of what follows. */
const isIdle = ({ opType, inputs: [of] }: NodeProto, value: Tensor, values: Feeds): boolean =>
  opType === 'Cast' && values.get(of ?? '')?.dtype === value.dtype;

const isNoisy = (dtype: DType): boolean => isFloat(dtype) && NOISE[dtype] !== undefined;

/** Between half and all of it, of either sign. */
const someOf = (most: number, next: () => number): number =>
  most * (next() < 0.5 ? -1 : 1) * (0.5 + 0.5 * next());

const amount = (dtype: DType, next: () => number): number => someOf(NOISE[dtype] ?? 0, next);

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

/** One number for all elements, of the size of the largest. */
const offsetOf = (t: Tensor, next: () => number): Tensor => {
  const most = Array.from(toNumbers(t)).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  return tensor([someOf(most, next)], [], t.dtype);
};

/** A number of about this size for each element. */
const nearZero = ({ shape, dtype }: Tensor, most: number, next: () => number): Tensor =>
  tensor(
    Array.from({ length: shapeSize(shape) }, () => someOf(most, next)),
    shape,
    dtype,
  );
