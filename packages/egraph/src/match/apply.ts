import type { ProofLog } from '../explain/log.ts';
import type { Store } from '../store/store.ts';
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
export function interpretApply(builder: Builder): Apply {
  const { steps, unions } = builder;
  const made = new Int32Array(steps.length);
  const args: number[][] = steps.map((step) => step.args.map(() => 0));
  return (store, operators, data, from, to, stride, guard) => {
    let applied = 0;
    for (let at = from; at < to; at += stride) {
      if (guard !== undefined && !guard(at)) continue;
      for (let s = 0; s < steps.length; s++) {
        const step = steps[s] as Builder['steps'][number];
        const values = args[s] as number[];
        for (let i = 0; i < values.length; i++) {
          const source = step.args[i] as number;
          values[i] = (source >= 0 ? data[at + 1 + source] : made[-1 - source]) as number;
        }
        made[s] = store.add(operators[step.op] as number, values, -1);
      }
      let changed = false;
      for (const [target, source] of unions) {
        const value = (source >= 0 ? data[at + 1 + source] : made[-1 - source]) as number;
        const place = target === ROOT ? -1 : target;
        const other = target !== ROOT && place < 0 ? made[-1 - place] : data[at + 1 + place];
        if (store.union(value, other as number)) changed = true;
      }
      if (changed) applied++;
    }
    return applied;
  };
}

/** As {@link interpretApply}, and logs each application that changed something. */
export function recordApply(builder: Builder, recording: Recording): Apply {
  const { steps, unions } = builder;
  const { log, rule, variables, matched } = recording;
  const args: number[][] = steps.map((step) => step.args.map(() => 0));
  const copied = variables + matched;
  const length = 1 + copied + steps.length;
  return (store, operators, data, from, to, stride, guard) => {
    let applied = 0;
    for (let at = from; at < to; at += stride) {
      if (guard !== undefined && !guard(at)) continue;
      const start = log.begin(length);
      const record = log.applications.data;
      record[start] = rule;
      for (let i = 1; i <= copied; i++) record[start + i] = data[at + i] as number;
      const made = start + 1 + copied;
      for (let s = 0; s < steps.length; s++) {
        const step = steps[s] as Builder['steps'][number];
        const values = args[s] as number[];
        for (let i = 0; i < values.length; i++) {
          const source = step.args[i] as number;
          values[i] = (source >= 0 ? data[at + 1 + source] : record[made - 1 - source]) as number;
        }
        record[made + s] = store.add(operators[step.op] as number, values, -1);
      }
      let changed = false;
      for (const [target, source] of unions) {
        const value = (source >= 0 ? data[at + 1 + source] : record[made - 1 - source]) as number;
        // The matched node itself, where there is one, is what the left-hand side stands for.
        const root = matched > 0 ? at + 1 + variables : at;
        const isMade = target !== ROOT && target < 0;
        const other = (
          isMade ? record[made - 1 - target] : data[target === ROOT ? root : at + 1 + target]
        ) as number;
        if (store.find(value) === store.find(other)) continue;
        store.reason = log.reasonAt(start);
        if (!changed) log.end(length);
        changed = store.union(value, other) || changed;
        store.reason = -1;
      }
      if (changed) applied++;
    }
    return applied;
  };
}
