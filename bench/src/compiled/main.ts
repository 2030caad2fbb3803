/**
 * `pnpm bench:compiled`: the kernels of the compiled executor compared with the measured peak of one core:
 * ResNet-50's convolutions one by one, depthwise convolutions of MobileNet v2, and products. Or whole
 * models, compared with onnxruntime, or at each level of optimization.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticsError, table } from '@baton/base';
import { readCommandLine } from '@baton/cli';
import { callOp } from '@baton/ops';
import type { Subject } from '@baton/report';
import { handKernels, plain, type SimdLevel, simdLevel } from '@baton/wasm';
import { installedPeers } from '@baton/workshop';
import { constant, standardOps, tensor } from 'batonjs';
import { type Section, writeSections } from '../benchmarks-page.ts';
import { measureModule, moduleTable } from '../modules/measure.ts';
import { corpusSubjects } from '../subjects/corpus.ts';
import { embeddedSubjects } from '../subjects/embedded.ts';
import { measureAblation, regressionsOf } from './ablation.ts';
import { chainTable } from './chains.ts';
import { prepareKernel, timesOf } from './kernel-run.ts';
import { measureModel } from './models.ts';
import { runningSection } from './page.ts';
import { peakOf } from './peak.ts';
import { measureSizes, sizesTable } from './sizes.ts';
import { convolutions, depthwise, type KernelSubject, products } from './subjects.ts';
import { ablationTable, MODELS, missedBy, modelTable } from './tables.ts';

const USAGE = `pnpm bench:compiled [--model NAME]... [--peers [DIR]] [--ablation] [--corpus DIR] [--json FILE] [--page] [--simd] [--plain] [--threads N] [--modules] [--sizes NAME]...

Without --model, --peers and --ablation the kernels are timed, beside the measured peak of one core.
  --model NAME   a model of the corpus or one that ships with Baton, optimized on level 3
  --peers [DIR]  the times of onnxruntime-web and onnxruntime-node, from DIR or where the workspace has them
  --ablation     each model as it is and on each level, with what FuseOps groups as the only fusion
  --corpus DIR   models in ONNX form; without it the folder \`models\` of BATON_CORPUS
  --json FILE    the times of the models
  --page         with --peers, write the section of docs/benchmarks.md
  --threads N    the time on N threads, too
  --simd         without fused multiplication and addition
  --plain        models without Winograd's transforms
  --sizes NAME   a program with open sizes, \`decoder\` or an ONNX file, at 20 tuples of sizes: the first
                 run at new sizes, the next ones, and what is kept
  --modules      models as ES modules: how soon their first result is there, in Node and in Chromium,
                 and the peak of memory

Without --model, --peers and --ablation measure the models that the goals speak of.
`;

const OPTIONS = {
  model: { type: 'string', multiple: true },
  corpus: { type: 'string' },
  peers: { type: 'string' },
  ablation: { type: 'boolean' },
  threads: { type: 'string' },
  json: { type: 'string' },
  page: { type: 'boolean' },
  simd: { type: 'boolean' },
  plain: { type: 'boolean' },
  modules: { type: 'boolean' },
  sizes: { type: 'string', multiple: true },
} as const;

/** The values of the options. */
interface Options {
  readonly model?: ReadonlyArray<string>;
  readonly corpus?: string;
  readonly peers?: string;
  readonly ablation?: boolean;
  readonly threads?: string;
  readonly json?: string;
  readonly page?: boolean;
  readonly simd?: boolean;
  readonly plain?: boolean;
  readonly modules?: boolean;
  readonly sizes?: ReadonlyArray<string>;
}

const { BATON_CORPUS } = process.env;
const CORPUS = BATON_CORPUS === undefined ? undefined : join(BATON_CORPUS, 'models');

const EXIT_FINDINGS = 1;
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
  process.stdout.write(`\n${chainTable(level)}\n`);
  const groups = { "ResNet-50's convolutions": convolutions, depthwise, products };
  for (const [title, subjects] of Object.entries(groups)) {
    const measured: Measured[] = [];
    for (const subject of subjects) measured.push(await measure(subject, level));
    const header = [title, 'count', 'ms', 'GFLOP/s', 'of peak', 'best %', 'first ms'];
    process.stdout.write(`\n${table(header, rowsOf(measured, peak))}\n`);
  }
}

