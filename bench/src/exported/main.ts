/**
 * `pnpm bench:onnx PYTHON [FILE...]`: models through `optimize` and `exportOnnx`, and what onnxsim
 * and ONNX Runtime make of them. `PYTHON` runs a Python with onnx, onnxruntime and onnxsim.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import { readCommandLine } from '@baton/cli';
import { begin } from '@baton/workshop';
import { exportOnnx, importOnnx, optimize, orThrow, runPass } from 'batonjs';

const USAGE = `pnpm bench:onnx PYTHON [FILE...] [--times] [--only TEXT] [--out DIR]
  PYTHON       a Python with onnx, onnxruntime and onnxsim
  FILE         models with known sizes, besides those of BATON_REAL_MODELS
  --times      the time of ONNX Runtime on the original and on the exported file
  --only TEXT  the models whose names contain it
  --out DIR    where the exported files go (a temporary folder)
`;

const OPTIONS = {
  times: { type: 'boolean' },
  only: { type: 'string' },
  out: { type: 'string' },
} as const;

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;

/** A model, and the sizes with which it is measured. */
interface Subject {
  readonly name: string;
  readonly original: string;
  readonly dims: Readonly<Record<string, number>>;
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
}

/** A line of `test/corpus/real-models.json`. */
interface RealModel {
  readonly file: string;
  readonly sizes: ReadonlyArray<Readonly<Record<string, number>>>;
  readonly ranges?: Subject['ranges'];
}

/** What the script says of a model. */
interface Answer {
  readonly name: string;
  readonly original: number;
  readonly onnxsim: number | null;
  readonly basic: number | null;
  readonly ours: number;
  readonly error: number;
  readonly originalMs?: number;
  readonly oursMs?: number;
  readonly ratio?: number;
}

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), OPTIONS, { takesOperands: true });
  const [python, ...files] = typeof line === 'string' ? [] : line.positionals;
  if (typeof line === 'string' || python === undefined) {
    process.stderr.write(typeof line === 'string' ? `${line}\n\n${USAGE}` : USAGE);
    return EXIT_USAGE;
  }
  const { only = '', out, times = false } = line.values;
  const folder = resolve(out ?? mkdtempSync(join(tmpdir(), 'baton-onnx-')));
  mkdirSync(folder, { recursive: true });
  const subjects = [...realModels(), ...files.map(fileSubject)];
  const chosen = subjects.filter(({ name }) => name.includes(only));
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify(chosen.map((subject) => exported(subject, folder))));
  const answers = await ask(python, [manifest, ...(times ? ['--times'] : [])]);
  process.stdout.write(`${summary(answers)}\n\nThe files are in ${folder}\n`);
  return answers.length === chosen.length && holds(answers) ? 0 : EXIT_FINDINGS;
}

/** The models of packages that are on this machine, with the first sizes of each. */
function realModels(): ReadonlyArray<Subject> {
  const folder = process.env.BATON_REAL_MODELS;
  if (folder === undefined) return [];
  const path = fileURLToPath(new URL('../../../test/corpus/real-models.json', import.meta.url));
  const models: ReadonlyArray<RealModel> = JSON.parse(readFileSync(path, 'utf8'));
  return models
    .map(({ file, sizes: [dims = {}], ranges = {} }) => {
      const name = file.replace(/\.onnx$/, '');
      return { name, original: join(resolve(folder), file), dims, ranges };
    })
    .filter(({ original }) => existsSync(original));
}

const fileSubject = (file: string): Subject => ({
  name: basename(file, '.onnx'),
  original: resolve(file),
  dims: {},
  ranges: {},
});

/** Writes the exported model, and returns its entry in the manifest. */
function exported({ name, original, dims, ranges }: Subject, folder: string) {
  const m = orThrow(importOnnx(readFileSync(original), { source: name, dims }));
  const { module } = orThrow(runPass(optimize({ level: 3 }))(m));
  const ours = join(folder, `${name.replaceAll('/', '__')}.onnx`);
  writeFileSync(ours, orThrow(exportOnnx(module)));
  return { name, original, ours, ranges };
}

/** The lines of the script, which are shown as they come. */
async function ask(python: string, words: ReadonlyArray<string>): Promise<ReadonlyArray<Answer>> {
  const script = fileURLToPath(new URL('../../peers/onnx/exported.py', import.meta.url));
  const child = spawn(python, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const answers: Answer[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const answer: Answer = JSON.parse(text);
    answers.push(answer);
    process.stderr.write(`${answer.name}\n`);
  }
  return answers;
}

/** A file may take this much longer: what two runs of one file differ. */
const SLACK = 1.03;

/** A file is faster if it takes this much less. */
const FASTER = 0.97;

const hasMoreNodes = ({ ours, onnxsim, basic }: Answer): boolean =>
  ours > Math.min(onnxsim ?? Infinity, basic ?? Infinity);

const isSlower = ({ ratio = 1 }: Answer): boolean => ratio > SLACK;

const MAX_ERROR = 1e-2;

const holds = (answers: ReadonlyArray<Answer>): boolean =>
  !answers.some((answer) => hasMoreNodes(answer) || isSlower(answer) || answer.error > MAX_ERROR);

function summary(answers: ReadonlyArray<Answer>): string {
  const ms = (time: number | undefined): string => time?.toFixed(3) ?? '';
  const rows = answers.map((answer) => [
    answer.name,
    String(answer.original),
    String(answer.onnxsim ?? 'fails'),
    String(answer.basic ?? 'fails'),
    `${answer.ours}${hasMoreNodes(answer) ? ' more' : ''}`,
    answer.error.toExponential(1),
    ms(answer.originalMs),
    ms(answer.oursMs),
    `${answer.ratio?.toFixed(3) ?? ''}${isSlower(answer) ? ' slower' : ''}`,
  ]);
  const measured = answers.filter(({ ratio }) => ratio !== undefined);
  const faster = measured.filter(({ ratio = 1 }) => ratio < FASTER).length;
  const said = [
    table(
      ['model', 'nodes', 'onnxsim', 'basic', 'ours', 'error', 'original ms', 'ours ms', 'ratio'],
      rows,
    ),
    `more nodes: ${answers.filter(hasMoreNodes).length} of ${answers.length}`,
  ];
  const times = `slower: ${measured.filter(isSlower).length}, faster: ${faster} of ${measured.length}`;
  return [...said, ...(measured.length > 0 ? [times] : [])].join('\n');
}

await begin(main);
