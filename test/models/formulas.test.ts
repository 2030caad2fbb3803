/** The recurrent network and the transformer against their papers' formulas in plain numbers. */
import { fnv1a32, mulberry32, spanLeaves } from '@baton/base';
import { toNumbers } from '@baton/tensor';
import { evaluate, type IRModule, models, orThrow, postOrderExprs, tensor } from 'batonjs';
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
          weights(`layer${layer}.gates.bias`, 1)[0],
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
  const size = width / heads;

  it.each([1, 2])('of %i layers computes the formulas of its paper', (layers) => {
    const m = models.transformerEncoder({ sequenceLength: tokens, width, heads, hidden, layers });
    const data = noise(tokens, width);
    const weights = weightsOf(m);
    const dense = (name: string, units: number, x: Matrix): Matrix =>
      x.map((row) =>
        plus(times(weights(`${name}.weight`, units), row), weights(`${name}.bias`, 1)[0]),
      );
    const norm = (name: string, x: Matrix): Matrix =>
      x.map((row) => {
        const mean = sum(row) / width;
        const variance = sum(row.map((v) => (v - mean) ** 2)) / width;
        const scaled = row.map((v) => (v - mean) / Math.sqrt(variance + 1e-5));
        return plus(
          product(scaled, weights(`${name}.gamma`, 1)[0] ?? []),
          weights(`${name}.beta`, 1)[0],
        );
      });
    let x: Matrix = data;
    for (let layer = 1; layer <= layers; layer++) {
      const name = `layer${layer}.attention`;
      const [q, k, v] = ['query', 'key', 'value'].map((part) => dense(`${name}.${part}`, width, x));
      const mixed = (q ?? []).map((query) =>
        Array.from({ length: heads }, (_, head) => {
          const own = (row: Vector) => row.slice(head * size, (head + 1) * size);
          const scores = (k ?? []).map((key) => sum(product(own(query), own(key))));
          const share = softmax(scores.map((s) => s / Math.sqrt(size)));
          return (v ?? []).reduce<Vector>(
            (mean, value, token) =>
              plus(
                mean,
                own(value).map((e) => e * (share[token] ?? 0)),
              ),
            zeros(size),
          );
        }).flat(),
      );
      const attended = dense(`${name}.output`, width, mixed);
      x = norm(
        `${name}.norm`,
        x.map((row, i) => plus(row, attended[i])),
      );
      const feed = `layer${layer}.feed`;
      const wide = dense(`${feed}.expand`, hidden, x).map((row) => row.map(gelu));
      const fed = dense(`${feed}.project`, width, wide);
      x = norm(
        `${feed}.norm`,
        x.map((row, i) => plus(row, fed[i])),
      );
    }
    expectClose(run(m, data), x.flat());
  });
});

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
  const value = orThrow(evaluate(m, { data: tensor(data.flat(), shape, 'float32') }));
  if (value._tag !== 'Tensor') throw new Error(`the network computes a ${value._tag}`);
  return [...toNumbers(value)];
}

function noise(rows: number, columns: number): Matrix {
  const next = mulberry32(fnv1a32('formulas'));
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
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function softmax(x: Vector): Vector {
  const powers = x.map(Math.exp);
  return powers.map((p) => p / sum(powers));
}

const gelu = (x: number): number => (x / 2) * (1 + erf(x / Math.SQRT2));

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
