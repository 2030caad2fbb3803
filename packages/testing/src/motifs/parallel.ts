/** Products of the same data, and the calls after each: CombineParallel. */
import type { Attrs } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import { allowed, type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';
import { weightOf } from '../samplers/contractions.ts';

/** Calls of one operator on the same data. */
interface Parallel {
  readonly name: string;
  readonly data: TensorValue;
  readonly attrs: Attrs;
  /** The shape of another weight. */
  readonly weight: () => ReadonlyArray<number>;
  /** The shapes of other arguments of the calls after a result. */
  readonly beside: (result: TensorValue) => ReadonlyArray<ReadonlyArray<number>>;
}

/** Two to four branches, mostly alike. */
function branches(b: Builder, { name, data, attrs, weight, beside }: Parallel): TensorValue {
  const { random } = b;
  const next = random.chance(0.7) ? followers(b) : undefined;
  const results = Array.from({ length: random.int(2, 4) }, () => {
    const product = b.tensor(name, [data, weightOf(b, weight(), data.dtype)], attrs);
    const chain = next === undefined || random.chance(0.1) ? followers(b) : next;
    return chain.reduce((value, op) => follow(b, value, op, beside), product);
  });
  for (const result of results.slice(1)) b.keep(result);
  return results[0] as TensorValue;
}

function followers(b: Builder): ReadonlyArray<string> {
  const known = allowed(
    b,
    'nn.relu negative add multiply subtract maximum nn.bias_add expand_dims',
  );
  return known.length === 0
    ? []
    : Array.from({ length: b.random.int(0, 3) }, () => b.random.pick(known));
}

function follow(
  b: Builder,
  value: TensorValue,
  op: string,
  beside: Parallel['beside'],
): TensorValue {
  const { random } = b;
  if (op === 'nn.relu' || op === 'negative') return b.tensor(op, [value]);
  if (op === 'expand_dims') return b.tensor(op, [value], { axis: random.pick([0, 1, -1]) });
  if (op === 'nn.bias_add') {
    const axis = value.shape.length === 4 ? 1 : -1;
    const size = value.shape.at(axis);
    if (size === undefined) return value;
    return b.tensor(op, [value, weightOf(b, [size], value.dtype)], { axis });
  }
  const other = weightOf(b, random.pick([...beside(value), []]), value.dtype);
  const isLeft = op === 'subtract' && random.chance(0.3);
  return b.tensor(op, isLeft ? [other, value] : [value, other]);
}

const convolutions = (b: Builder): TensorValue => {
  const { random } = b;
  const data = b.operand({ rank: [4, 4], fits: (s) => !s.includes(0), fresh: () => [1, 2, 3, 4] });
  const kernel = random.pick([1, 3]);
  const size = () => (random.chance(0.85) ? kernel : 4 - kernel);
  return branches(b, {
    name: 'nn.conv2d',
    data,
    attrs: { padding: [1, 1] },
    weight: () => {
      const side = size();
      return [random.int(1, 4), data.shape[1] ?? 1, side, side];
    },
    beside: ({ shape }) => {
      const channels = shape.at(-3) ?? 1;
      return [[channels, 1, 1], [channels, 1, 1], [1, channels, 1, 1], shape.slice(-2)];
    },
  });
};

const layers = (b: Builder): TensorValue => {
  const { random } = b;
  const data = b.operand({ rank: [2, 2], fits: (s) => !s.includes(0), fresh: () => [3, 4] });
  const units = random.int(1, 4);
  return branches(b, {
    name: 'nn.dense',
    data,
    attrs: {},
    weight: () => [random.chance(0.85) ? units : units + 1, data.shape[1] ?? 1],
    beside: ({ shape }) => [shape.slice(-1), shape.slice(-1), shape, [1], [2, ...shape]],
  });
};

const batches = (b: Builder): TensorValue => {
  const { random } = b;
  const data = b.operand({ rank: [3, 3], fits: (s) => !s.includes(0), fresh: () => [2, 3, 4] });
  const [batch = 1, , depth = 1] = data.shape;
  return branches(b, {
    name: 'nn.batch_matmul',
    data,
    attrs: { transpose_b: true },
    weight: () => [random.chance(0.9) ? batch : 1, random.int(1, 4), depth],
    beside: ({ shape }) => [shape.slice(-1), [1, ...shape.slice(-1)], shape, [1]],
  });
};

export const parallel: ReadonlyArray<Motif> = [
  motif(1, 'nn.conv2d', convolutions),
  motif(1, 'nn.dense', layers),
  motif(1, 'nn.batch_matmul', batches),
];
