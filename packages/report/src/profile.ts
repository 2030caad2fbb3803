/** The time of each operator in the reference executor. */
import { cut, kindOfOperator } from '@baton/drawing';
import { type Kernel, kernelColumn } from '@baton/ops';
import { type IRModule, irModule } from 'batonjs';
import type { ProfileRow } from './page/data.ts';
import type { OpTime, RunTimes } from './variants.ts';

export interface KernelRun {
  readonly op: string;
  readonly start: number;
  readonly end: number;
}

/** The module with kernels that report their runs to `record`. */
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

export function operatorTimes(
  kernels: ReadonlyArray<KernelRun>,
  runs: number,
): ReadonlyArray<OpTime> {
  const byOp = new Map<string, { ms: number; calls: number }>();
  for (const { op, start, end } of kernels) {
    const sum = byOp.get(op) ?? { ms: 0, calls: 0 };
    byOp.set(op, { ms: sum.ms + end - start, calls: sum.calls + 1 });
  }
  return [...byOp].map(([op, { ms, calls }]) => [op, ms / runs, calls / runs]);
}

export function profileOf(
  before: RunTimes | undefined,
  after: RunTimes | undefined,
  m: IRModule,
): ReadonlyArray<ProfileRow> {
  if (before === undefined || after === undefined) return [];
  const names = new Set([...before.operators, ...after.operators].map(([op]) => op));
  const rowOf = (times: RunTimes, name: string): OpTime =>
    times.operators.find(([op]) => op === name) ?? [name, 0, 0];
  return [...names]
    .map((op) => {
      const [[, oldMs, oldCalls], [, ms, calls]] = [rowOf(before, op), rowOf(after, op)];
      return {
        op: cut(op),
        kind: kindOfOperator(op, m.ops),
        ms: { before: oldMs, after: ms },
        calls: { before: oldCalls, after: calls },
      };
    })
    .sort((a, b) => b.ms.before + b.ms.after - (a.ms.before + a.ms.after));
}
