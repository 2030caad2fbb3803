/** `pnpm bench`: the optimization report. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderDiagnostic } from 'baton';
import { isLeft } from 'fp-ts/lib/Either.js';
import { type Arguments, readArguments } from './arguments.ts';
import { makeProgress } from './progress.ts';
import { measureModel } from './report/measure-model.ts';
import { printReport } from './report/print.ts';
import { type ModelReport, type Report, SCHEMA, type UnreadableModel } from './report/schema.ts';
import { corpusSubjects } from './subjects/corpus.ts';
import { embeddedSubjects } from './subjects/embedded.ts';
import { onnxSubject } from './subjects/onnx-file.ts';
import type { Subject } from './subjects/subject.ts';

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;
const EXIT_INPUT = 3;

const DEFAULT_REPORT = fileURLToPath(new URL('../report/report.json', import.meta.url));

async function subjectsOf(args: Arguments): Promise<ReadonlyArray<Subject>> {
  if (args.onnx.length === 0 && args.corpus === undefined) return embeddedSubjects(args.models);
  const chosen = [
    ...args.onnx.map((file) => onnxSubject(file, args.dims)),
    ...(args.corpus === undefined ? [] : await corpusSubjects(resolve(args.corpus), args.dims)),
  ];
  return args.models.length === 0 ? chosen : chosen.filter((s) => args.models.includes(s.name));
}

/** Writes under a temporary name first, so that a reader never sees half a report. */
async function writeReport(file: string, report: Report): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, `${JSON.stringify(report, null, 2)}\n`);
  await rename(`${file}.tmp`, file);
}

async function main(): Promise<number> {
  const args = readArguments(process.argv.slice(2));
  if (typeof args === 'string') {
    process.stderr.write(`${args}\n`);
    return EXIT_USAGE;
  }
  const subjects = await subjectsOf(args);
  if (subjects.length === 0) {
    process.stderr.write('no model has that name\n');
    return EXIT_USAGE;
  }
  const progress = makeProgress();
  const models: ModelReport[] = [];
  const unreadable: UnreadableModel[] = [];
  for (const subject of subjects) {
    const measured = await measureModel(subject, args.level, progress);
    if (isLeft(measured)) {
      unreadable.push({ name: subject.name, lacks: measured.left.map((d) => renderDiagnostic(d)) });
    } else models.push(measured.right);
  }
  progress.done();
  const report: Report = { schema: SCHEMA, models, unreadable };
  await writeReport(DEFAULT_REPORT, report);
  if (args.json !== undefined) await writeReport(resolve(args.json), report);
  process.stdout.write(`${printReport(report)}\n`);
  if (models.length === 0) return EXIT_INPUT;
  return models.every((m) => m.equivalent && m.golden?.ok !== false) ? 0 : EXIT_FINDINGS;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = EXIT_INPUT;
  },
);
