/** The recurrent network and the transformers against their papers' formulas in plain numbers. */
import { fnv1a32, mulberry32, spanLeaves } from '@baton/base';
import { toNumbers } from '@baton/tensor';
import {
  evaluate,
  type IRModule,
  models,
  orThrow,
  postOrderExprs,
  type Tensor,
  tensor,
} from 'batonjs';
import { describe, expect, it } from 'vitest';

type Vector = ReadonlyArray<number>;
type Matrix = ReadonlyArray<Vector>;

/** Single precision in the network, double in the formulas. */
const DIGITS = 5;

describe('an LSTM', () => {
  const [steps, inputs, hidden, classes] = [3, 4, 5, 6];

  it.each([1, 2])('of %i layers computes the formulas of its paper', (layers) => {
    const m = models.lstm({ steps, inputs, hidden, layers, classes });
    const data = noise(steps, inputs);
    const weights = weightsOf(m);
    let sequence: Matrix = data;
    for (let layer = 1; layer <= layers; layer++) {
      let h: Vector = zeros(hidden);
      let c: Vector = zeros(hidden);
      sequence = sequence.map((x) => {
        const sums = plus(
          plus(
            times(weights(`layer${layer}.input.weight`, 4 * hidden), x),
            times(weights(`layer${layer}.state.weight`, 4 * hidden), h),
          ),
          weights(`layer${layer}.input.bias`, 1)[0],
        );
        const gate = (i: number) => sums.slice(i * hidden, (i + 1) * hidden);
        const [i, f, g, o] = [
          gate(0).map(sigmoid),
          gate(1).map(sigmoid),
          gate(2).map(Math.tanh),
          gate(3).map(sigmoid),
        ];
        c = plus(product(f, c), product(i, g));
        h = product(o, c.map(Math.tanh));
        return h;
      });
    }
    const logits = plus(
      times(weights('head.dense.weight', classes), sequence[steps - 1] ?? []),
      weights('head.dense.bias', 1)[0],
    );
    expectClose(run(m, data), softmax(logits));
  });
});

describe('the encoder of a transformer', () => {
  const [tokens, width, heads, hidden] = [3, 6, 2, 7];

  it.each([1, 2])('of %i layers computes the formulas of its paper', (layers) => {
    const m = models.transformerEncoder({ sequenceLength: tokens, width, heads, hidden, layers });
    const data = noise(tokens, width);
    const layersOf = layersIn(m, { heads, isTurned: false });
    let x: Matrix = data;
    for (let layer = 1; layer <= layers; layer++) x = layersOf.normalizedAfter(`layer${layer}`, x);
    expectClose(run(m, data), x.flat());
  });
});

describe('BERT', () => {
  const [tokens, width, heads] = [4, 6, 2];

  it.each([1, 2])('of %i layers computes the formulas of its paper', (layers) => {
    const m = models.bert({ sequenceLength: tokens, width, heads, layers, vocabulary: 5 });
    const [ids, types, seen] = [
      [3, 0, 4, 1],
      [0, 0, 1, 1],
      [1, 1, 1, 0],
    ];
    const weights = weightsOf(m);
    const row = (name: string, count: number, at: number): Vector =>
      weights(`${name}.weight`, count)[at] ?? [];
    const layersOf = layersIn(m, { heads, isTurned: true });
    const sums = ids.map((id, i) =>
      plus(plus(row('tokens', 5, id), row('types', 2, types[i] ?? 0)), row('positions', 512, i)),
    );
    let x = layersOf.norm('embed', sums);
    const shift = seen.map((one) => (one - 1) * 10_000);
    for (let layer = 1; layer <= layers; layer++) {
      x = layersOf.normalizedAfter(`layer${layer}`, x, shift);
    }
    const pooled = plus(
      times(weights('pooler.dense.weight', width), x[0] ?? []),
      weights('pooler.dense.bias', 1)[0],
    );
    const integers = (values: Vector) => tensor(values.map(BigInt), [1, tokens], 'int64');
    const inputs = {
      ...{ input_ids: integers(ids), token_type_ids: integers(types) },
      attention_mask: integers(seen),
    };
    expectClose(runOn(m, inputs), [...x.flat(), ...pooled.map(Math.tanh)]);
  });
});

