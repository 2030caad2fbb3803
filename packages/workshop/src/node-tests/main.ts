/**
 * `pnpm test:onnx`: ONNX's own tests of single operators, as imported, after optimization and
 * fusion, and after export and import. Each runs in a process that may end or hang without harm.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import { makeProgress, readCommandLine } from '@baton/cli';
import { begin } from '../begin.ts';
import { type Outcome, type Task, WAYS, type Way } from './outcome.ts';

const USAGE = `pnpm test:onnx [--free] [--way WAY] [--only TEXT] [--list]
  --free       every dimension of the inputs is free
  --way WAY    one of ${Object.keys(WAYS).join(', ')} (all)
  --only TEXT  the tests whose names contain it
  --list       each test that does not pass, with the reason

The folders: BATON_CORPUS has node and node-expanded; BATON_ONNX_BACKEND_TESTS has the node tests of
ONNX as published (onnx/backend/test/data of the Python package). One of them is needed.
`;

const OPTIONS = {
  free: { type: 'boolean' },
  way: { type: 'string' },
  only: { type: 'string' },
  list: { type: 'boolean' },
} as const;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

interface Suite {
  readonly name: string;
  readonly folders: ReadonlyArray<string>;
}

interface Row {
  readonly name: string;
  readonly outcome: Outcome;
}

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), OPTIONS);
  const suites = suitesHere();
  const way = typeof line === 'string' ? undefined : line.values.way;
  const isWay = way === undefined || Object.hasOwn(WAYS, way);
  if (typeof line === 'string' || suites.length === 0 || !isWay) {
    const mistake = typeof line === 'string' ? `${line}\n\n` : '';
    process.stderr.write(`${mistake}${USAGE}`);
    return EXIT_USAGE;
  }
  const { only = '', free = false, list = false } = line.values;
  const ways = Object.keys(WAYS).filter((name): name is Way => way === undefined || name === way);
  let isGood = true;
  for (const suite of suites) {
    const folders = suite.folders.filter((folder) => basename(folder).includes(only));
    for (const through of ways) {
      const tasks = folders.map((folder): Task => ({ folder, way: through, free }));
      const rows = await outcomes(`${suite.name}, ${through}`, tasks);
      process.stdout.write(`${report(`${suite.name}, ${through}`, rows, list)}\n`);
      isGood &&= rows.every(({ outcome }) => !isWrong(outcome));
    }
  }
  return isGood ? 0 : EXIT_FAILED;
}

function suitesHere(): ReadonlyArray<Suite> {
  const { BATON_CORPUS: corpus, BATON_ONNX_BACKEND_TESTS: published } = process.env;
  const parents = [
    ...(corpus === undefined ? [] : [join(corpus, 'node'), join(corpus, 'node-expanded')]),
    ...(published === undefined ? [] : [join(published, 'node'), join(published, 'node-expanded')]),
  ];
  return parents.filter(existsSync).map((parent) => ({
    name: parent,
    folders: readdirSync(parent).map((name) => join(parent, name)),
  }));
}

/** A test has this long: most take a hundredth of a second. */
const TIME_LIMIT_MS = 20_000;

async function outcomes(title: string, tasks: ReadonlyArray<Task>): Promise<ReadonlyArray<Row>> {
  const progress = makeProgress('lines');
  const rows: Row[] = [];
  let worker = started();
  for (const [index, task] of tasks.entries()) {
    const outcome = await answer(worker, task);
    if (outcome._tag === 'Thrown') {
      worker.kill('SIGKILL');
      worker = started();
    }
    rows.push({ name: basename(task.folder), outcome });
    if (index % PROGRESS_STEP === 0) progress.step(`${title}: ${index} of ${tasks.length}`);
  }
  worker.kill();
  progress.done();
  return rows;
}

const PROGRESS_STEP = 200;

const started = (): ChildProcess => fork(fileURLToPath(new URL('worker.js', import.meta.url)));

async function answer(worker: ChildProcess, task: Task): Promise<Outcome> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), TIME_LIMIT_MS);
  const { signal } = stop;
  const ended = once(worker, 'exit', { signal }).then(([code, by]): Outcome => {
    return { _tag: 'Thrown', reason: `the process ended: ${code ?? by}` };
  });
  const said = once(worker, 'message', { signal }).then(([outcome]): Outcome => outcome);
  worker.send(task);
  try {
    return await Promise.race([said, ended]);
  } catch {
    return { _tag: 'Thrown', reason: `no end after ${TIME_LIMIT_MS} ms` };
  } finally {
    clearTimeout(late);
    stop.abort();
    await Promise.allSettled([said, ended]);
  }
}

const isWrong = ({ _tag }: Outcome): boolean => _tag === 'Failed' || _tag === 'Thrown';

/** The counts, and the reasons of refusals by their number. */
function report(title: string, rows: ReadonlyArray<Row>, isListed: boolean): string {
  const passed = rows.filter(({ outcome }) => outcome._tag === 'Passed').length;
  const wrong = rows.filter(({ outcome }) => isWrong(outcome));
  const reasons = new Map<string, number>();
  for (const { outcome } of rows) {
    if (outcome._tag !== 'Refused') continue;
    const [reason = ''] = outcome.reasons;
    const kind = reason.replaceAll(/\d+/g, 'N');
    reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
  }
  const counted = [...reasons].toSorted(([, a], [, b]) => b - a);
  const lines = [
    `${title}: ${passed} of ${rows.length} pass, ${wrong.length} fail`,
    table(
      ['not imported', 'reason'],
      counted.map(([reason, count]) => [String(count), reason]),
    ),
  ];
  const shown = isListed ? rows.filter(({ outcome }) => outcome._tag !== 'Passed') : wrong;
  return [...lines, ...shown.map(({ name, outcome }) => `${name}: ${reasonOf(outcome)}`)].join(
    '\n',
  );
}

const reasonOf = (outcome: Outcome): string =>
  outcome._tag === 'Passed'
    ? ''
    : outcome._tag === 'Refused'
      ? outcome.reasons.join('; ')
      : outcome.reason;

await begin(main);
