/** Schedules of rulesets. */
import type { RuleSource } from '../rewrite.ts';

/** A phased plan: the order and number of runs of rulesets. */
export type Schedule<D> =
  | { readonly _tag: 'Ruleset'; readonly rules: RuleSource<D> }
  | { readonly _tag: 'Sequence'; readonly parts: ReadonlyArray<Schedule<D>> }
  | { readonly _tag: 'Repeat'; readonly times: number; readonly part: Schedule<D> }
  | { readonly _tag: 'Saturate'; readonly part: Schedule<D> };

export const ruleset = <D = unknown>(rules: RuleSource<D>): Schedule<D> => ({
  _tag: 'Ruleset',
  rules,
});

export const sequence = <D = unknown>(...parts: ReadonlyArray<Schedule<D>>): Schedule<D> => ({
  _tag: 'Sequence',
  parts,
});

/** A part this many times, or until it changes nothing. */
export const repeat = <D = unknown>(times: number, part: Schedule<D>): Schedule<D> => ({
  _tag: 'Repeat',
  times,
  part,
});

/** A part until it changes nothing. */
export const saturate = <D = unknown>(part: Schedule<D>): Schedule<D> => ({
  _tag: 'Saturate',
  part,
});