describe('GPT-2', () => {
  const [past, width, heads, vocabulary] = [2, 6, 2, 5];
  const size = width / heads;

  it.each([1, 2])('of %i layers computes the formulas of its paper', (layers) => {
    const m = models.gpt2({ past, width, heads, layers, vocabulary, positions: 4 });
    const weights = weightsOf(m);
    const layersOf = layersIn(m, { heads, isTurned: true });
    const table = weights('tokens.weight', vocabulary);
    let x: Matrix = [plus(table[3] ?? [], weights('positions.weight', 4)[past])];
    const present: number[] = [];
    const inputs: Record<string, Tensor> = {};
    const shift = [0, Number.NEGATIVE_INFINITY, 0];
    for (let layer = 1; layer <= layers; layer++) {
      const name = `layer${layer}`;
      const own = layersOf.norm(`${name}.attention`, x);
      const [all] = layersOf.dense(`${name}.attention.all`, own);
      const [query, key, value] = [0, 1, 2].map((i) => all?.slice(i * width, (i + 1) * width));
      const caches = [key, value].map((added, i) => {
        const before = noise(past, width, `${name}.${i}`);
        // One matrix for each head.
        const perHead = (rows: Matrix): Vector =>
          Array.from({ length: heads }, (_, head) =>
            rows.map((row) => row.slice(head * size, (head + 1) * size)),
          ).flat(2);
        inputs[`past_${i === 0 ? 'key' : 'value'}${layer}`] = tensor(
          [...perHead(before)],
          [1, heads, past, size],
          'float32',
        );
        const rows = [...before, added ?? []];
        present.push(...perHead(rows));
        return rows;
      });
      const mixed = attended([query ?? []], caches[0] ?? [], caches[1] ?? [], { heads, shift });
      x = added(x, layersOf.dense(`${name}.attention.output`, mixed));
      const wide = layersOf.dense(`${name}.feed.expand`, layersOf.norm(`${name}.feed`, x));
      const active = wide.map((row) => row.map(geluByTanh));
      x = added(x, layersOf.dense(`${name}.feed.project`, active));
    }
    const logits = times(table, layersOf.norm('head', x)[0] ?? []);
    const integers = (...values: Vector) => tensor(values.map(BigInt), [1, values.length], 'int64');
    const value = runOn(m, {
      ...inputs,
      ...{ input_ids: integers(3), position_ids: integers(past) },
      attention_mask: integers(...shift.map((one) => (one === 0 ? 1 : 0))),
    });
    expectClose(value, [...logits, ...present]);
  });
});

/** A vision transformer, whose patches are numbers of one each. */
describe('a vision transformer', () => {
  const [side, width, heads, classes] = [2, 6, 2, 5];

  it.each([1, 2])('of %i layers computes the formulas of its paper', (layers) => {
    const m = models.vit({ imageSize: side, patchSize: 1, width, heads, classes, layers });
    const data = noise(3, side * side);
    const weights = weightsOf(m);
    const layersOf = layersIn(m, { heads, isTurned: true });
    const patches = Array.from({ length: side * side }, (_, i) =>
      plus(
        times(
          weights('patches.weight', width),
          data.map((channel) => channel[i] ?? 0),
        ),
        weights('patches.bias', 1)[0],
      ),
    );
    const tokens = [...weights('token.weight', 1), ...patches];
    let x = added(tokens, weights('positions.weight', tokens.length));
    for (let layer = 1; layer <= layers; layer++) {
      const name = `layer${layer}`;
      x = added(x, layersOf.attention(name, layersOf.norm(`${name}.attention`, x)));
      x = added(x, layersOf.feed(name, layersOf.norm(`${name}.feed`, x)));
    }
    const logits = plus(
      times(weights('head.dense.weight', classes), layersOf.norm('head', x)[0] ?? []),
      weights('head.dense.bias', 1)[0],
    );
    const image = tensor(data.flat(), [1, 3, side, side], 'float32');
    expectClose(runOn(m, { data: image }), logits);
  });
});

