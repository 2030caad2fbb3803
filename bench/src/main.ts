/** `pnpm bench`: the optimization report. */
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLeft } from '@baton/base';
import { inProcesses, makeProgress, nodeHost } from '@baton/cli';
import {
  cut,
  headline,
  type MeasuredModel,
  makeTracer,
  measureModel,
  PAGE_SCHEMA,
  type PageData,
  pageHtml,
  printReport,
  printStats,
  type Report,
  SCHEMA,
  type Subject,
  type UnreadableModel,
} from '@baton/report';
import { begin } from '@baton/workshop';
import { type Instrument, orThrow, printAfter, printModule, renderDiagnostic } from 'batonjs';
import { readArguments } from './arguments.ts';
import { writeSections } from './benchmarks-page.ts';
import { inReports, write } from './files.ts';
import { emitModule } from './modules/emit.ts';
import { searchRows } from './search/rows.ts';
import { chosenSubjects } from './subjects/chosen.ts';
import { variantsSection } from './variants-page.ts';

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;
const EXIT_INPUT = 3;

// Tests run from source, processes from built files: both lie one level below `bench`.
const WORKER =
  process.env.BATON_BENCH_WORKER ??
  fileURLToPath(new URL('../dist/timing/worker.js', import.meta.url));

/** Writes to the default place, and to the one that the user named. */
async function writeBoth(name: string, also: string | undefined, text: string): Promise<void> {
  await write(inReports(name), text);
  if (also !== undefined) await write(resolve(also), text);
}

/** Prints programs after the named passes, and records the passes that ran. */
const printing = (
  names: ReadonlyArray<string>,
  model: string,
  seen: Set<string>,
): ReadonlyArray<Instrument> =>
  names.length === 0
    ? []
    : [
        printAfter({
          passes: names,
          print: (m) => printModule(m, { meta: 'omit' }),
          emit: ({ pass, text }) => {
            seen.add(pass);
            process.stdout.write(`# ${model} after ${pass}\n${text}\n`);
          },
        }),
      ];

/** Writes the models as ES modules, and returns the names of those that cannot be compiled. */
async function emitted(
  subjects: ReadonlyArray<Subject>,
  level: number,
  folder: string,
): Promise<ReadonlyArray<string>> {
  const refused: string[] = [];
  for (const subject of subjects) {
    const made = await emitModule(subject, folder, { level: LEVELS[level] ?? 3 });
    if (isLeft(made)) {
      refused.push(subject.name);
      for (const d of made.left) process.stderr.write(`${subject.name}: ${renderDiagnostic(d)}\n`);
    } else {
      const { name, codeBytes, weightBytes } = made.right;
      const sizes = `${kB(codeBytes)} of code, compressed, and ${kB(weightBytes)} of weights`;
      process.stdout.write(`${join(folder, name)}.mjs: ${sizes}\n`);
    }
  }
  return refused;
}

const LEVELS = [0, 1, 2, 3] as const;

const kB = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} kB`;

async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  const args = readArguments(argv);
  if (typeof args === 'string') {
    process.stderr.write(`${args}\n`);
    return EXIT_USAGE;
  }
  const subjects = await chosenSubjects(args);
  if (typeof subjects === 'string') {
    process.stderr.write(`${subjects}\n`);
    return EXIT_USAGE;
  }
  const timing = inProcesses(WORKER, argv);
  const progress = makeProgress('lines');
  const tracer = makeTracer(() => performance.now());
  const measured: MeasuredModel[] = [];
  const unreadable: UnreadableModel[] = [];
  const printed = new Set<string>();
  for (const [position, subject] of subjects.entries()) {
    const result = await measureModel(subject, {
      level: args.level,
      runs: args.runs,
      executor: args.executor,
      regimes: args.regimes,
      progress,
      tracer,
      traced: args.trace !== undefined,
      timing: (variants) => timing(position, variants),
      instruments: printing(args.printAfter, subject.name, printed),
    });
    if (isLeft(result)) {
      unreadable.push({ name: subject.name, lacks: result.left.map((d) => renderDiagnostic(d)) });
    } else measured.push(result.right);
  }
  progress.done();
  for (const name of args.printAfter.filter((n) => !printed.has(n))) {
    process.stderr.write(`--print-after ${name}: no pass of that name ran\n`);
  }
  const models = measured.map((m) => m.report);
  const searches = args.search ? await searchRows({ runs: false }) : [];
  const report: Report = { schema: SCHEMA, models, unreadable, searches };
  const data: PageData = {
    schema: PAGE_SCHEMA,
    made: new Date().toISOString(),
    machine: `Node ${process.versions.node}, ${cpus()[0]?.model.trim() ?? process.arch}`,
    headline: headline(models),
    models: measured.map((m) => m.page),
    unreadable: unreadable.map(({ name, lacks }) => ({ name: cut(name), lacks: lacks.map(cut) })),
    searches,
  };
  await writeBoth('report.json', args.json, `${JSON.stringify(report, null, 2)}\n`);
  await writeBoth('index.html', args.html, pageHtml(data, orThrow(await nodeHost().pageAssets())));
  if (args.trace !== undefined) {
    await write(resolve(args.trace), JSON.stringify(tracer.file()));
  }
  if (args.page) await writeSections([variantsSection(models)]);
  process.stdout.write(`${printReport(report)}\n`);
  if (args.stats) {
    for (const m of measured) process.stdout.write(`\n${printStats(m.report.name, m.passes)}\n`);
  }
  if (models.length === 0) return EXIT_INPUT;
  const refused =
    args.emit === undefined ? [] : await emitted(subjects, args.level, resolve(args.emit));
  if (refused.length > 0) return EXIT_FINDINGS;
  return measured.every((m) => m.page.verdict !== 'different') ? 0 : EXIT_FINDINGS;
}

await begin(main);
