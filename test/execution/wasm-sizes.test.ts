/** Programs whose types leave sizes open, on the compiled executor, compared with the oracle. */
import { isRight, orThrow } from '@baton/base';
import {
  type Executable,
  type Executor,
  interpreter,
  oracle,
  type Value,
  valuesAgree,
} from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { decoder } from '@baton/models';
import { standardOps as ops } from '@baton/ops';
import { shapeSize, type Tensor, tensor } from '@baton/tensor';
import { makeWasm, type SpecializationFacts, type WasmOptions } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import { describe, expect, it } from 'vitest';
import { outcome, parse } from './support.ts';

const floats = (shape: ReadonlyArray<number>, seed = 1): Tensor =>
  tensor(
    Float32Array.from({ length: shapeSize(shape) }, (_, i) => Math.sin(i * 0.7 + seed)),
    shape,
    'float32',
  );

const exactly = (): Executor => makeWasm({ isExact: true, leastElements: 0 });

type Shapes = ReadonlyArray<ReadonlyArray<number>>;

/** Programs, each with the shapes of its arguments in several runs. */
const CASES: ReadonlyArray<readonly [name: string, text: string, runs: ReadonlyArray<Shapes>]> = [
  [
    'elementwise',
    'def @main[n: ShapeVar](%x: Tensor[(n, 3), float32]) { exp(add(%x, %x)) }',
    [[[1, 3]], [[2, 3]], [[7, 3]], [[0, 3]], [[2, 3]]],
  ],
  [
    'a size that two arguments share',
    'def @main[n: ShapeVar](%x: Tensor[(n), float32], %y: Tensor[(n), float32]) { multiply(%x, %y) }',
    [
      [[4], [4]],
      [[5], [5]],
      [[5], [4]],
    ],
  ],
  [
    'sizes that the types do not relate',
    'def @main(%x: Tensor[(?), float32], %y: Tensor[(?), float32]) { add(%x, %y) }',
    [
      [[4], [4]],
      [[4], [1]],
      [[4], [3]],
      [[1], [3]],
    ],
  ],
  [
    'a shape computed of sizes',
    `def @main[n: ShapeVar](%x: Tensor[(n, 4), float32]) {
      let %s = shape_of(%x, dtype="int64");
      let %k = take(%s, 0i64, axis=0);
      let %d = concatenate((multiply(expand_dims(%k, axis=0), 2i64), expand_dims(2i64, axis=0)));
      dyn.reshape(transpose(%x), %d)
    }`,
    [[[1, 4]], [[3, 4]], [[6, 4]]],
  ],
  [
    'a result whose sizes the type states',
    'def @main[n: ShapeVar](%x: Tensor[(n), float32], %y: Tensor[(?), float32]) -> Tensor[(n), float32] { add(%x, %y) }',
    [
      [[4], [4]],
      [[1], [4]],
      [[4], [1]],
    ],
  ],
  [
    'a let whose type states sizes',
    `def @main[n: ShapeVar](%x: Tensor[(n), float32], %y: Tensor[(?), float32]) {
      let %z: Tensor[(n), float32] = add(%y, %y);
      add(%x, %z)
    }`,
    [
      [[4], [4]],
      [[4], [1]],
      [[1], [4]],
    ],
  ],
  [
    'a kernel that states sizes',
    `def @main[n: ShapeVar](%x: Tensor[(n), float32], %y: Tensor[(?), float32]) {
      %0 = fn (%p: Tensor[(n), float32], Primitive=1) { exp(negative(%p)) };
      %1 = %0(%y);
      add(%x, %1)
    }`,
    [
      [[4], [4]],
      [[4], [1]],
    ],
  ],
  [
    'products and a softmax',
    `def @main[b: ShapeVar, n: ShapeVar](%q: Tensor[(b, n, 8), float32], %k: Tensor[(b, n, 8), float32]) {
      %0 = nn.batch_matmul(%q, %k, transpose_b=True);
      nn.batch_matmul(nn.softmax(%0), %k)
    }`,
    [
      [
        [1, 3, 8],
        [1, 3, 8],
      ],
      [
        [2, 5, 8],
        [2, 5, 8],
      ],
      [
        [2, 9, 8],
        [2, 9, 8],
      ],
    ],
  ],
];

describe.each(CASES)('sizes: %s', (_, text, runs) => {
  it.each([
    ['exact', exactly()],
    ['checked', makeWasm({ isExact: true, leastElements: 0, checks: checked })],
    ['reference kernels', makeWasm({ level: 'none', leastElements: 0 })],
  ] as const)('%s: as the oracle, errors included', (_mode, executor) => {
    const m = parse(text);
    const wasm = orThrow(executor.prepare(m));
    const expected = orThrow(oracle.prepare(m));
    for (const shapes of runs) {
      const args = shapes.map((shape, i) => floats(shape, i));
      expect(outcome(wasm.run(args))).toEqual(outcome(expected.run(args)));
    }
    wasm.dispose();
  });
});

it('sizes: the fields of tuples have sizes', () => {
  const m = parse(`def @main[n: ShapeVar](%t: (Tensor[(n), float32], Tensor[(2), float32])) {
    (concatenate(%t), sum(%t.0))
  }`);
  const wasm = orThrow(exactly().prepare(m));
  const expected = orThrow(oracle.prepare(m));
  for (const n of [1, 4, 9]) {
    const args = [[floats([n]), floats([2])]];
    expect(outcome(wasm.run(args))).toEqual(outcome(expected.run(args)));
  }
});