/** The formulas of layers, with the weights of a network, which may be transposed. */
function layersIn(m: IRModule, { heads, isTurned }: { heads: number; isTurned: boolean }) {
  const weights = weightsOf(m);
  const dense = (name: string, x: Matrix): Matrix => {
    const [bias = []] = weights(`${name}.bias`, 1);
    const rows = isTurned
      ? turned(weights(`${name}.weight`, x[0]?.length ?? 0))
      : weights(`${name}.weight`, bias.length);
    return x.map((row) => plus(times(rows, row), bias));
  };
  const norm = (name: string, x: Matrix): Matrix =>
    x.map((row) => {
      const mean = sum(row) / row.length;
      const variance = sum(row.map((v) => (v - mean) ** 2)) / row.length;
      const scaled = row.map((v) => (v - mean) / Math.sqrt(variance + 1e-5));
      return plus(
        product(scaled, weights(`${name}.norm.gamma`, 1)[0] ?? []),
        weights(`${name}.norm.beta`, 1)[0],
      );
    });
  const attention = (name: string, x: Matrix, shift?: Vector): Matrix => {
    const part = (label: string, from: Matrix) => dense(`${name}.attention.${label}`, from);
    const [q, k, v] = [part('query', x), part('key', x), part('value', x)];
    return part('output', attended(q, k, v, { heads, shift }));
  };
  const feed = (name: string, x: Matrix): Matrix =>
    dense(
      `${name}.feed.project`,
      dense(`${name}.feed.expand`, x).map((row) => row.map(gelu)),
    );
  const normalizedAfter = (name: string, x: Matrix, shift?: Vector): Matrix => {
    const mixed = norm(`${name}.attention`, added(x, attention(name, x, shift)));
    return norm(`${name}.feed`, added(mixed, feed(name, mixed)));
  };
  return { dense, norm, attention, feed, normalizedAfter };
}

/** The means of values that queries ask for; `shift` is added to the scores of each key. */
function attended(
  q: Matrix,
  k: Matrix,
  v: Matrix,
  { heads, shift = [] }: { readonly heads: number; readonly shift?: Vector | undefined },
): Matrix {
  const width = q[0]?.length ?? 0;
  const size = width / heads;
  return q.map((query) =>
    Array.from({ length: heads }, (_, head) => {
      const own = (row: Vector) => row.slice(head * size, (head + 1) * size);
      const scores = k.map((key) => sum(product(own(query), own(key))));
      const share = softmax(scores.map((s, i) => s / Math.sqrt(size) + (shift[i] ?? 0)));
      return v.reduce<Vector>(
        (mean, value, token) =>
          plus(
            mean,
            own(value).map((e) => e * (share[token] ?? 0)),
          ),
        zeros(size),
      );
    }).flat(),
  );
}

/** Reads a weight by its name, as a matrix of this many rows. */
function weightsOf(m: IRModule): (name: string, rows: number) => Matrix {
  const byName = new Map<string, Vector>();
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag !== 'Constant') continue;
    const leaf = spanLeaves(node.span)[0];
    if (leaf?._tag === 'BuilderSpan') byName.set(leaf.name, [...toNumbers(node.data)]);
  }
  return (name, rows) => {
    const data = byName.get(name);
    if (data === undefined) throw new Error(`no weight ${name}`);
    const columns = data.length / rows;
    return Array.from({ length: rows }, (_, row) => data.slice(row * columns, (row + 1) * columns));
  };
}

function run(m: IRModule, data: Matrix): Vector {
  const shape = [1, data.length, data[0]?.length ?? 0];
  return runOn(m, { data: tensor(data.flat(), shape, 'float32') });
}

/** What the network computes, tensor after tensor. */
function runOn(m: IRModule, inputs: Readonly<Record<string, Tensor>>): Vector {
  const value = orThrow(evaluate(m, inputs));
  return (value._tag === 'Tuple' ? value.fields : [value]).flatMap((field) => {
    if (field._tag !== 'Tensor') throw new Error(`the network computes a ${field._tag}`);
    return [...toNumbers(field)];
  });
}

function noise(rows: number, columns: number, seed = 'formulas'): Matrix {
  const next = mulberry32(fnv1a32(seed));
  return Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => Math.fround(2 * next() - 1)),
  );
}

function expectClose(found: Vector, expected: Vector): void {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, DIGITS);
}

const zeros = (size: number): Vector => new Array<number>(size).fill(0);
const sum = (x: Vector): number => x.reduce((a, b) => a + b, 0);
const plus = (x: Vector, y: Vector = []): Vector => x.map((v, i) => v + (y[i] ?? Number.NaN));
const product = (x: Vector, y: Vector): Vector => x.map((v, i) => v * (y[i] ?? Number.NaN));
const times = (rows: Matrix, x: Vector): Vector => rows.map((row) => sum(product(row, x)));
const added = (x: Matrix, y: Matrix): Matrix => x.map((row, i) => plus(row, y[i]));
const turned = (x: Matrix): Matrix =>
  (x[0] ?? []).map((_, column) => x.map((row) => row[column] ?? Number.NaN));
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function softmax(x: Vector): Vector {
  const powers = x.map(Math.exp);
  return powers.map((p) => p / sum(powers));
}

const gelu = (x: number): number => (x / 2) * (1 + erf(x / Math.SQRT2));

const geluByTanh = (x: number): number =>
  (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** The power series, which converges for every number. */
function erf(x: number): number {
  let term = x;
  let total = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}
