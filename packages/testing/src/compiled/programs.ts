/**
 * Programs for compiled executors: chains of elementwise lines of mixed types, masks used as numbers,
 * products with weights that are views, values that are read again after a concatenation of them. The
 * sizes lie on both sides of every boundary of the code. Every order of the sums of a program has
 * bit-identical results.
 */
import { orThrow } from '@baton/base';
import { type Executor, evaluate, interpreter } from '@baton/executor';
import { bind, constant, type Func, type IRModule, inferTypes, irModule } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import type { Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { elementDifference, leavesOf } from './differences.ts';
import { type Draft, type Known, makeDraft } from './draft.ts';
import { binary, castThereAndBack, isLarge, masked, TYPES, unary } from './elementwise.ts';
import { folded, joined, joinedAndReadAgain, moved } from './movement.ts';
import { product } from './products.ts';
import { shapeFor } from './sizes.ts';

export interface CompiledProgram {
  readonly seed: number;
  readonly text: string;
  readonly module: IRModule;
  readonly inputs: ReadonlyArray<Tensor>;
  /**
   * Whether its floats are tenths. It has no sums; its results are bit-identical if no multiplication
   * and addition are fused: at the level `simd`.
   */
  readonly isFractional: boolean;
}

type Make = (draft: Draft, x: Known) => Known;

const LINES: ReadonlyArray<readonly [number, Make]> = [
  [2, unary],
  [4, binary],
  [4, masked],
  [3, castThereAndBack],
  [3, moved],
  [2, joined],
  [3, joinedAndReadAgain],
  [2, folded],
];

/** The lines of programs of integers, whose sums are exact. */
const WHOLE: typeof LINES = [...LINES, [6, product]];

/** One program in this number has floats that are tenths. */
const FRACTIONAL = 6;

const RESULTS = 5;

export function compiledProgram(seed: number): CompiledProgram {
  const isFractional = seed % FRACTIONAL === 0;
  const draft = makeDraft(seed, isFractional);
  const { random, pool } = draft;
  let value = draft.input(shapeFor(random), random.weighted(TYPES));
  const lines = random.int(2, 7);
  for (let i = 0; i < lines; i++) {
    value = random.weighted(isFractional ? LINES : WHOLE)(draft, value);
    const others = pool.filter(isLarge);
    // The next line reads this value, an earlier one, or one that was not read so far.
    if (value.shape.length === 0 || random.chance(0.3)) {
      value = others.length > 0 ? random.pick(others) : draft.input(shapeFor(random), 'float32');
    }
  }
  const results = pool.filter((one) => !draft.isUsed(one)).slice(-RESULTS);
  const last = results.length > 0 ? results : [unary(draft, value)];
  const text = draft.text(last);
  const given = orThrow(parseModule(text, { ops }));
  const main = given.functions.get('main') as Func;
  const constants = new Map(
    main.params.flatMap((param, i) => {
      const known = draft.params[i]?.constant;
      return known === undefined ? [] : [[param, constant(known)] as const];
    }),
  );
  const functions = new Map([['main', constants.size > 0 ? bind(main, constants) : main]]);
  return {
    seed,
    text,
    module: orThrow(inferTypes(irModule({ functions, ops }))),
    inputs: draft.params.flatMap(({ input }) => (input === undefined ? [] : [input])),
    isFractional,
  };
}

/** The first element on which an executor differs from the interpreter. Throws if one of them refuses. */
export function compiledDifference(
  { module, inputs, seed, text }: CompiledProgram,
  executor: Executor,
): string | undefined {
  const wanted = leavesOf(orThrow(evaluate(module, inputs, { executor: interpreter })));
  const found = leavesOf(orThrow(evaluate(module, inputs, { executor })));
  for (const [i, tensor] of wanted.entries()) {
    const problem = elementDifference(tensor, found[i] as Tensor);
    if (problem !== undefined) return `seed ${seed}, result ${i}: ${problem}\n${text}`;
  }
  return undefined;
}
