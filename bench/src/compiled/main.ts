/**
 * `pnpm bench:compiled`: the kernels of the compiled executor beside the measured peak of one core:
 * ResNet-50's convolutions one by one, depthwise convolutions of MobileNet v2, and products. Or whole
 * models, beside onnxruntime.
 */
import { writeFileSync } from 'node:fs';
import { table } from '@baton/base';
import { readCommandLine } from '@baton/cli';
import { callOp } from '@baton/ops';
import type { Subject } from '@baton/report';
import { handKernels, plain, type SimdLevel, simdLevel } from '@baton/wasm';
import { constant, standardOps, tensor } from 'batonjs';
import { measureModule, moduleTable } from '../modules/measure.ts';
import { corpusSubjects } from '../subjects/corpus.ts';
import { embeddedSubjects } from '../subjects/embedded.ts';
import { prepareKernel, timesOf } from './kernel-run.ts';
import { type ModelTimes, measureModel } from './models.ts';
import { peakOf } from './peak.ts';
import { convolutions, depthwise, type KernelSubject, products } from './subjects.ts';

const USAGE = `pnpm bench:compiled [--model NAME]... [--corpus DIR] [--peers DIR] [--json FILE] [--simd] [--plain] [--modules]

Without --model the kernels are timed, beside the measured peak of one core.
  --model NAME   a model of the corpus or one that ships with Baton, optimized on level 3
  --corpus DIR   models in ONNX form
  --peers DIR    a folder in which onnxruntime-web and onnxruntime-node are installed: their times
  --json FILE    the times of the models
  --simd         without fused multiplication and addition
  --plain        models without Winograd's transforms
  --modules      models as ES modules: how soon their first result is there, in Node and in Chromium
`;

const OPTIONS = {
  model: { type: 'string', multiple: true },
  corpus: { type: 'string' },
  peers: { type: 'string' },
  json: { type: 'string' },
  simd: { type: 'boolean' },
  plain: { type: 'boolean' },
  modules: { type: 'boolean' },
} as const;

const EXIT_USAGE = 2;

/** **Units** ms. How long each kernel is run. */
const BUDGET_MS = 300;

const sizeOf = (shape: ReadonlyArray<number>): number => shape.reduce((a, b) => a * b, 1);

interface Measured {
  readonly subject: KernelSubject;
  readonly firstMs: number;
  /** The median of the runs. */
  readonly medianMs: number;
  readonly bestMs: number;
}

async function measure(subject: KernelSubject, level: SimdLevel): Promise<Measured> {
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

async function kernels(level: SimdLevel): Promise<void> {
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

/** The models as a table, with the geometric mean of the ratios. */
function modelTable(models: ReadonlyArray<ModelTimes>): string {
  const ratio = (ms: number, peer: { readonly ms: number } | undefined): string =>
    peer === undefined ? '' : (peer.ms / ms).toFixed(2);
  const rows = models.map(({ name, ms, prepareMs, firstMs, peers: { ortWeb, ortNode } }) => [
    name,
    ...[prepareMs, firstMs, ms].map((time) => time.toFixed(2)),
    ...[ortWeb, ortNode].flatMap((peer) => [peer?.ms.toFixed(2) ?? '', ratio(ms, peer)]),
  ]);
  const logs = models.flatMap(({ ms, peers: { ortWeb } }) =>
    ortWeb ? [Math.log(ortWeb.ms / ms)] : [],
  );
  const mean = Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length);
  const last = logs.length === 0 ? [] : [['geometric mean', '', '', '', '', mean.toFixed(2)]];
  const header = ['model', 'prepare', 'first', 'ms', 'ort web', 'ratio', 'ort node', 'ratio'];
  return table(header, [...rows, ...last]);
}

/** The models of these names; those of a corpus come first. */
async function chosen(
  names: ReadonlyArray<string>,
  corpus: string | undefined,
): Promise<ReadonlyArray<Subject>> {
  const given = corpus === undefined ? [] : await corpusSubjects(corpus);
  const known = [...given, ...embeddedSubjects()];
  return names.map((name) => {
    const subject = known.find((one) => one.name === name);
    if (subject === undefined) throw new Error(`no model is called ${name}`);
    return subject;
  });
}

/** Measures models one by one. */
async function inTurn<A>(
  subjects: ReadonlyArray<Subject>,
  measured: (subject: Subject) => Promise<A>,
): Promise<ReadonlyArray<A>> {
  const all: A[] = [];
  for (const subject of subjects) {
    all.push(await measured(subject));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return all;
}

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), OPTIONS);
  if (typeof line === 'string') {
    process.stderr.write(`${line}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
  const {
    simd: isSimd = false,
    plain: isPlain = false,
    modules: isModules = false,
    model = [],
    peers,
    json,
    corpus,
  } = line.values;
  if (model.length === 0) {
    await kernels(isSimd ? 'simd' : (simdLevel() ?? 'scalar'));
    return 0;
  }
  const subjects = await chosen(model, corpus);
  const write = (figures: unknown): void => {
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
  };
  if (isModules) {
    const choices = { level: 3, transforms: !isPlain } as const;
    const modules = await inTurn(subjects, (subject) => measureModule(subject, choices));
    process.stdout.write(`${moduleTable(modules)}\n`);
    write({ modules });
    return 0;
  }
  const choices = { level: 3, isSimd, isPlain, peers } as const;
  const models = await inTurn(subjects, (subject) => measureModel(subject, choices));
  process.stdout.write(`${modelTable(models)}\n`);
  write({ models });
  return 0;
}

process.exitCode = await main();
