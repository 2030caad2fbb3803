/** The schedule of rules: which of them take part in a round. */
import { aLimit, aRecord, type OptionType } from '@baton/base';
import { backoffScheduler, type Scheduler, simpleScheduler } from '@baton/egraph';

/** Limits of how often a rule matches. */
export interface Backoff {
  /**
   * The most matches of a rule in a round, old ones too; with more it is left out for some rounds.
   * @defaultValue 200, or the number of nodes that the region has at first
   */
  readonly matchLimit?: number;
  /** The rounds for which a rule is left out. This and its limit double each time. @defaultValue 5 */
  readonly banLength?: number;
}

/** Every rule in every round, or without those that match too often. */
export type Schedule = 'simple' | Backoff;

/** The matches of a rule that are never too many. */
const MATCH_LIMIT = 200;

/**
 * The scheduler of a region with some nodes. It ends a run in which only rules go on that are left
 * out, and calls `onHeld` then: laws such as those of association have no end of their own.
 */
export function schedulerOf(schedule: Schedule, nodes: number, onHeld: () => void): Scheduler {
  if (schedule === 'simple') return simpleScheduler;
  const { matchLimit = Math.max(MATCH_LIMIT, nodes), banLength = 5 } = schedule;
  const backoff = backoffScheduler({ matchLimit, banLength });
  return {
    ...backoff,
    start: () => {
      const state = backoff.start();
      return {
        ...state,
        canStop: (round) => {
          if (!state.canStop(round)) onHeld();
          return true;
        },
      };
    },
  };
}

/** A schedule, as an option. */
export const aSchedule: OptionType = {
  expected: '"simple", or a record of matchLimit and banLength',
  is: (value) => value === 'simple' || (aRecord.is(value) && isBackoff(value as object)),
  texts: ['simple'],
};

const isBackoff = (value: object): boolean =>
  Object.entries(value).every(([name, limit]) => NUMBERS.has(name) && aLimit.is(limit));

const NUMBERS: ReadonlySet<string> = new Set<keyof Backoff>(['matchLimit', 'banLength']);
