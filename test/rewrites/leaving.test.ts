/** What leaves an engine: programs in which all is in scope, with the effects they came in with. */
import { type IRModule, postOrderExprs, wellFormed } from '@baton/ir';
import { isOpCall } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { backwardScales, commonSets, greedy, orThrow, saturate } from '@baton/rewrites';
import { motif, NORMAL_SEED, type ProgramOptions, programOf } from '@baton/testing';
import { describe, expect, it } from 'vitest';

const RULES = [commonSets, backwardScales];

const ENGINES = {
  greedy: greedy(RULES),
  saturate: saturate(RULES, { nodeLimit: 500, iterationLimit: 3 }),
};

const motifs = [motif(1, 'test.effect', (b) => b.tensor('test.effect', [b.operand()]))];

const PROGRAMS: Readonly<Record<string, ProgramOptions>> = {
  'the full language': { language: 'whole', motifs },
  'bindings and effects': { focus: ['dead', 'duplicates', 'arith'], motifs },
  // A function that is called twice may be copied to both calls, with its effects.
  'late types': { types: 'late', language: 'whole' },
};

const cases = Object.entries(ENGINES).flatMap(([engine, pass]) =>
  Object.entries(PROGRAMS).map(([name, options]) => ({ engine, name, pass, options })),
);

/** The stateful operators that a program calls, in the order of its expressions. */
const effectsOf = (m: IRModule): ReadonlyArray<string> =>
  postOrderExprs([...m.functions.values()]).flatMap((node) =>
    isOpCall(node) && m.ops.get(node.op.name)?.effect === 'stateful' ? [node.op.name] : [],
  );

describe('a program that leaves an engine', () => {
  it.each(cases)('$engine: $name', ({ pass, options }) => {
    let changed = 0;
    let effects = 0;
    for (let i = 0; i < 30; i++) {
      const { module } = programOf(NORMAL_SEED + i, options);
      const { module: after } = orThrow(runPass(pass)(module));
      expect(wellFormed(after).map(({ message }) => message)).toEqual([]);
      expect(effectsOf(after)).toEqual(effectsOf(module));
      if (after !== module) changed++;
      effects += effectsOf(module).length;
    }
    expect(changed).toBeGreaterThan(0);
    if (options.motifs !== undefined) expect(effects).toBeGreaterThan(0);
  });
});
