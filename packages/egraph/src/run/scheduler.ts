/** Schedulers, which limit the matches of rules. */
import { remember } from '@baton/base';

/** Decides, during one run, which rules are searched and which matches are applied. */
export interface SchedulerState {
  /** The most matches of the rule in this iteration; `undefined` leaves the rule out. */
  readonly limit: (iteration: number, rule: string) => number | undefined;
  /** Whether to apply the `count` matches found; a count above the limit is a lower bound. */
  readonly accept: (iteration: number, rule: string, count: number) => boolean;
  /** Whether a run in which nothing changed is saturated. */
  readonly canStop: (iteration: number) => boolean;
}

/** Makes the state of each run. */
export interface Scheduler {
  readonly start: () => SchedulerState;
  /** Whether limits count all matches: then old matches are found again, too. */
  readonly countsAll: boolean;
}

/** The numbers of {@link backoffScheduler} for one rule. */
export interface BackoffRule {
  readonly matchLimit?: number;
  readonly banLength?: number;
}

/** The numbers of {@link backoffScheduler}. */
export interface BackoffOptions extends BackoffRule {
  /** Rules that are never banned. */
  readonly doNotBan?: ReadonlyArray<string>;
  /** Numbers for single rules. */
  readonly rules?: Readonly<Record<string, BackoffRule>>;
}

/** The present numbers of a rule. */
interface BackoffStats {
  matchLimit: number;
  banLength: number;
  bannedUntil: number;
}

/**
 * Bans rules that match too often: with more than `matchLimit` (1000) matches a rule is left out
 * for `banLength` (5) iterations; both double each time.
 *
 * **Source** Willsey et al., egg: fast and extensible equality saturation (POPL 2021), 5.1.
 */
export function backoffScheduler(options: BackoffOptions = {}): Scheduler {
  const { matchLimit = 1000, banLength = 5, doNotBan = [] } = options;
  return {
    countsAll: true,
    start: () => {
      const stats = new Map<string, BackoffStats>();
      const statsOf = (rule: string): BackoffStats =>
        remember(stats, rule, () => {
          const made = { matchLimit, banLength, ...options.rules?.[rule], bannedUntil: 0 };
          if (doNotBan.includes(rule)) made.matchLimit = Infinity;
          return made;
        });
      return {
        limit: (iteration, rule) => {
          const s = statsOf(rule);
          return iteration < s.bannedUntil ? undefined : s.matchLimit;
        },
        accept: (iteration, rule, count) => {
          const s = statsOf(rule);
          if (count <= s.matchLimit) return true;
          s.bannedUntil = iteration + s.banLength;
          s.matchLimit *= 2;
          s.banLength *= 2;
          return false;
        },
        canStop: (iteration) => {
          const banned = [...stats.values()].filter((s) => s.bannedUntil > iteration);
          if (banned.length === 0) return true;
          // Nothing changes until the first ban ends: let it end now.
          const skipped = Math.min(...banned.map((s) => s.bannedUntil)) - iteration;
          for (const s of banned) s.bannedUntil -= skipped;
          return false;
        },
      };
    },
  };
}

/** Every rule in every iteration. */
export const simpleScheduler: Scheduler = {
  ...backoffScheduler({ matchLimit: Infinity }),
  countsAll: false,
};
