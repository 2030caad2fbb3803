/** The application of matches, by interpretation. */
import type { ProofLog } from '../store/log.ts';
import { CONGRUENCE, type Store } from '../store/store.ts';
import { type Builder, ROOT, type Source } from './builder.ts';

/** The log of applications, and the number of the rule in it. */
export interface Recording {
  readonly log: ProofLog;
  readonly rule: number;
}

/**
 * Applies the matches at `data[from .. to]` and returns how many changed something. `guard` decides
 * on each match first. With a recording, each application that changed something is logged: the
 * rule, the match without its class, and the new nodes.
 */
export type Apply = (
  store: Store,
  operators: Int32Array,
  data: Int32Array,
  from: number,
  to: number,
  stride: number,
  guard: ((at: number) => boolean) | undefined,
  recording: Recording | undefined,
  operatorOf: OperatorOf,
) => number;

/** The operator of a step with this payload, by number. */
export type OperatorOf = (step: number, payload: number) => number;

/** An applier that walks the builder. */
export function interpretApply({ steps, unions, variables }: Builder): Apply {
  const made = new Int32Array(steps.length);
  return (store, operators, data, from, to, stride, guard, recording, operatorOf) => {
    // The left-hand side stands for the matched node itself, if there is one.
    const root = stride > 1 + variables ? 1 + variables : 0;
    const length = stride + made.length;
    let applied = 0;
    for (let at = from; at < to; at += stride) {
      if (guard && !guard(at)) continue;
      const value = (source: Source | typeof ROOT): number =>
        (source === ROOT
          ? data[at + root]
          : source < 0
            ? made[-1 - source]
            : data[at + 1 + source]) as number;
      steps.forEach(({ args, payload }, s) => {
        const op = payload < 0 ? (operators[s] as number) : operatorOf(s, value(payload));
        made[s] = store.add(op, args.map(value), -1);
      });
      if (recording) {
        const { log, rule } = recording;
        const start = log.begin(length);
        const record = log.applications.data;
        record[start] = rule;
        record.set(data.subarray(at + 1, at + stride), start + 1);
        record.set(made, start + stride);
        store.reason = start * 2;
      }
      let changed = false;
      for (const [target, source] of unions) {
        if (store.union(value(source), value(target))) changed = true;
      }
      store.reason = CONGRUENCE;
      if (!changed) continue;
      recording?.log.end(length);
      applied++;
    }
    return applied;
  };
}
