import type { ProofLog } from '../explain/log.ts';
import { CONGRUENCE, type Store } from '../store/store.ts';
import { type Builder, ROOT } from './builder.ts';

/** What a proof records of each application besides the rule. */
export interface Recording {
  readonly log: ProofLog;
  readonly rule: number;
  readonly variables: number;
  readonly matched: number;
}

/**
 * Applies the matches at `data[from .. to]` and returns how many changed something. `guard` is
 * asked for each match first. With a recording, each application that changed something is logged.
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
) => number;

/** An applier that walks the builder. */
export function interpretApply({ steps, unions }: Builder): Apply {
  const own = new Int32Array(steps.length);
  const args: number[][] = steps.map((step) => step.args.map(() => 0));
  return (store, operators, data, from, to, stride, guard, recording) => {
    const log = recording?.log;
    const variables = recording?.variables ?? 0;
    const matched = recording?.matched ?? 0;
    // The matched node itself, where there is one, is what the left-hand side stands for.
    const root = matched > 0 ? 1 + variables : 0;
    const copied = recording === undefined ? 0 : 1 + variables + matched;
    const length = copied + steps.length;
    let applied = 0;
    for (let at = from; at < to; at += stride) {
      if (guard !== undefined && !guard(at)) continue;
      const start = log?.begin(length) ?? 0;
      const record = log?.applications.data ?? own;
      for (let i = 1; i < copied; i++) record[start + i] = data[at + i] as number;
      const made = start + copied;
      const value = (source: number): number =>
        (source >= 0 ? data[at + 1 + source] : record[made - 1 - source]) as number;
      for (let s = 0; s < steps.length; s++) {
        const step = steps[s] as Builder['steps'][number];
        const values = args[s] as number[];
        for (let i = 0; i < values.length; i++) values[i] = value(step.args[i] as number);
        record[made + s] = store.add(operators[step.op] as number, values, -1);
      }
      let changed = false;
      if (recording !== undefined) {
        record[start] = recording.rule;
        store.reason = recording.log.reasonAt(start);
      }
      for (const [target, source] of unions) {
        const other = target === ROOT ? (data[at + root] as number) : value(target);
        if (store.union(value(source), other)) changed = true;
      }
      store.reason = CONGRUENCE;
      if (!changed) continue;
      log?.end(length);
      applied++;
    }
    return applied;
  };
}
