/** The numbers at the marks of a program, from runs on data. */
import { isLeft, type Result, right } from '@baton/base';
import {
  constant,
  type Expr,
  type IRModule,
  irModule,
  mapFunctions,
  type OpTable,
} from '@baton/ir';
import { type Kernel, kernelColumn, type OpCall, type OpValue } from '@baton/ops';
import { rewriteFunc } from '@baton/pass-manager';
import { isTensor, readNumber, scalar, type Tensor, toNumbers } from '@baton/tensor';
import { again, MARK, REAL } from './marks.ts';

/** The arguments of one run, by position or by the names of parameters. */
export type RunArguments = ReadonlyArray<Tensor> | Readonly<Record<string, Tensor>>;

/** The arguments of `main` in each run. */
export type DataSet = ReadonlyArray<RunArguments>;

/** Runs programs, as executors do. */
export interface ProgramRunner {
  readonly prepare: (
    m: IRModule,
  ) => Result<{ readonly run: (args: RunArguments) => Result<unknown> }>;
}

/**
 * The numbers at each of these marks in all runs; a mark at which no run came by has none. The
 * marks have the scale 0 in the module, so that they give their data.
 *
 * **Errors** of the runs.
 */
export function numbersAt(
  marks: ReadonlyArray<OpCall>,
  m: IRModule,
  runner: ProgramRunner,
  dataset: DataSet,
): Result<ReadonlyArray<Float64Array>> {
  const numbers = new Map<Expr, number>(marks.map((mark, i) => [mark, i + 1]));
  const found = marks.map((): ArrayLike<number>[] => []);
  const numbered = mapFunctions(m, (f) =>
    rewriteFunc(f, m, (node, get) => {
      const number = numbers.get(node);
      if (number === undefined || node._tag !== 'Call') return undefined;
      const [data, scale, , most] = node.args.map(get);
      if (data === undefined || scale === undefined || most === undefined) return undefined;
      return again(node, [data, scale, constant(scalar(number, REAL)), most]);
    }),
  );
  const see = (number: number, data: OpValue): void => {
    if (isTensor(data)) found[number - 1]?.push(Float64Array.from(toNumbers(data), Number));
  };
  const prepared = runner.prepare(irModule({ ...numbered, ops: watchingMarks(m.ops, see) }));
  if (isLeft(prepared)) return prepared;
  for (const args of dataset) {
    const run = prepared.right.run(args);
    if (isLeft(run)) return run;
  }
  return right(found.map(joined));
}

/** The table with a kernel of marks that shows the number of each, its lower bound, and its data. */
function watchingMarks(ops: OpTable, see: (number: number, data: OpValue) => void): OpTable {
  const kernel = ops.read(kernelColumn, MARK);
  if (kernel === undefined) return ops;
  const watching: Kernel = (args, attrs, out) => {
    const [data, , number] = args;
    if (data !== undefined && number !== undefined && isTensor(number)) {
      see(readNumber(number, 0), data);
    }
    return kernel(args, attrs, out);
  };
  return ops.withColumn(kernelColumn, new Map([[MARK, watching]]));
}

function joined(parts: ReadonlyArray<ArrayLike<number>>): Float64Array {
  const all = new Float64Array(parts.reduce((count, part) => count + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
