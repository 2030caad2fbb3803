/** One case through every path. */
import { andThen, isLeft, ok, type Result, right } from '@baton/base';
import { type IRModule, type Pass, runPass } from 'batonjs';
import type { Runtime } from '../onnxruntime/installed.ts';
import { readCase } from './case.ts';
import type { Cell } from './differences.ts';
import { PATHS } from './paths.ts';
import { PROGRAMS } from './programs.ts';

export interface Row {
  readonly case: string;
  /** How the file was read: as it is, or with sizes. */
  readonly reading: string;
  readonly program: string;
  /** The outcomes by path; of a program that was not made, one of that name. */
  readonly cells: ReadonlyMap<string, Cell>;
}

/** Runs a case: each reading, each program or those of these names, each path. */
export async function checkCase(
  file: string,
  runtime: Runtime | undefined,
  programs: ReadonlyArray<string> = [...PROGRAMS.keys()],
): Promise<Result<ReadonlyArray<Row>>> {
  const found = await readCase(file, runtime);
  if (isLeft(found)) return found;
  const { name, readings, samples } = found.right;
  const rows: Row[] = [];
  for (const { name: reading, module } of readings) {
    const row = (program: string, cells: ReadonlyMap<string, Cell>): Row => ({
      case: name,
      reading,
      program,
      cells,
    });
    if (isLeft(module)) {
      const cell: Cell = { _tag: 'Refused', code: module.left[0].code };
      rows.push(row('read', new Map([['interpreter', cell]])));
      continue;
    }
    for (const program of programs) {
      const pass = PROGRAMS.get(program);
      const made = pass === undefined ? module : changedBy(pass, module.right);
      const cells = new Map<string, Cell>();
      if (isLeft(made)) {
        cells.set('interpreter', { _tag: 'Refused', code: made.left[0].code });
      } else {
        for (const [path, values] of Object.entries(PATHS)) {
          cells.set(path, await caught(() => values(made.right, samples, runtime)));
        }
      }
      rows.push(row(program, cells));
    }
  }
  return right(rows);
}

const changedBy = (pass: Pass, m: IRModule): Result<IRModule> =>
  andThen(runPass(pass)(m), ({ module }) => ok(module));

const caught = async (run: () => Cell | Promise<Cell>): Promise<Cell> => {
  try {
    return await run();
  } catch (error) {
    return { _tag: 'Thrown', message: error instanceof Error ? error.message : String(error) };
  }
};
