/** Explanations replay: each step keeps its value, and a rule that does not is named. */
import { isLeft, renderDiagnostics } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { standardOps } from '@baton/ops';
import {
  algebra,
  arithmetic,
  explain,
  greedy,
  movement,
  orThrow,
  printExplanation,
  type Result,
  rule,
  saturate,
} from '@baton/rewrites';
import { NORMAL_SEED, type ProgramOptions, programOf, type Replay, replay } from '@baton/testing';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const verdict = (made: Result<Replay>): string =>
  isLeft(made) ? renderDiagnostics(made.left) : 'replayed';

const PROGRAMS: Readonly<Record<string, ProgramOptions>> = {
  'their themes': { focus: ['arith', 'constants', 'movement', 'casts'] },
  'the whole language': { language: 'whole' },
  'late types': { types: 'late' },
};

const RULES = [arithmetic, movement, algebra];

const program = (body: string) =>
  orThrow(
    parseModule(
      `#[version = "0.0.5"]\ndef @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { ${body} }`,
      { ops: standardOps },
    ),
  );

const ENGINES = {
  greedy: (m: IRModule) => explain(greedy, RULES, m),
  saturate: (m: IRModule) => explain(saturate, RULES, m, { nodeLimit: 1_000, iterationLimit: 4 }),
};

const cases = Object.entries(ENGINES).flatMap(([engine, explained]) =>
  Object.entries(PROGRAMS).map(([name, options]) => ({ engine, name, explained, options })),
);

describe('every explanation replays', () => {
  it.each(cases)('$engine: $name', ({ explained, options }) => {
    let steps = 0;
    let unknown = 0;
    for (let i = 0; i < 15; i++) {
      const { module } = programOf(NORMAL_SEED + i, options);
      const made = replay(orThrow(explained(module)), { seed: i });
      expect(verdict(made)).toBe('replayed');
      steps += orThrow(made).steps;
      unknown += orThrow(made).unknown;
    }
    expect(steps).toBeGreaterThan(0);
    expect(unknown).toBeLessThan(steps / 2);
  });
});

describe('an explanation', () => {
  it('names the rules and both sides of each step, without what both share', () => {
    const m = program('transpose(transpose(exp(%x) + 0f))');
    const steps = printExplanation(orThrow(explain(greedy, RULES, m)));
    expect(steps.split('\n').filter((line) => /^\d/.test(line))).toEqual([
      '1. x + 0',
      '2. transpose of transpose',
      '3. transpose of nothing',
    ]);
    expect(steps).not.toContain('exp');
  });

  it('of equality saturation has the steps of its proof', () => {
    const m = program('(%x * %y + exp(%y)) + %x * %x');
    const made = orThrow(explain(saturate, RULES, m));
    const used = new Set(made.steps.map((step) => step.rule.split(',')[0]));
    expect([...used].sort()).toEqual(['associative +', 'distributive']);
    expect(orThrow(replay(made)).unknown).toBe(0);
  });

  it('has no steps where nothing changes', () => {
    const made = orThrow(explain(greedy, RULES, program('exp(%x)')));
    expect(made.steps).toEqual([]);
    expect(orThrow(replay(made))).toEqual({ steps: 0, unknown: 0 });
  });

  it.each([greedy, saturate])(
    'of $name names the rule that is wrong, with the smallest program',
    (engine) => {
      const small = rule('wrong half', '?x * 0.25', '?x');
      const m = program('transpose(transpose(exp(%x) * 0.25f)) + 0f * %y');
      const made = replay(orThrow(explain(engine, [...RULES, small], m, {})));
      const [first] = isLeft(made) ? made.left : [];
      expect(first?.code).toBe('TESTING_RULE_DIFFERENT');
      expect(first?.message).toContain('rule wrong half');
      const lines = (first?.related ?? []).map(({ message }) => message).join('\n');
      expect(lines).toContain('multiply');
      expect(lines).not.toContain('transpose');
    },
  );
});
