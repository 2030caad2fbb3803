/**
 * `pnpm bench:compiled`: the kernels of the compiled executor beside the measured peak of one core:
 * ResNet-50's convolutions one by one, depthwise convolutions of MobileNet v2, and products.
 * `--simd` leaves fused multiplication and addition out where the host has it.
 */
import { table } from '@baton/base';
import { callOp } from '@baton/ops';
import { handKernels, plain, type SimdLevel, simdLevel } from '@baton/wasm';
import { constant, standardOps, tensor } from 'batonjs';
import { prepareKernel, timesOf } from './kernel-run.ts';
import { peakOf } from './peak.ts';
import { convolutions, depthwise, products, type Subject } from './subjects.ts';

/** **Units** ms. How long each kernel is run. */
const BUDGET_MS = 300;

const sizeOf = (shape: ReadonlyArray<number>): number => shape.reduce((a, b) => a * b, 1);

interface Measured {
  readonly subject: Subject;
  readonly firstMs: number;
  /** The median of the runs. */
  readonly medianMs: number;
  readonly bestMs: number;
}

async function measure(subject: Subject, level: SimdLevel): Promise<Measured> {
  const { op, data, weight, out } = subject;
  const args = [data, weight].map((dims) =>
    constant(tensor(new Float32Array(sizeOf(dims)), dims, 'float32')),
  );
  const { attrs = {} } = callOp(standardOps, op, args, subject.attrs);
  const site = { data, weight, out, attrs, level, epilogue: plain, isWeightConstant: true };
  const kernel = handKernels.get(op)?.make(site);
  if (kernel === undefined) throw new Error(`no kernel for ${subject.name}`);
  const run = prepareKernel(kernel, [sizeOf(data), sizeOf(weight), sizeOf(out)]);
  const start = performance.now();
  run();
  const firstMs = performance.now() - start;
  const times = await timesOf(run, BUDGET_MS);
  const at = (i: number): number => times[i] ?? Number.POSITIVE_INFINITY;
  return { subject, firstMs, medianMs: at(times.length >> 1), bestMs: at(0) };
}

/** The rows of a group of subjects, and one for all. */
function rowsOf(all: ReadonlyArray<Measured>, peak: number): string[][] {
  const rate = (flops: number, elapsed: number): string[] => {
    const gflops = flops / elapsed / 1e6;
    return [elapsed.toFixed(3), gflops.toFixed(1), `${((100 * gflops) / peak).toFixed(0)} %`];
  };
  const total = (value: (m: Measured) => number): number =>
    all.reduce((sum, m) => sum + m.subject.count * value(m), 0);
  return [
    ...all.map(({ subject: { name, count, flops }, medianMs, bestMs, firstMs }) => [
      name,
      `${count}`,
      ...rate(flops, medianMs),
      ((100 * flops) / bestMs / 1e6 / peak).toFixed(0),
      firstMs.toFixed(3),
    ]),
    [
      'all',
      `${total(() => 1)}`,
      ...rate(
        total(({ subject }) => subject.flops),
        total(({ medianMs }) => medianMs),
      ),
      '',
      total(({ firstMs }) => firstMs).toFixed(3),
    ],
  ];
}

async function main(): Promise<void> {
  const known = simdLevel() ?? 'scalar';
  const level = process.argv.includes('--simd') ? 'simd' : known;
  const peak = await peakOf(level);
  process.stdout.write(`level ${level}, peak ${peak.toFixed(1)} GFLOP/s\n`);
  const groups = { "ResNet-50's convolutions": convolutions, depthwise, products };
  for (const [title, subjects] of Object.entries(groups)) {
    const measured: Measured[] = [];
    for (const subject of subjects) measured.push(await measure(subject, level));
    const header = [title, 'count', 'ms', 'GFLOP/s', 'of peak', 'best %', 'first ms'];
    process.stdout.write(`\n${table(header, rowsOf(measured, peak))}\n`);
  }
}

await main();
