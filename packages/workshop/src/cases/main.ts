/** `pnpm test:cases FOLDER`: small programs through every path to values, and the outcomes. */
import { isLeft, renderDiagnostics, table } from '@baton/base';
import { makeProgress, readCommandLine } from '@baton/cli';
import { begin } from '../begin.ts';
import { startRuntime } from '../onnxruntime/process.ts';
import { caseFiles } from './case.ts';
import { checkCase, type Row } from './check.ts';
import { type Cell, shownCell } from './differences.ts';
import { PATHS } from './paths.ts';
import { PROGRAMS } from './programs.ts';

const USAGE = `pnpm test:cases FOLDER [--only TEXT] [--all]
  --only TEXT  the files whose names contain it
  --all        also the programs that are right on every path

A file is NAME.onnx, NAME.relay or NAME.ir; NAME.npz has its inputs as in_NAME and its outputs as
out_NAME. Without it inputs are drawn, and onnxruntime or the interpreter give the outputs.
`;

const OPTIONS = { only: { type: 'string' }, all: { type: 'boolean' } } as const;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), OPTIONS, { takesOperands: true });
  if (typeof line === 'string' || line.positionals.length !== 1) {
    process.stderr.write(typeof line === 'string' ? `${line}\n\n${USAGE}` : USAGE);
    return EXIT_USAGE;
  }
  const { only = '', all = false } = line.values;
  const files = caseFiles(line.positionals[0] ?? '').filter((file) => file.includes(only));
  const progress = makeProgress('lines');
  const rows: Row[] = [];
  const unread: string[] = [];
  const runtime = startRuntime();
  for (const file of files) {
    progress.step(file);
    const found = await checkCase(file, runtime);
    if (isLeft(found)) unread.push(`${file}\n${renderDiagnostics(found.left)}`);
    else rows.push(...found.right);
  }
  runtime?.stop();
  progress.done();
  process.stdout.write(report(rows, all));
  for (const reason of unread) process.stdout.write(`${reason}\n`);
  const isWrong = cellsOf(rows).some(({ _tag }) => _tag === 'Different' || _tag === 'Thrown');
  return isWrong || unread.length > 0 ? EXIT_FAILED : 0;
}

const cellsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Cell> =>
  rows.flatMap(({ cells }) => [...cells.values()]);

function report(rows: ReadonlyArray<Row>, isListed: boolean): string {
  const paths = Object.keys(PATHS);
  const shown = rows.filter(
    ({ cells }) => isListed || [...cells.values()].some(({ _tag }) => _tag !== 'Same'),
  );
  // Most programs of a case are the same.
  const programs = new Map<string, string[]>();
  for (const { case: name, reading, program, cells } of shown) {
    const outcomes = paths.map((path) => shownCell(cells.get(path) ?? { _tag: 'Absent' }));
    const line = [name, reading, ...outcomes].join('\n');
    programs.set(line, [...(programs.get(line) ?? []), program]);
  }
  const lines = [...programs].map(([line, of]) => {
    const [name = '', reading = '', ...outcomes] = line.split('\n');
    return [name, reading, of.length === PROGRAMS.size ? 'all' : of.join(', '), ...outcomes];
  });
  const counts = (['Same', 'Different', 'Refused', 'Thrown'] as const).map(
    (tag) => cellsOf(rows).filter(({ _tag }) => _tag === tag).length,
  );
  const files = new Set(rows.map((row) => row.case)).size;
  return `${table(['case', 'read', 'program', ...paths], lines)}
${files} cases, ${rows.length} programs: ${counts[0]} outcomes are right, ${counts[1]} differ, ${counts[2]} are refused, ${counts[3]} throw\n`;
}

await begin(main);
