import { type Expr, inferTypes, postOrderExprs, printModule, wellFormed } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { programOf, programs } from '@baton/testing';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';

const SEED = 20_261_121;

const calledOps = (roots: ReadonlyArray<Expr>): ReadonlyArray<string> =>
  postOrderExprs(roots).flatMap((e) =>
    e._tag === 'Call' && e.op._tag === 'Op' ? [e.op.name] : [],
  );

describe('programs', () => {
  it('are well-formed, inferred, and of static shapes', () => {
    fc.assert(
      fc.property(programs(), ({ module }) => {
        expect(wellFormed(module)).toEqual([]);
        const again = inferTypes(module);
        expect(isLeft(again) ? again.left : again.right).toBe(module);
        const main = module.functions.get('main');
        expect(main?.retType).toBeDefined();
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('are the same for the same seed', () => {
    for (let seed = 0; seed < 50; seed++) {
      expect(printModule(programOf(seed).module)).toBe(printModule(programOf(seed).module));
    }
  });

  it('call every operator of the table within 1,500 programs', () => {
    const missing = new Set(standardOps.names);
    for (let seed = 0; seed < 1500 && missing.size > 0; seed++) {
      for (const name of calledOps([...programOf(seed).module.functions.values()])) {
        missing.delete(name);
      }
    }
    expect([...missing]).toEqual([]);
  });
});
