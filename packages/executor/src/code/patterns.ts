/** Patterns as steps without nesting. */
import type { Pattern, Var } from '@baton/ir';
import type { MatchStep } from './instruction.ts';

/** The steps that match a pattern, left to right; variables without a slot are not read. */
export function matchSteps(
  pattern: Pattern,
  slotOf: (variable: Var) => number | undefined,
): ReadonlyArray<MatchStep> {
  const steps: MatchStep[] = [];
  let registers = 1;
  /** A pattern, and the source of its value: field `index` of a register, or a register. */
  interface Pending {
    readonly pattern: Pattern;
    readonly register: number;
    readonly index: number | undefined;
  }
  const pending: Pending[] = [{ pattern, register: 0, index: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pattern: at, register, index } = next;
    if (at._tag === 'PatternWildcard') continue;
    if (at._tag === 'PatternVar') {
      const to = slotOf(at.variable);
      if (to === undefined) continue;
      if (index === undefined) steps.push({ kind: 'bindWhole', register, index: 0, to });
      else steps.push({ kind: 'bind', register, index, to });
      continue;
    }
    let from = register;
    if (index !== undefined) {
      from = registers;
      registers += 1;
      steps.push({ kind: 'load', register, index, to: from });
    }
    if (at._tag === 'PatternConstructor') {
      steps.push({ kind: 'test', register: from, index: at.ctor.tag, to: 0 });
    }
    for (let i = at.patterns.length - 1; i >= 0; i--) {
      pending.push({ pattern: at.patterns[i] as Pattern, register: from, index: i });
    }
  }
  return steps;
}
