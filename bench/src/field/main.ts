/**
 * `pnpm bench:field FOLDER`: Baton compared with onnxsim, OnnxSlim and onnxruntime on the files that
 * `pnpm fetch:models FOLDER` fetched. It writes `docs/benchmarks.md`, and its first table into the README.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '@baton/cli';
import { begin, Mistake } from '@baton/workshop';
import { withSections, writeSections } from '../benchmarks-page.ts';
import { write } from '../files.ts';
import { type Answer, type Failure, isTaken, type ToolName } from './answer.ts';
import { fieldSections, quotedIn, summary } from './page.ts';

const USAGE = `pnpm bench:field FOLDER [--python PATH] [--seconds N] [--only TEXT] [--out FILE]
  FOLDER       what pnpm fetch:models made
  --python     the interpreter that has bench/peers/field/requirements.txt installed (python3)
  --seconds N  how long the files of a model are timed (5)
  --only TEXT  the models whose paths contain it
  --out FILE   the page (docs/benchmarks.md)
`;

const OPTIONS = {
  python: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  out: { type: 'string' },
} as const;

const EXIT_USAGE = 2;

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const PEERS = root('bench/peers/field');

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), OPTIONS, { takesOperands: true });
  const [folder] = typeof line === 'string' ? [] : line.positionals;
  if (typeof line === 'string' || folder === undefined) {
    process.stderr.write(typeof line === 'string' ? `${line}\n\n${USAGE}` : USAGE);
    return EXIT_USAGE;
  }
  const { python = 'python3', seconds = '5', only = '', out } = line.values;
  const models = modelsIn(resolve(folder)).filter((model) => model.includes(only));
  if (models.length === 0) throw new Mistake(`no models in ${folder}: see pnpm fetch:models`);
  execFileSync('npm', ['install', '--silent', '--no-package-lock', '--prefix', PEERS]);
  const versions = versionsOf(python);
  const manifest = { models, tools: toolsWith(python), seconds: Number(seconds) };
  const answers = await measured(python, JSON.stringify(manifest));
  const sections = fieldSections(answers, { versions });
  if (out !== undefined) await write(out, withSections('# Benchmarks\n', sections));
  else {
    await writeSections(sections);
    const readme = readFileSync(root('README.md'), 'utf8');
    await write(root('README.md'), quotedIn(readme, summary(answers)));
  }
  return answers.length === models.length ? 0 : 1;
}

/** The models of a folder, without those whose names differ from an earlier one's only in numbers. */
function modelsIn(folder: string): ReadonlyArray<string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const kinds = new Map<string, string>();
  for (const path of paths.filter((one) => one.endsWith('.onnx'))) {
    const kind = join(dirname(path), basename(path).replace(/\d+/g, '#'));
    if (!kinds.has(kind)) kinds.set(kind, join(folder, path));
  }
  return [...kinds.values()];
}

/** The command of each tool, in which `{in}` and `{out}` stand for the files. */
function toolsWith(python: string): Readonly<Record<ToolName, ReadonlyArray<string>>> {
  const peer = (tool: string): ReadonlyArray<string> => [
    ...[python, join(PEERS, 'optimize.py'), tool],
    ...['{in}', '{out}'],
  ];
  const baton = root('packages/cli/bin/baton.js');
  return {
    baton: [process.execPath, baton, 'optimize', '{in}', '-o', '{out}'],
    onnxsim: peer('onnxsim'),
    onnxsimNpm: [process.execPath, join(PEERS, 'optimize.mjs'), '{in}', '{out}'],
    onnxslim: peer('onnxslim'),
    basic: peer('basic'),
    extended: peer('extended'),
  };
}

/** The versions of the tools; a mistake of the user if the interpreter lacks one. */
function versionsOf(python: string): ReadonlyArray<string> {
  const names = readFileSync(join(PEERS, 'requirements.txt'), 'utf8').match(/^[\w-]+/gm) ?? [];
  const script = `from importlib.metadata import version
for name in ${JSON.stringify(names)}: print(name, version(name))`;
  const npm = JSON.parse(readFileSync(join(PEERS, 'node_modules/onnxsim/package.json'), 'utf8'));
  try {
    const found = execFileSync(python, ['-c', script], { encoding: 'utf8', stdio: 'pipe' });
    return [`onnxsim ${npm.version} (npm)`, ...found.trim().split('\n')];
  } catch {
    throw new Mistake(`${python} lacks one of ${names.join(', ')}: see --python`);
  }
}

/** The answers of the script, which are told as they come. */
async function measured(python: string, manifest: string): Promise<ReadonlyArray<Answer>> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-field-'));
  const file = join(folder, 'manifest.json');
  writeFileSync(file, manifest);
  const child = spawn(python, [join(PEERS, 'measure.py'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answers: Answer[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const answer: Answer | Failure = JSON.parse(text);
    const name = basename(answer.model);
    if ('failure' in answer) process.stderr.write(`${name}: ${answer.failure}\n`);
    else {
      answers.push(answer);
      const taken = Object.keys(answer.tools).filter((tool) => {
        const made = answer.tools[tool];
        return made !== undefined && isTaken(made);
      });
      process.stderr.write(`${name}: ${taken.join(', ')}\n`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  return answers;
}

await begin(main);
