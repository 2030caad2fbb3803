/** An instrument that records the changes by each pass. Another run measures the times. */
import { type CallDiff, diffCalls, type TextTable } from '@baton/drawing';
import type { ModuleMeasure } from '@baton/ops';
import type { PassInfo } from '@baton/pass-manager';
import { type Instrument, type IRModule, measureModule, type PassReportEntry } from 'batonjs';
import type { PassStep } from '../page/data.ts';

interface Observed {
  readonly pass: PassInfo;
  readonly before: ModuleMeasure;
  readonly after: ModuleMeasure;
  readonly diff: CallDiff;
}

export interface PassObserver extends Instrument {
  /**
   * The steps of the passes that ran. `entries` are the report of another run of the same passes on
   * the same module, with times and counts. Type inference, which every pass requires, and
   * pipelines are omitted.
   */
  readonly steps: (entries: ReadonlyArray<PassReportEntry>) => ReadonlyArray<PassStep>;
}

/** Writes the origins of calls to `texts`. */
export function passObserver(texts: TextTable): PassObserver {
  const running: IRModule[] = [];
  const observed: Observed[] = [];
  return {
    name: 'PassObserver',
    beforePass: (m) => {
      running.push(m);
    },
    afterPass: (m, pass) => {
      const given = running.pop();
      if (given === undefined || pass.isPipeline || pass.name === INFERENCE) return;
      observed.push({
        pass,
        before: measureModule(given),
        after: measureModule(m),
        diff: diffCalls(given, m, texts),
      });
    },
    steps: (entries) => {
      const left = entries.filter((e) => e.name !== INFERENCE);
      return observed.flatMap((seen) => {
        const at = left.findIndex((entry) => entry.name === seen.pass.name);
        if (at < 0) return [];
        // Both lists are in the order in which passes ended.
        const entry = left[at] as PassReportEntry;
        left.splice(0, at + 1);
        return [stepOf(seen, entry)];
      });
    },
  };
}

const INFERENCE = 'InferType';

function stepOf({ pass, before, after, diff }: Observed, entry: PassReportEntry): PassStep {
  // A bias whose value is a parameter of a kernel is no longer counted with its product. A pass
  // that keeps all calls keeps the count.
  const isSame = diff.removed.length + diff.added.length + diff.rewritten.length === 0;
  return {
    name: pass.name,
    doc: pass.doc,
    ms: entry.ms,
    changed: entry.changed,
    nodes: { before: before.nodes, after: isSame ? before.nodes : after.nodes },
    kernels: { before: before.kernels, after: after.kernels },
    flops: { before: before.flops, after: after.flops },
    bytesMoved: { before: before.bytesMoved, after: after.bytesMoved },
    counts: Object.entries(entry.counts),
    ...diff,
  };
}
