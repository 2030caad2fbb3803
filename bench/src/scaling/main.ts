/**
 * `pnpm bench:scale [--sizes N,N,..] [--stages NAME,..] [--programs NAME,..] [--page]`: the time and the
 * peak memory of each stage on programs of up to a million nodes. `--page` writes them into
 * `docs/benchmarks.md`.
 *
 * Each figure is from a process of its own, which this file also is: `main.js --measure PROGRAM STAGE
 * SIZE`.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '@baton/base';
import { ms } from '@baton/report';
import { markdown, measuredOn, type Section, WORSE, writeSections } from '../benchmarks-page.ts';
import { processorTime } from './growth.ts';
import { LARGE_PROGRAMS } from './programs.ts';
import { RULES_MOST, STAGES } from './stages.ts';

/** What a stage took. */
interface Figure {
  /** Of the processor, by all threads: other work at the same time changes it little. */
  readonly processorMs: number;
  /** The most memory of the process, beyond what it has before the program is made. **Units** bytes. */
  readonly peak: number;
}

const SIZES = '10000,100000,1000000';

/** More for each node is marked: from the smallest size to the largest. */
const LINEAR = 1.3;

/** The memory that every heap may take, besides that for its nodes. **Units** MiB. */
const HEAP = 512;

/** Nodes on which the code of a stage is compiled before it is measured. */
const WARM = 3000;

/** Nodes that a measurement works on in all: a small program runs several times. */
const NODES = 50_000;

const named = <A extends { readonly name: string }>(all: ReadonlyArray<A>, name: string): A => {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}: ${all.map((one) => one.name).join(', ')}`);
  return found;
};

/** The median time of a stage, each time on a fresh program, and its peak of memory. */
function measured(program: string, stageName: string, size: number): Figure {
  const { build, nodes } = named(LARGE_PROGRAMS, program);
  const { prepare, run } = named(STAGES, stageName);
  for (let i = 0; i < 3; i++) run(prepare(build(WARM)));
  const before = peakMemory();
  const times: number[] = [];
  do {
    const input = prepare(build(size));
    globalThis.gc?.();
    const start = processorTime();
    run(input);
    times.push(processorTime() - start);
  } while (times.length * size * nodes < NODES);
  return { processorMs: median(times), peak: peakMemory() - before };
}

const median = (all: ReadonlyArray<number>): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] as number;

const peakMemory = (): number => process.resourceUsage().maxRSS * 1024;

function inProcess(program: string, stage: string, size: number): Figure | string {
  const { room } = named(STAGES, stage);
  const nodes = size * named(LARGE_PROGRAMS, program).nodes;
  const options = ['--expose-gc', `--max-old-space-size=${Math.ceil(HEAP + room * nodes)}`];
  const self = fileURLToPath(import.meta.url);
  const args = [...options, self, '--measure', program, stage, String(size)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === 0) return JSON.parse(stdout) as Figure;
  return /^\w*Error: .*|out of memory/m.exec(stderr)?.[0]?.slice(0, 200) ?? `exit ${status}`;
}

const marked = (text: string): string => `${text} ${WORSE}`;

function rowOf(stage: string, program: string, all: ReadonlyArray<number>): string[] {
  const { most = Number.POSITIVE_INFINITY } = named(STAGES, stage);
  const { most: mostOfProgram, nodes } = named(LARGE_PROGRAMS, program);
  const largest = Math.min(most, mostOfProgram);
  const sizes = all.filter((size) => size <= largest);
  const figures = sizes.map((size) => inProcess(program, stage, size));
  const perNode = figures.map((found, i) =>
    typeof found === 'string' ? Number.NaN : found.processorMs / (sizes[i] as number),
  );
  const growth = (perNode.at(-1) ?? Number.NaN) / (perNode[0] ?? Number.NaN);
  const last = figures.at(-1);
  const bytes =
    typeof last === 'object' ? last.peak / (sizes.at(-1) as number) / nodes : Number.NaN;
  return [
    program,
    stage,
    ...figures.map((found) => (typeof found === 'string' ? marked(found) : ms(found.processorMs))),
    ...all.slice(sizes.length).map(() => '-'),
    growth <= LINEAR ? growth.toFixed(2) : marked(growth.toFixed(2)),
    (bytes / 1000).toFixed(2),
  ];
}

async function main(): Promise<void> {
  const [flag, program = '', stage = '', size = ''] = process.argv.slice(2);
  if (flag === '--measure') {
    process.stdout.write(JSON.stringify(measured(program, stage, Number(size))));
    return;
  }
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: SIZES },
      stages: { type: 'string', default: STAGES.map(({ name }) => name).join() },
      programs: { type: 'string', default: LARGE_PROGRAMS.map(({ name }) => name).join() },
      page: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const header = ['program', 'stage', ...sizes.map((n) => `ms, ${n}`), 'growth', 'kB a node'];
  const rows = values.programs.split(',').flatMap((name) =>
    values.stages.split(',').map((one) => {
      const row = rowOf(one, name, sizes);
      process.stderr.write(`${row.join('  ')}\n`);
      return row;
    }),
  );
  process.stdout.write(`\n${table(header, rows)}\n${LEGEND}\n`);
  if (values.page) await writeSections([sectionOf(header, rows)]);
}

const LEGEND =
  'Processor time by all threads. Growth: the time for each node at the last size, to that at the first. kB: the peak of the process at the last size.';

const sectionOf = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): Section => ({
  heading: 'Large programs',
  body: `\`pnpm bench:scale --page\` writes this section: each stage of a program's way through Baton, each figure from a process of its own. \`graph\` is one expression, \`lets\` are nested bindings, \`functions\` call each other in a chain. ${LEGEND} More than ${LINEAR} is marked with ${WORSE}; rules and gradients are measured up to ${RULES_MOST} nodes, and so are functions, which have five nodes each.

${measuredOn([])}

${markdown(header, rows)}`,
});

await main();
