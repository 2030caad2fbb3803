/** The reference executor, watched: what each operator takes. */
import { type Kernel, kernelColumn } from '@baton/ops';
import { type IRModule, irModule } from 'batonjs';
import { cut } from './cut.ts';
import { kindOfOperator } from './drawing/kind-of.ts';
import type { ProfileRow } from './page/data.ts';

/** One computation of an operator. */
export interface KernelRun {
  readonly op: string;
  readonly start: number;
  readonly end: number;
}

/** The module with kernels that tell `record` when they ran. */
export function watched(
  m: IRModule,
  now: () => number,
  record: (run: KernelRun) => void,
): IRModule {
  const kernels = new Map<string, Kernel>();
  for (const op of m.ops.names) {
    const kernel = m.ops.read(kernelColumn, op);
    if (kernel === undefined) continue;
    kernels.set(op, (args, attrs, result) => {
      const start = now();
      const value = kernel(args, attrs, result);
      record({ op, start, end: now() });
      return value;
    });
  }
  return irModule({ ...m, ops: m.ops.withColumn(kernelColumn, kernels) });
}

/** The time by operator of a run before and one after optimization, the longest first. */
export function profileOf(
  before: ReadonlyArray<KernelRun>,
  after: ReadonlyArray<KernelRun>,
  m: IRModule,
): ReadonlyArray<ProfileRow> {
  const [old, next] = [sums(before), sums(after)];
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((op) => ({
      op: cut(op),
      kind: kindOfOperator(op, m.ops),
      ms: { before: old.get(op)?.ms ?? 0, after: next.get(op)?.ms ?? 0 },
      calls: { before: old.get(op)?.calls ?? 0, after: next.get(op)?.calls ?? 0 },
    }))
    .sort((a, b) => b.ms.before + b.ms.after - (a.ms.before + a.ms.after));
}

function sums(
  runs: ReadonlyArray<KernelRun>,
): ReadonlyMap<string, { readonly ms: number; readonly calls: number }> {
  const byOp = new Map<string, { ms: number; calls: number }>();
  for (const { op, start, end } of runs) {
    const sum = byOp.get(op) ?? { ms: 0, calls: 0 };
    byOp.set(op, { ms: sum.ms + end - start, calls: sum.calls + 1 });
  }
  return byOp;
}
