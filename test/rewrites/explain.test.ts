/** Explanations replay: each step keeps its value, and a rule that does not is named. */
import { isLeft, renderDiagnostics } from '@baton/base';
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
} from '@baton/rewrites';
import { NORMAL_SEED, type ProgramOptions, programOf, type Replay, replay } from '@baton/testing';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const verdict = (made: Result<Replay>): string =>
  isLeft(made) ? renderDiagnostics(made.left) : 'replayed';

const PROGRAMS: Readonly<Record<string, ProgramOptions>> = {
  'their themes': { focus: ['arith', 'constants', 'movement', 'casts'] },
  'the full language': { language: 'whole' },
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

describe('every explanation replays', () => {
  it.each(Object.entries(PROGRAMS))('greedy: %s', (_, options) => {
    let steps = 0;
    let unknown = 0;
    for (let i = 0; i < 15; i++) {
      const { module } = programOf(NORMAL_SEED + i, options);
      const made = replay(orThrow(explain(greedy, RULES, module)), { seed: i });
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

  it('has no steps where nothing changes', () => {
    const made = orThrow(explain(greedy, RULES, program('exp(%x)')));
    expect(made.steps).toEqual([]);
    expect(orThrow(replay(made))).toEqual({ steps: 0, unknown: 0 });
  });

  it('names the rule that is wrong, with the smallest program', () => {
    const small = rule('wrong half', '?x * 0.25', '?x + ?x', { orient: 'canonical' });
    const m = program('transpose(transpose(exp(%x) * 0.25f)) + 0f * %y');
    const made = replay(orThrow(explain(greedy, [...RULES, small], m)));
    const [first] = isLeft(made) ? made.left : [];
    expect(first?.code).toBe('TESTING_RULE_DIFFERENT');
    expect(first?.message).toContain('rule wrong half');
    const lines = (first?.related ?? []).map(({ message }) => message).join('\n');
    expect(lines).toContain('multiply');
    expect(lines).not.toContain('transpose');
  });
});
