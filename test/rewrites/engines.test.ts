import { isLeft } from '@baton/base';
import { type Expr, func, irModule, orThrow, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { algebra, arithmetic, greedy, movement, saturate } from '@baton/rewrites';
import { type PassTrialOptions, testPass } from '@baton/testing';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

/** Both engines with every rule that is shipped for them. */
const ENGINES = {
  greedy: greedy([arithmetic, movement]),
  saturate: saturate([arithmetic, movement, algebra], { nodeLimit: 1_000, iterationLimit: 6 }),
};

const PROGRAMS: Readonly<Record<string, PassTrialOptions>> = {
  'of their themes': { focus: ['arith', 'constants', 'movement', 'casts'] },
  'of anything': {},
  'of the full language': { language: 'whole' },
  'of late types': { types: 'late' },
};

const cases = Object.entries(ENGINES).flatMap(([engine, pass]) =>
  Object.entries(PROGRAMS).map(([name, options]) => ({ engine, name, pass, options })),
);

describe('rules keep what programs compute', () => {
  it.each(cases)('$engine on programs $name', ({ pass, options }) => {
    const trial = testPass(pass, { ...options, count: amount(40, { quick: 30 }), seed: 20261122 });
    expect(isLeft(trial) ? trial.left : 'kept').toBe('kept');
  });
});

describe('deep programs', () => {
  const DEPTH = 8_000;

  it.each(Object.entries(ENGINES))('go through %s', (_, pass) => {
    const x = variable('x', tensorType([2], 'float32'));
    let body: Expr = x;
    for (let i = 0; i < DEPTH; i++) body = callOp(standardOps, 'negative', [body]);
    const m = irModule({ functions: new Map([['main', func([x], body)]]), ops: standardOps });
    expect(orThrow(runPass(pass)(m)).module.functions.size).toBe(1);
  });
});
