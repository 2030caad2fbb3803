/** The paths of a program to values: executors, modules, and files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLeft } from '@baton/base';
import { dense, type Tensor, type TensorData, tensor } from '@baton/tensor';
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
import { type Cell, cellOf, worstOf } from './differences.ts';
import type { Runtime } from './runtime.ts';
import { FUEL, leavesOf, type Sample } from './values.ts';

/** A path to the values of a program. */
type Path = (
  m: IRModule,
  samples: ReadonlyArray<Sample>,
  runtime: Runtime | undefined,
) => Cell | Promise<Cell>;

/** All paths by name. */
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

/** What the text of a module exports. */
interface Loaded {
  readonly run: (inputs: Readonly<Record<string, TensorData>>) => Record<string, TensorData>;
  readonly shapes: Readonly<Record<string, ReadonlyArray<number>>>;
}

async function throughModule(m: IRModule, samples: ReadonlyArray<Sample>): Promise<Cell> {
  const count = samples[0]?.outputs.length ?? 0;
  const outputs = Array.from({ length: count }, (_, i) => `result ${i}`);
  const files = compileToModule(m, { name: 'case', outputs });
  if (isLeft(files)) return refused(files.left);
  const folder = mkdtempSync(join(tmpdir(), 'baton-cases-'));
  try {
    for (const { path, content } of files.right) writeFileSync(join(folder, path), content);
    const loaded: Loaded = await import(pathToFileURL(join(folder, 'case.mjs')).href);
    return worstOf(samples.map((sample) => ofModule(loaded, sample, outputs)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ofModule({ run, shapes }: Loaded, sample: Sample, names: ReadonlyArray<string>): Cell {
  const given = Object.entries(sample.inputs).map(([name, t]) => [name, dense(t).data] as const);
  const values = run(Object.fromEntries(given));
  const found = names.flatMap((name, i): ReadonlyArray<Tensor> => {
    const value = values[name];
    const dtype = sample.outputs[i]?.dtype;
    if (value === undefined) return [];
    return [tensor(value, shapes[name] ?? [], dtype ?? 'float32')];
  });
  return cellOf(found, sample.outputs);
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
    const found = await runtime.run(file.right, inputs);
    cells.push(
      typeof found === 'string'
        ? { _tag: 'Refused', code: found.split('\n', 1)[0]?.slice(0, MESSAGE_LENGTH) ?? '' }
        : cellOf(found, outputs),
    );
  }
  return worstOf(cells);
}

const MESSAGE_LENGTH = 60;
