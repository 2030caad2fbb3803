import { orThrow } from '@baton/base';
import {
  type Executor,
  evaluate as evaluateOn,
  type HostValue,
  interpreter,
  oracle,
  refValue,
} from '@baton/executor';
import { structuralEqual } from '@baton/ir';
import { type Pass, runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import {
  checkExecutors,
  checkLimits,
  type ExecutorCount,
  GENERATORS,
  programs,
  SEGMENTS,
} from '@baton/testing';
import { printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { codes, outcome, parse } from './support.ts';

const PROGRAMS = amount(1_000, { quick: 20 });
/** Each runs with every amount of fuel up to what it needs. */
const BOUNDED_PROGRAMS = amount(12, { quick: 3 });
const SEED = 61_903;

describe.each(GENERATORS)('programs of the generator $name', (generator) => {
  it('come to the same on every executor', () => {
    const count: ExecutorCount = { programs: 0, values: 0 };
    const problems: string[] = [];
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const problem = checkExecutors(generator, seed, count);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(count.values / count.programs).toBeGreaterThan(0.8);
  });
});

describe.each([...GENERATORS, SEGMENTS])('programs of the generator $name', (generator) => {
  it('stop at the same step on every executor, within any limits', () => {
    const problems: string[] = [];
    for (let seed = SEED; seed < SEED + BOUNDED_PROGRAMS; seed++) {
      const problem = checkLimits(generator, seed);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

describe('a function that one executor made', () => {
  const m = parse(`
    def @make(%n: int32) -> fn (int32) -> int32 { fn (%x: int32) -> int32 { %x + %n } }
    def @main(%f: fn (int32) -> int32, %r: ref(fn (int32) -> int32)) -> int32 { %f(1) }`);
  const made = (executor: typeof oracle) =>
    orThrow(evaluateOn(m, [4], { entry: 'make', executor }));

  it('is run by it', () => {
    for (const executor of [interpreter, oracle]) {
      const f = made(executor);
      const result = evaluateOn(m, [f, { ref: f }], { executor });
      expect(outcome(result)).toBe('5');
    }
  });

  it('is refused by another, wherever it stands in an argument', () => {
    const [own, other] = [made(interpreter), made(oracle)];
    expect(codes(evaluateOn(m, [own, { ref: own }], { executor: oracle }))).toEqual([
      'EXEC_FOREIGN_FUNCTION',
      'EXEC_FOREIGN_FUNCTION',
    ]);
    expect(codes(evaluateOn(m, [own, { ref: other }], { executor: interpreter }))).toEqual([
      'EXEC_FOREIGN_FUNCTION',
    ]);
  });

  it('is refused where another calls it out of a cell that both were given', () => {
    const cells = parse(`
      def @caller(%r: ref(fn () -> int32)) -> fn () -> int32 { fn () -> int32 { ref_read(%r)() + 1 } }
      def @fill(%r: ref(fn () -> int32)) -> () { ref_write(%r, fn () -> int32 { 2 }) }
      def @one() -> fn () -> int32 { fn () -> int32 { 1 } }
      def @main(%f: fn () -> int32) -> int32 { %f() }`);
    for (const [own, other] of [
      [interpreter, oracle],
      [oracle, interpreter],
    ] as const) {
      const on = (executor: Executor, entry: string, arg: HostValue[]) =>
        evaluateOn(cells, arg, { entry, executor });
      const cell = refValue(orThrow(on(own, 'one', [])));
      const caller = orThrow(on(own, 'caller', [cell]));
      expect(outcome(on(own, 'main', [caller]))).toBe('2');
      cell.value = orThrow(on(other, 'one', []));
      orThrow(on(other, 'fill', [cell]));
      const [problem] = outcome(on(own, 'main', [caller]));
      expect(problem).toMatchObject({
        code: 'EXEC_FOREIGN_FUNCTION',
        message: `a call expects functions that ${own.name} made, found one of another executor`,
      });
    }
  });
});

it('an operator that is used as a function fails where it stands', () => {
  const m = parse(`
    def @main(%x: Tensor[(?), float32], %y: Tensor[(?), float32]) {
      let %f: fn (Tensor[(?), float32], Tensor[(?), float32]) -> Tensor[(?), float32] = add;
      let %g: fn (Tensor[(?), float32], Tensor[(?), float32]) -> Tensor[(?), float32] = add;
      (%f(%x, %x), %g(%x, %y)) }`);
  for (const executor of [interpreter, oracle]) {
    const [problem] = outcome(
      evaluateOn(
        m,
        [
          [1, 2],
          [1, 2, 3],
        ],
        { executor },
      ),
    );
    expect(problem).toMatchObject({ span: { line: 5 } });
  }
});

describe('constant folding', () => {
  it('computes the same on every executor', () => {
    let folded = 0;
    fc.assert(
      fc.property(programs({ focus: 'constants' }), ({ module }) => {
        const fold = (pass: Pass) => orThrow(runPass(pass, { level: 9 })(module)).module;
        const [plain, ...others] = [
          passes.foldConstant,
          passes.foldConstant({ executor: interpreter }),
          passes.foldConstant({ executor: oracle }),
        ].map(fold);
        if (plain !== module) folded += 1;
        for (const m of others) {
          expect(plain !== undefined && structuralEqual(m, plain), printModule(module)).toBe(true);
        }
      }),
      { seed: 71_904, numRuns: 100 },
    );
    expect(folded).toBeGreaterThan(70);
  });
});
