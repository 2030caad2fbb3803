/**
 * `pnpm bench:passes [PASS]...`: the time of each pass at two sizes, on programs that are long in
 * one way, and on generated ones that have what the pass looks for.
 *
 * Each pass is measured in a process of its own, which this file also is: `main.js --measure PASS`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import { ms } from '@baton/report';
import { ENROLLED, type Enrolled, GROUPS, programOf } from '@baton/testing';
import {
  fromJson,
  type IRModule,
  inferTypes,
  measureModule,
  orThrow,
  passStatistics,
  runPass,
  toJson,
} from 'batonjs';
import { type Growth, growthOf, processorTime, type Sized } from '../scaling/growth.ts';
import { SIZED_PROGRAMS } from '../scaling/programs.ts';

interface Row extends Growth {
  readonly program: string;
  /** How often a row of the pass's table fired in the large program. */
  readonly fired: number;
}

/** The share of the sizes of `pnpm bench:scale` at which passes are measured: there are many. */
const SHARE = 0.4;

/** The calls of the generated programs, and how many there are of each size. */
const GENERATED_CALLS = [400, 2_000] as const;
const GENERATED = 4;

/** Options of Node by which times do not depend on other processes, and little on garbage. */
const STEADY = [
  '--single-threaded',
  '--expose-gc',
  '--min-semi-space-size=256',
  '--max-semi-space-size=256',
];

/** **Units** ms. A pass that takes longer for a small program is measured on those of a fifth of the size. */
const SLOW = 1_000;

/** More than this is shown in red: the time grows faster than the program. */
const LINEAR = 1.5;

/** Programs as a pass finds them, after the pass that it undoes. Each run has new ones. */
function sized({ alone }: Enrolled, modules: Modules): Sized<Modules> {
  const found = modules.map((m) => (alone ? orThrow(runPass(alone.before)(m)).module : m));
  const stored = found.map((m) => toJson(m));
  return {
    size: found.reduce((sum, m) => sum + measureModule(m).nodes, 0),
    make: () => stored.map((json) => orThrow(inferTypes(orThrow(fromJson(json))))),
  };
}

type Modules = ReadonlyArray<IRModule>;

function generated({ group }: Enrolled, maxCalls: number): Modules {
  const { focus, isFullLanguage } = GROUPS.find((g) => g.name === group) ?? { focus: [] };
  const language = isFullLanguage ? 'whole' : 'dataflow';
  return Array.from(
    { length: GENERATED },
    (_, seed) => programOf(seed + 1, { focus, maxCalls, language }).module,
  );
}

function measured(enrolled: Enrolled): ReadonlyArray<Row> {
  const own = enrolled.alone?.pass ?? enrolled.pass;
  const runAll = (modules: Modules): ReadonlyArray<number> =>
    modules.map((m) => {
      const { report } = orThrow(runPass(own)(m));
      const rows = passStatistics(report).get(enrolled.counts.name) ?? {};
      return Object.values(rows).reduce((sum, count) => sum + count, 0);
    });
  const row = (program: string, pair: readonly [Modules, Modules]): Row => {
    const [small, large] = pair.map((modules) => sized(enrolled, modules)) as [
      Sized<Modules>,
      Sized<Modules>,
    ];
    return {
      program,
      ...growthOf(small, large, runAll, processorTime),
      fired: runAll(large.make()).reduce((sum, count) => sum + count, 0),
    };
  };
  const [few, many] = GENERATED_CALLS;
  return [
    ...SIZED_PROGRAMS.map(({ name, build, sizes }) => {
      const [small, large] = sizes.map((size) => SHARE * size) as [number, number];
      const made = (size: number): Modules => [orThrow(inferTypes(build(size)))];
      const isSlow = timeOf(() => runAll(sized(enrolled, made(small)).make())) > SLOW;
      return row(name, isSlow ? [made(small / 5), made(small)] : [made(small), made(large)]);
    }),
    row('generated', [generated(enrolled, few), generated(enrolled, many)]),
  ];
}

function timeOf(run: () => unknown): number {
  const start = processorTime();
  run();
  return processorTime() - start;
}

/** The rows of a pass, from a process of its own. */
function inProcess(name: string): ReadonlyArray<Row> {
  const self = fileURLToPath(import.meta.url);
  return JSON.parse(
    execFileSync(process.execPath, [...STEADY, self, '--measure', name], {
      encoding: 'utf8',
    }),
  ) as ReadonlyArray<Row>;
}

const shown = (growth: number): string => {
  const text = growth.toFixed(2);
  const isRed = growth > LINEAR && process.stdout.isTTY === true;
  return isRed ? `\u001b[31m${text}\u001b[0m` : growth > LINEAR ? `${text} !` : text;
};

function main(argv: ReadonlyArray<string>): void {
  const [flag, only] = argv;
  if (flag === '--measure') {
    const enrolled = ENROLLED.find((one) => one.name === only);
    process.stdout.write(JSON.stringify(enrolled === undefined ? [] : measured(enrolled)));
    return;
  }
  const chosen = ENROLLED.filter(({ name }) => argv.length === 0 || argv.includes(name));
  const rows = chosen.flatMap(({ name }) => {
    process.stderr.write('.');
    return inProcess(name).map((row) => [
      name,
      row.program,
      ms(row.ms[0]),
      ms(row.ms[1]),
      shown(row.growth),
      String(row.fired),
    ]);
  });
  process.stderr.write('\n');
  const header = ['pass', 'program', 'ms', 'ms, five times larger', 'growth', 'rows fired'];
  process.stdout.write(`${table(header, rows)}\n\n`);
  process.stdout.write(
    'The growth is the processor time for each node, large to small: 1 is linear.\n',
  );
}

main(process.argv.slice(2));