/** A compiled program, and what it told of new sizes. */
function watched(m: IRModule, options: WasmOptions = {}) {
  const facts: SpecializationFacts[] = [];
  const onSpecialize = (fact: SpecializationFacts): void => void facts.push(fact);
  return { wasm: orThrow(makeWasm({ ...options, onSpecialize }).prepare(m)), facts };
}

const leaves = (value: Value): ReadonlyArray<Tensor> => {
  if (value._tag === 'Tuple') return value.fields.flatMap(leaves);
  expect(value._tag).toBe('Tensor');
  return [value as Tensor];
};

/** The largest difference of two results of float32, of their largest element. */
function difference(a: Value, b: Value): number {
  const others = leaves(b);
  return Math.max(
    ...leaves(a).map((one, i) => {
      const other = others[i] as Tensor;
      expect(one.shape).toEqual(other.shape);
      const [x, y] = [one.data, other.data] as readonly [Float32Array, Float32Array];
      const size = y.reduce((most, element) => Math.max(most, Math.abs(element)), 1e-30);
      return x.reduce((most, element, at) => {
        return Math.max(most, Math.abs(element - (y[at] as number)) / size);
      }, 0);
    }),
  );
}

describe('a decoder whose cache grows by one a step', () => {
  const [LAYERS, HEADS, WIDTH, STEPS] = [2, 2, 32, 20];
  const m = decoder({ ops, layers: LAYERS, heads: HEADS, width: WIDTH, vocabulary: 48 });

  /** The logits of each step, and the caches after the last. */
  function steps(program: Executable): ReadonlyArray<Value> {
    let caches = Array.from({ length: 2 * LAYERS }, () => floats([HEADS, 0, WIDTH / HEADS]));
    const logits: Value[] = [];
    for (let step = 0; step < STEPS; step++) {
      const token = tensor(BigInt64Array.of(BigInt((7 * step) % 48)), [1], 'int64');
      const [first, ...others] = leaves(orThrow(program.run([token, ...caches])));
      logits.push(first as Tensor);
      caches = others as Tensor[];
    }
    return [...logits, ...caches];
  }

  it('is as the interpreter has it, bit for bit if it is to be exact', () => {
    const expected = steps(orThrow(interpreter.prepare(m)));
    const exact = steps(watched(m, { isExact: true }).wasm);
    exact.forEach((value, i) => {
      expect(valuesAgree(value, expected[i] as Value)).toBe(true);
    });
    const fast = steps(watched(m).wasm);
    fast.forEach((value, i) => {
      expect(difference(value, expected[i] as Value)).toBeLessThan(1e-5);
    });
  });

  it('compiles in few of its steps, and in none once its loops have met sizes of each kind', () => {
    const { wasm, facts } = watched(m);
    steps(wasm);
    const modules = facts.map((fact) => fact.modules);
    expect(facts.length).toBe(STEPS);
    expect(modules[0]).toBe(1);
    expect(modules.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(6);
    expect(modules.slice(10)).toEqual(new Array(STEPS - 10).fill(0));
  });

  it('shares its weights, and keeps little for each step', () => {
    const { wasm, facts } = watched(m);
    steps(wasm);
    const [first, last] = [facts[10], facts.at(-1)] as [SpecializationFacts, SpecializationFacts];
    expect(last.constantBytes).toBe(first.constantBytes);
    expect(last.codeBytes).toBe(first.codeBytes);
    expect(last.ownBytes).toBeLessThan(4096);
    expect(wasm.warnings).toEqual([]);
  });
});

const ROWS = `def @main[n: ShapeVar](%x: Tensor[(n, 16), float32], %w: Tensor[(16, 16), float32]) {
  nn.relu(nn.dense(%x, %w))
}`;

it('sizes that come again are found, and those used last stay', () => {
  const { wasm, facts } = watched(parse(ROWS), { specializations: { entries: 2 } });
  const sizes = [4, 5, 4, 6, 4, 5];
  for (const n of sizes) orThrow(wasm.run([floats([n, 16]), floats([16, 16])]));
  const made = facts.map((fact) => fact.sizes.map((size) => ('shape' in size ? size.shape[0] : 0)));
  expect(made.map(([n]) => n)).toEqual([4, 5, 6, 5]);
});

it('the bytes of constants that belong to sizes are bounded', () => {
  const m = parse(`def @main[n: ShapeVar](%x: Tensor[(n), float32]) {
    add(%x, cast(arange(0, cast(take(shape_of(%x), 0, axis=0), dtype="int32"), 1, dtype="int32"), dtype="float32"))
  }`);
  const { wasm, facts } = watched(m, { specializations: { bytes: 20_000 } });
  const run = (n: number): void => {
    const [x] = leaves(orThrow(wasm.run([floats([n])])));
    expect(x?.data[n - 1]).toBeCloseTo(n - 1 + (floats([n]).data[n - 1] as number), 2);
  };
  for (const n of [1000, 2000, 1000, 3000, 2000]) run(n);
  expect(facts.length).toBe(4);
});

it('a run within a limit of bytes is refused as on the interpreter', () => {
  const m = parse(ROWS);
  const args = [floats([40, 16]), floats([16, 16])];
  const { wasm } = watched(m);
  const limits = { maxBytes: 2000 };
  const expected = orThrow(interpreter.prepare(m)).run(args, limits);
  expect(isRight(expected)).toBe(false);
  for (let i = 0; i < 2; i++) expect(outcome(wasm.run(args, limits))).toEqual(outcome(expected));
});

it('a program that is disposed of runs no more', () => {
  const { wasm } = watched(parse(ROWS));
  const args = [floats([4, 16]), floats([16, 16])];
  orThrow(wasm.run(args));
  wasm.dispose();
  expect(outcome(wasm.run(args))).toMatchObject([{ code: 'EXEC_DISPOSED' }]);
});
