/**
 * Small programs in a folder, each with inputs and what it must give for them: `NAME.onnx`,
 * `NAME.relay` or `NAME.ir`, with `NAME.npz`, whose arrays are `in_INPUT` and `out_OUTPUT`. Without
 * the arrays inputs are drawn, and the file itself gives the outputs: an ONNX file in onnxruntime,
 * a text in the interpreter.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { andThen, isLeft, ok, type Result, right } from '@baton/base';
import { readNpz } from '@baton/cli';
import { decodeModel, outputNames } from '@baton/onnx';
import { leavesOf } from '@baton/testing';
import { evaluate, type IRModule, importOnnx, parseModule } from 'batonjs';
import type { Runtime } from '../onnxruntime/installed.ts';
import { CHARACTERS, drawnInputs } from './draw.ts';
import { openDims } from './open-dims.ts';
import { FUEL, type Inputs, type Sample } from './values.ts';

export interface Reading {
  /** `given`; `sized` with the sizes of the inputs for dimensions that the file leaves open. */
  readonly name: 'given' | 'sized';
  readonly module: Result<IRModule>;
}

export interface Case {
  readonly name: string;
  readonly readings: ReadonlyArray<Reading>;
  readonly samples: ReadonlyArray<Sample>;
}

const ENDINGS: ReadonlyArray<string> = ['.onnx', '.relay', '.ir'];

export const caseFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((file) => ENDINGS.includes(extname(file)))
    .sort()
    .map((file) => join(folder, file));

/** The case in a file, or the reason why nothing says what it must compute. */
export async function readCase(file: string, runtime: Runtime | undefined): Promise<Result<Case>> {
  const name = basename(file);
  const bytes = readFileSync(file);
  const arrays = arraysBeside(file);
  if (isLeft(arrays)) return arrays;
  if (extname(file) !== '.onnx') {
    const module = parseModule(bytes.toString(), { source: name });
    const samples = andThen(module, (m) =>
      arrays.right === undefined ? drawn(m) : ok([sampleOf(m, arrays.right)]),
    );
    if (isLeft(samples)) return samples;
    return right({ name, readings: [{ name: 'given', module }], samples: samples.right });
  }
  const read = (dims: Readonly<Record<string, number>>) =>
    importOnnx(bytes, { source: name, dims });
  const open = openDims(bytes, arrays.right && inputsOf(arrays.right));
  if (isLeft(open)) return open;
  const given: Reading = { name: 'given', module: read({}) };
  const isOpen = Object.keys(open.right).length > 0;
  const sized: Reading = { name: 'sized', module: isOpen ? read(open.right) : given.module };
  const readings = isOpen ? [given, sized] : [given];
  if (arrays.right !== undefined) {
    const values = arrays.right;
    const names = andThen(decodeModel(bytes), (m) =>
      ok((m.graph?.outputs ?? []).map((output) => output.name)),
    );
    if (isLeft(names)) return names;
    const outputs = names.right.map((output) => values[`out_${output}`]);
    return right({ name, readings, samples: [{ inputs: inputsOf(values), outputs }] });
  }
  const m = isLeft(sized.module) ? given.module : sized.module;
  if (isLeft(m)) return m;
  const samples =
    runtime === undefined ? drawn(m.right) : await drawnInRuntime(m.right, bytes, runtime);
  return isLeft(samples) ? samples : right({ name, readings, samples: samples.right });
}

const inputsOf = (arrays: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(arrays).flatMap(([key, value]) =>
      key.startsWith('in_') ? [[key.slice('in_'.length), value]] : [],
    ),
  );

const MOST_BYTES = 2 ** 30;

/** The arrays of a program, if there is a file of that name. */
function arraysBeside(file: string): Result<Inputs | undefined> {
  const path = file.replace(/\.\w+$/, '.npz');
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch {
    return right(undefined);
  }
  return readNpz(bytes, path, { of: () => MOST_BYTES, all: () => MOST_BYTES });
}

function sampleOf(m: IRModule, arrays: Inputs): Sample {
  const main = m.functions.get('main');
  const count = Object.keys(arrays).filter((key) => key.startsWith('out_')).length;
  const names = main === undefined ? [] : outputNames(main, count);
  return { inputs: inputsOf(arrays), outputs: names.map((output) => arrays[`out_${output}`]) };
}

/** Random inputs with the outputs of the interpreter. Inputs that it refuses are left out. */
function drawn(m: IRModule): Result<ReadonlyArray<Sample>> {
  const samples: Sample[] = [];
  for (const character of CHARACTERS) {
    const inputs = drawnInputs(m, character);
    if (isLeft(inputs)) return inputs;
    const value = evaluate(m, inputs.right, { fuel: FUEL });
    if (!isLeft(value)) samples.push({ inputs: inputs.right, outputs: leavesOf(value.right) });
    else if (samples.length === 0 && character === CHARACTERS.at(-1)) return value;
  }
  return right(samples);
}

async function drawnInRuntime(
  m: IRModule,
  bytes: Uint8Array,
  runtime: Runtime,
): Promise<Result<ReadonlyArray<Sample>>> {
  const samples: Sample[] = [];
  for (const character of CHARACTERS) {
    const inputs = drawnInputs(m, character);
    if (isLeft(inputs)) return inputs;
    const found = await runtime.run(bytes, [new Map(Object.entries(inputs.right))]);
    // A file may read its input as an index: numbers outside it are no inputs.
    if (isLeft(found)) continue;
    const outputs = [...(found.right[0]?.values() ?? [])];
    samples.push({ inputs: inputs.right, outputs });
  }
  // onnxruntime lacks some pairs of operator and type.
  return samples.length > 0 ? right(samples) : drawn(m);
}
