/** The paths of a program to values: executors, modules, and files. */
import { isLeft } from '@baton/base';
import { leavesOf } from '@baton/testing';
import {
  compileToModule,
  type Diagnostics,
  type Executor,
  exportOnnx,
  type IRModule,
  importOnnx,
  interpreter,
  oracle,
  wasm,
} from 'batonjs';
import type { Runtime } from '../onnxruntime/installed.ts';
import { asTensor, loadModule } from '../standalone.ts';
import { type Cell, cellOf, worstOf } from './differences.ts';
import { FUEL, type Sample } from './values.ts';

/** A path to the values of a program. */
type Path = (
  m: IRModule,
  samples: ReadonlyArray<Sample>,
  runtime: Runtime | undefined,
) => Cell | Promise<Cell>;

export const PATHS = {
  interpreter: (m, samples) => run(interpreter, m, samples),
  oracle: (m, samples) => run(oracle, m, samples),
  wasm: (m, samples) => run(wasm, m, samples),
  module: throughModule,
  export: throughFile,
  onnxruntime: inRuntime,
} as const satisfies Readonly<Record<string, Path>>;

const refused = (problems: Diagnostics): Cell => ({ _tag: 'Refused', code: problems[0].code });

function run(executor: Executor, m: IRModule, samples: ReadonlyArray<Sample>): Cell {
  const program = executor.prepare(m, { fuel: FUEL });
  if (isLeft(program)) return refused(program.left);
  return worstOf(
    samples.map(({ inputs, outputs }) => {
      const value = program.right.run(inputs);
      return isLeft(value) ? refused(value.left) : cellOf(leavesOf(value.right), outputs);
    }),
  );
}

async function throughModule(m: IRModule, samples: ReadonlyArray<Sample>): Promise<Cell> {
  const count = samples[0]?.outputs.length ?? 0;
  const outputs = Array.from({ length: count }, (_, i) => `result ${i}`);
  const files = compileToModule(m, { name: 'case', outputs, weights: 'given' });
  if (isLeft(files)) return refused(files.left);
  const run = await loadModule(files.right);
  return worstOf(
    samples.map((sample) => {
      const found = run(Object.entries(sample.inputs));
      const tensors = found.map((output, i) => {
        const dtype = sample.outputs[i]?.dtype;
        return dtype && asTensor(output, dtype);
      });
      return cellOf(tensors, sample.outputs);
    }),
  );
}

function throughFile(m: IRModule, samples: ReadonlyArray<Sample>): Cell {
  const file = exportOnnx(m);
  if (isLeft(file)) return refused(file.left);
  const again = importOnnx(file.right, { source: 'exported' });
  if (isLeft(again)) return { _tag: 'Refused', code: `read again: ${again.left[0].code}` };
  const names = (again.right.functions.get('main')?.params ?? []).map((p) => p.nameHint);
  return worstOf(
    samples.map((sample) => {
      const program = interpreter.prepare(again.right, { fuel: FUEL });
      if (isLeft(program)) return refused(program.left);
      const inputs = Object.fromEntries(
        Object.entries(sample.inputs).filter(([name]) => names.includes(name)),
      );
      const value = program.right.run(inputs);
      return isLeft(value) ? refused(value.left) : cellOf(leavesOf(value.right), sample.outputs);
    }),
  );
}

async function inRuntime(
  m: IRModule,
  samples: ReadonlyArray<Sample>,
  runtime: Runtime | undefined,
): Promise<Cell> {
  if (runtime === undefined) return { _tag: 'Absent' };
  const file = exportOnnx(m);
  if (isLeft(file)) return refused(file.left);
  const cells: Cell[] = [];
  for (const { inputs, outputs } of samples) {
    const found = await runtime.run(file.right, [new Map(Object.entries(inputs))]);
    cells.push(
      isLeft(found)
        ? { _tag: 'Refused', code: shortened(found.left[0].message) }
        : cellOf([...(found.right[0]?.values() ?? [])], outputs),
    );
  }
  return worstOf(cells);
}

const MESSAGE_LENGTH = 60;

const shortened = (message: string): string =>
  message.split('\n', 1)[0]?.slice(0, MESSAGE_LENGTH) ?? '';
