import { type Diagnostic, isLeft, mulberry32, orThrow, type Random } from '@baton/base';
import { hasType } from '@baton/executor';
import {
  children,
  type Expr,
  freeVars,
  type IRModule,
  inferTypes,
  postOrderExprs,
  wellFormed,
  withChildren,
  withFunctions,
} from '@baton/ir';
import { inputsFor, programs } from '@baton/testing';
import { printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { evaluate } from './support.ts';

/** Runs `@main` of a typed module, and compares the result with its type. */
function runTyped(typed: IRModule, seed: number): ReadonlyArray<Diagnostic> {
  const main = typed.functions.get('main');
  if (main?.retType === undefined) throw new Error('inference annotates results');
  const value = evaluate(typed, inputsFor(main, seed), { fuel: 100_000, maxDepth: 10_000 });
  if (isLeft(value)) return value.left;
  expect(hasType(typed, value.right, main.retType), printModule(typed)).toBe(true);
  return [];
}

describe.each(['dataflow', 'whole'] as const)(
  'programs of the %s language that type-check',
  (language) => {
    it('evaluate to a value of their type', () => {
      fc.assert(
        fc.property(programs({ language }), ({ module, seed }) => {
          const failed = runTyped(orThrow(inferTypes(module)), seed);
          expect(failed.map((d) => `${d.code}: ${d.message}`)).toEqual([]);
        }),
        { seed: 40_117, numRuns: amount(200, { quick: 60 }) },
      );
    });
  },
);

/** The run-time errors of a well-typed program: sizes, matches, limits, bad values. */
const RUN_TIME = [
  'EXEC_DIMENSION',
  'EXEC_NO_MATCH',
  'EXEC_OUT_OF_FUEL',
  'EXEC_TOO_DEEP',
  'EXEC_ARGUMENT_TYPE',
];

/** The module with one use of a node replaced by another node of the same function. */
function mutant(m: IRModule, random: Random): IRModule {
  const pick = <A>(items: ReadonlyArray<A>): A => items[Math.floor(random() * items.length)] as A;
  const [name, f] = pick([...m.functions]);
  const nodes = postOrderExprs([f.body]);
  const users = nodes.filter((node) => children(node).length > 0);
  if (users.length === 0) return m;
  const user = pick(users);
  const place = Math.floor(random() * children(user).length);
  const other = pick(nodes);
  const changed = new Map<Expr, Expr>();
  for (const node of nodes) {
    const next = children(node).map((child, i) =>
      node === user && i === place ? other : (changed.get(child) ?? child),
    );
    changed.set(node, withChildren(node, next));
  }
  const body = changed.get(f.body) ?? f.body;
  const functions = new Map([...m.functions, [name, { ...f, body }]]);
  return withFunctions(m, functions);
}

const MUTANTS = amount(300, { quick: 100 });

describe('mutants of well-typed programs', () => {
  it.each(['dataflow', 'whole'] as const)(
    'of the %s language are refused, or evaluate',
    (language) => {
      let refused = 0;
      let evaluated = 0;
      fc.assert(
        fc.property(programs({ language }), fc.nat(), ({ module, seed }, choice) => {
          const m = mutant(module, mulberry32(choice));
          // The new node may lose its binder, or move out of its scope.
          if (wellFormed(m).length > 0) return;
          if ([...m.functions.values()].some((f) => freeVars(f).length > 0)) return;
          const typed = inferTypes(m);
          if (isLeft(typed)) {
            refused += 1;
            return;
          }
          const failed = runTyped(typed.right, seed);
          if (failed.length === 0) evaluated += 1;
          const codes = failed.map((d) => d.code).filter((code) => !RUN_TIME.includes(code));
          expect(codes, `${failed.map((d) => d.message)}\n${printModule(typed.right)}`).toEqual([]);
        }),
        { seed: 12_345, numRuns: MUTANTS },
      );
      expect(refused).toBeGreaterThan(MUTANTS / 10);
      expect(evaluated).toBeGreaterThan(MUTANTS / 10);
    },
  );
});
