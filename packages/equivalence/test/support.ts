/** Programs and passes for tests of comparisons. */
import { orThrow, right } from '@baton/base';
import type { Equivalence, Regime } from '@baton/equivalence';
import { type Executor, interpreter, oracle } from '@baton/executor';
import {
  call,
  children,
  type Expr,
  type IRModule,
  inferTypes,
  mapFunctions,
  opRef,
  postOrderExprs,
  withChildren,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, type PassParts, pass } from '@baton/pass-manager';
import { parseModule } from '@baton/text';
import { expect } from 'vitest';

export const read = (text: string): IRModule =>
  orThrow(inferTypes(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }))));

/** The result of a comparison, which must be the same on every executor. */
export function onEvery<A>(compare: (executor: Executor) => A): A {
  const [first, second] = [compare(interpreter), compare(oracle)];
  expect(second).toEqual(first);
  return first;
}

export function words(e: Equivalence): Record<Regime, string> {
  const word = (r: Regime): string => {
    const verdict = e.regimes[r];
    return verdict._tag === 'NotApplied' ? 'not applied' : verdict.equal ? 'equal' : 'different';
  };
  return {
    grid: word('grid'),
    shadow: word('shadow'),
    native: word('native'),
    special: word('special'),
  };
}

export const rewriting = (
  name: string,
  rewrite: (call: Extract<Expr, { _tag: 'Call' }>) => Expr | undefined,
  parts: Partial<PassParts> = {},
): Pass =>
  pass({
    name,
    doc: 'Rewrites calls, for tests.',
    level: 0,
    ...parts,
    run: (m) =>
      right(mapFunctions(m, (f) => withChildren(f, [rewritten(f.body, rewrite)]) as typeof f)),
  });

export const renaming = (from: string, to: string): Pass =>
  rewriting(`${from} to ${to}`, (c) =>
    c.op._tag === 'Op' && c.op.name === from ? call(opRef(to), c.args, c) : undefined,
  );

function rewritten(
  body: Expr,
  rewrite: (call: Extract<Expr, { _tag: 'Call' }>) => Expr | undefined,
): Expr {
  const results = new Map<Expr, Expr>();
  for (const node of postOrderExprs([body])) {
    const next = withChildren(
      node,
      children(node).map((c) => results.get(c) ?? c),
    );
    results.set(node, (next._tag === 'Call' ? rewrite(next) : undefined) ?? next);
  }
  return results.get(body) ?? body;
}
