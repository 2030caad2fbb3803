import { right } from '@baton/base';
import { type Expr, type IRModule, inferTypes, postOrderExprs, wellFormed } from '@baton/ir';
import { type Program, programs } from '@baton/testing';
import { printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const nodesOf = (m: IRModule): ReadonlyArray<Expr> => postOrderExprs([...m.functions.values()]);

const callsOf = (m: IRModule): ReadonlyArray<Expr> => nodesOf(m).filter((e) => e._tag === 'Call');

const isCallOf = (e: Expr | undefined, name: string): boolean =>
  e?._tag === 'Call' && e.op._tag === 'Op' && e.op.name === name;

const firstArg = (e: Expr): Expr | undefined => (e._tag === 'Call' ? e.args[0] : undefined);

/** The reported program of a failing property, and its size when it was found. */
function reported(fails: (m: IRModule) => boolean, seed: number) {
  let found = 0;
  const holds = fc.property(programs({ maxCalls: 30 }), ({ module }) => {
    const failed = fails(module);
    if (failed && found === 0) found = callsOf(module).length;
    return !failed;
  });
  const { counterexample } = fc.check(holds, { seed, numRuns: 5000 });
  const [program] = counterexample ?? [];
  if (program === undefined) throw new Error('the property fails for some program');
  return { program, found };
}

describe('a failing program of up to 30 calls shrinks', () => {
  const cases: ReadonlyArray<{
    readonly what: string;
    readonly fails: (m: IRModule) => boolean;
    readonly atMost: number;
  }> = [
    {
      what: 'a convolution before a rectifier',
      fails: (m) =>
        callsOf(m).some((e) => isCallOf(e, 'nn.relu') && isCallOf(firstArg(e), 'nn.conv2d')),
      atMost: 2,
    },
    {
      what: 'a batch normalization and a sum, somewhere',
      fails: (m) =>
        callsOf(m).some((e) => isCallOf(e, 'nn.batch_norm')) &&
        callsOf(m).some((e) => isCallOf(e, 'add')),
      atMost: 4,
    },
    {
      what: 'a product in the branch of a condition',
      fails: (m) =>
        nodesOf(m).some(
          (e) =>
            e._tag === 'If' &&
            postOrderExprs([e.trueBranch]).some((inner) => isCallOf(inner, 'multiply')),
        ),
      atMost: 4,
    },
    {
      what: 'a call of a local function',
      fails: (m) => callsOf(m).some((e) => e._tag === 'Call' && e.op._tag === 'Var'),
      atMost: 2,
    },
    {
      what: 'a call of a global function',
      fails: (m) => callsOf(m).some((e) => e._tag === 'Call' && e.op._tag === 'GlobalVar'),
      atMost: 2,
    },
  ];

  it.each(cases)('to at most $atMost calls: $what', ({ fails, atMost }) => {
    for (const seed of [1, 2, 3, 4]) {
      const { program, found } = reported(fails, seed);
      const calls = callsOf(program.module).length;
      expect(calls, printModule(program.module)).toBeLessThanOrEqual(Math.min(atMost, found));
    }
  });

  it('to programs that are typed, well-formed, and fail still', () => {
    const fails = (m: IRModule): boolean => callsOf(m).some((e) => isCallOf(e, 'nn.dense'));
    const { program } = reported(fails, 7);
    expect(fails(program.module)).toBe(true);
    expect(wellFormed(program.module)).toEqual([]);
    expect(inferTypes(program.module)).toEqual(right(program.module));
  });

  it('and is shown as its text', () => {
    const shown = fc.stringify(fc.sample(programs(), { seed: 1, numRuns: 1 })[0] as Program);
    expect(shown).toContain('def @main(');
  });
});
