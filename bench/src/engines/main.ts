/**
 * `pnpm bench:engines`: the time of the engines of rules and of level 3 on whole models, the first
 * time in a process and when they are warm. Each is measured in its own processes, interleaved;
 * this file also is the process: `main.js --measure INDEX`.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import { readCommandLine } from '@baton/cli';
import { begin } from '@baton/workshop';
import { measureModule } from 'batonjs';
import { type Subject, subjectsOf } from './subjects.ts';

const USAGE = `pnpm bench:engines [FILE...] [--corpus DIR] [--only TEXT] [--turns N]
  FILE          ONNX models with weights: import and level 3, and a search after it
  --corpus DIR  resnet50 and densenet121 come from there, not from the networks of Baton
  --only TEXT   what has this text in its name
  --turns N     the processes of each; 5 by default
`;

const OPTIONS = {
  corpus: { type: 'string' },
  only: { type: 'string' },
  turns: { type: 'string' },
  measure: { type: 'string' },
} as const;

const EXIT_USAGE = 2;

/** The runs of a process; the last one is warm. */
const RUNS = 3;

/** The times of a process, and the nodes that are left. **Units** ms. */
interface Timed {
  readonly first: number;
  readonly warm: number;
  readonly nodes: number;
}

async function timed(subject: Subject, corpus: string | undefined): Promise<Timed> {
  const work = await subject.prepare(corpus);
  const times: number[] = [];
  let nodes = 0;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const m = work.run();
    times.push(performance.now() - start);
    nodes = measureModule(m).nodes;
  }
  return { first: times[0] ?? Number.NaN, warm: times.at(-1) ?? Number.NaN, nodes };
}

const spread = (times: ReadonlyArray<number>): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (i: number): string => (sorted[i] ?? Number.NaN).toFixed(0);
  return `${at(sorted.length >> 1)} (${at(0)} to ${at(sorted.length - 1)})`;
};

async function main(argv: ReadonlyArray<string>): Promise<number> {
  const line = readCommandLine(argv, OPTIONS, { takesOperands: true });
  const turns = typeof line === 'string' ? 0 : Number(line.values.turns ?? '5');
  if (typeof line === 'string' || !(turns >= 1)) {
    process.stderr.write(
      `${typeof line === 'string' ? line : '--turns takes a number'}\n\n${USAGE}`,
    );
    return EXIT_USAGE;
  }
  const { corpus, only = '', measure } = line.values;
  const all = subjectsOf(line.positionals);
  const asked = measure === undefined ? undefined : all[Number(measure)];
  if (asked !== undefined) {
    process.stdout.write(JSON.stringify(await timed(asked, corpus)));
    return 0;
  }
  const chosen = all.flatMap(({ name }, i) => (name.includes(only) ? [{ name, i }] : []));
  if (chosen.length === 0) {
    const names = all.map(({ name }) => name).join('\n  ');
    process.stderr.write(`nothing has ${only} in its name; there is\n  ${names}\n`);
    return EXIT_USAGE;
  }
  const found = chosen.map((): Timed[] => []);
  const self = fileURLToPath(import.meta.url);
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, { i }] of chosen.entries()) {
      const args = [self, ...argv, '--measure', String(i)];
      const { status, stdout } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (status !== 0) return status ?? EXIT_USAGE;
      found[at]?.push(JSON.parse(stdout));
      process.stderr.write('.');
    }
  }
  const rows = chosen.map(({ name }, at) => {
    const times = found[at] ?? [];
    const column = (of: (t: Timed) => number): string => spread(times.map(of));
    return [name, column((t) => t.first), column((t) => t.warm), String(times[0]?.nodes ?? '')];
  });
  const header = ['ms, median and spread', 'first run', 'third run', 'nodes left'];
  process.stdout.write(`\n${table(header, rows)}\n`);
  return 0;
}

await begin(() => main(process.argv.slice(2)));