/** The models to measure, by their names, those that the goals speak of if none is named; or a mistake. */
async function subjectsOf(
  names: ReadonlyArray<string>,
  corpus: string | undefined,
): Promise<ReadonlyArray<Subject> | string> {
  const given = corpus === undefined ? [] : await corpusSubjects(corpus);
  const known = [...given, ...embeddedSubjects()];
  const subjects: Subject[] = [];
  for (const name of names.length === 0 ? MODELS : names) {
    const subject = known.find((one) => one.name === name);
    if (subject === undefined) {
      const hint = given.length === 0 ? '; models of the corpus need --corpus' : '';
      return `no model is called ${name}: ${known.map((one) => one.name).join(', ')}${hint}`;
    }
    subjects.push(subject);
  }
  return subjects;
}

/** Measures models one by one, but for those that ONNX has no form of: engines read files. */
async function inTurn<A>(
  subjects: ReadonlyArray<Subject>,
  measured: (subject: Subject) => Promise<A>,
): Promise<ReadonlyArray<A>> {
  const all: A[] = [];
  for (const subject of subjects) {
    try {
      all.push(await measured(subject));
      process.stderr.write('.');
    } catch (error) {
      const [problem] = error instanceof DiagnosticsError ? error.diagnostics : [];
      if (problem?.code !== 'ONNX_EXPORT') throw error;
      process.stderr.write(`\n${subject.name} is left out: ${problem.message}\n`);
    }
  }
  process.stderr.write('\n');
  return all;
}

/** Figures of models: as text, as data, and the goals that they miss. */
interface Report {
  readonly text: string;
  readonly data: unknown;
  readonly missed: ReadonlyArray<string>;
  /** The section of the page of benchmarks. */
  readonly section?: Section;
}

async function reportOn(subjects: ReadonlyArray<Subject>, line: Options): Promise<Report> {
  const { simd: isSimd = false, plain: isPlain = false, peers } = line;
  if (line.modules === true) {
    const choices = { level: 3, transforms: !isPlain } as const;
    const modules = await inTurn(subjects, (subject) => measureModule(subject, choices));
    return { text: moduleTable(modules), data: { modules }, missed: [] };
  }
  if (line.ablation === true) {
    const ablations = await inTurn(subjects, (one) => measureAblation(one, { isSimd, isPlain }));
    const missed = ablations.flatMap(regressionsOf);
    return { text: ablationTable(ablations), data: { ablations }, missed };
  }
  const threads = Number(line.threads ?? 1);
  const choices = {
    isSimd,
    isPlain,
    threads,
    peers: peers === undefined ? {} : installedPeers(peers),
  };
  const models = await inTurn(subjects, (subject) => measureModel(subject, choices));
  return {
    text: modelTable(models),
    data: { models },
    missed: missedBy(models),
    ...(line.page && {
      section: runningSection(models, choices.peers, await peakOf(simdLevel() ?? 'scalar')),
    }),
  };
}

/** Measures models, and says which goals they miss. */
async function models(line: Options): Promise<number> {
  const subjects = await subjectsOf(line.model ?? [], line.corpus ?? CORPUS);
  if (typeof subjects === 'string') {
    process.stderr.write(`${subjects}\n`);
    return EXIT_USAGE;
  }
  const { text, data, missed, section } = await reportOn(subjects, line);
  if (section !== undefined) await writeSections([section]);
  process.stdout.write(`${text}\n`);
  if (line.json !== undefined) writeFileSync(line.json, `${JSON.stringify(data, null, 2)}\n`);
  for (const problem of missed) process.stdout.write(`missed: ${problem}\n`);
  return missed.length === 0 ? 0 : EXIT_FINDINGS;
}

async function main(): Promise<number> {
  // `--peers` may stand alone.
  const argv = process.argv.slice(2).flatMap((arg, i, all) => {
    const next = all[i + 1];
    return arg === '--peers' && (next === undefined || next.startsWith('--'))
      ? ['--peers=']
      : [arg];
  });
  const line = readCommandLine(argv, OPTIONS);
  if (typeof line === 'string') {
    process.stderr.write(`${line}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
  const { values } = line;
  if (values.sizes !== undefined) {
    const reports = values.sizes.map(measureSizes);
    process.stdout.write(`${sizesTable(reports)}\n`);
    if (values.json !== undefined)
      writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
    return 0;
  }
  const isOfModels =
    values.model !== undefined || values.peers !== undefined || values.ablation === true;
  if (isOfModels) return models(values);
  await kernels(values.simd === true ? 'simd' : (simdLevel() ?? 'scalar'));
  return 0;
}

process.exitCode = await main();
