import { right } from '@baton/base';
import { call, constant, type Expr, func, mapFunctions, variable } from '@baton/ir';
import { pass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { scalar } from '@baton/tensor';
import { passLaws, programOf } from '@baton/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const SEED = 20_261_121;

describe('the laws of passes', () => {
  const kept = [
    ...passLaws(passes.eliminateCommonSubexpr, { focus: 'duplicates', context: { level: 4 } }),
    ...passLaws(passes.foldConstant, { focus: 'constants', context: { level: 4 } }),
    ...passLaws(passes.deadCodeElimination, { language: 'whole', context: { level: 4 } }),
  ];

  it.each(kept)('hold for a pass that keeps them: $name', ({ property }) => {
    fc.assert(property, { seed: SEED, numRuns: 60 });
  });

  const { module } = programOf(1);
  const wrap = (change: (body: Expr) => Expr) =>
    pass({
      name: 'Broken',
      doc: 'Breaks a law.',
      level: 0,
      run: (m) => right(mapFunctions(m, (f) => func(f.params, change(f.body), f))),
    });
  const broken = (change: (body: Expr) => Expr): ReadonlyArray<string> =>
    passLaws(wrap(change)).flatMap((law) => (law.broken(module) === undefined ? [] : [law.name]));

  it('are broken by a pass that makes a new module each time', () => {
    expect(broken((body) => body)).toEqual(['it is idempotent']);
  });

  it('are broken by a pass that leaves a variable without a binder', () => {
    expect(broken(() => variable('lost'))).toContain('its result is well-formed');
  });

  it('are broken by a pass that leaves an ill-typed call', () => {
    const one = constant(scalar(1, 'float32'));
    expect(broken(() => call(one, []))).toContain('its result is well-typed');
  });
});
