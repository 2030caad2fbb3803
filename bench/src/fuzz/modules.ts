/** Generated programs as standalone modules, which have the bits of the compiled executor. */
import { isLeft, orThrow } from '@baton/base';
import { dense, isTensor, storageOf, type Tensor, type TensorData } from '@baton/tensor';
import { type Generator, inputsFor, preparedProgram } from '@baton/testing';
import { compileToModule, type ModuleFile, makeWasm } from '@baton/wasm';
import { type Func, printModule, type Value } from 'batonjs';

/** The programs so far, and those that have a module. */
export interface ModuleCount {
  programs: number;
  compiled: number;
}

/** What the text of a module exports when its weights are given. */
interface Exports {
  readonly instantiate: (weights: Uint8Array) => Promise<{
    readonly run: (
      inputs: Readonly<Record<string, TensorData>>,
    ) => Readonly<Record<string, TensorData>>;
  }>;
}

/** A module computes each tensor, however small; so does this executor. */
const executor = makeWasm({ leastElements: 0 });

/** The difference between the module of a seed's program and the executor, if any; counted. */
export async function checkModule(
  generator: Generator,
  seed: number,
  count: ModuleCount,
): Promise<string | undefined> {
  const m = preparedProgram(generator, seed);
  count.programs++;
  const files = compileToModule(m, { name: 'program', weights: 'given' });
  const program = executor.prepare(m);
  // A module has no reference kernels: a program with a call that has no code is refused.
  if (isLeft(files) || isLeft(program)) return undefined;
  count.compiled++;
  const main = m.functions.get('main') as Func;
  const inputs = inputsFor(main, seed);
  const wanted = leavesOf(orThrow(program.right.run(inputs)));
  const found = await runModule(files.right, main, inputs);
  const wrong = wanted.findIndex((t, i) => !sameBits(t, found[i]));
  return wrong < 0 ? undefined : `${generator.name}: result ${wrong} differs\n${printModule(m)}`;
}

/** Runs the module of a program; the results in order. */
async function runModule(
  files: ReadonlyArray<ModuleFile>,
  main: Func,
  inputs: ReadonlyArray<Value>,
): Promise<ReadonlyArray<TensorData>> {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const { instantiate } = exportsOf(String(contents.get('program.mjs')));
  const { run } = await instantiate(contents.get('program.bin') as Uint8Array);
  const given = main.params.flatMap(({ nameHint }, i) => {
    const leaves = leavesOf(inputs[i] as Value);
    const name = (k: number): string => (leaves.length === 1 ? nameHint : `${nameHint}${k}`);
    return leaves.map((leaf, k) => [name(k), dense(leaf).data] as const);
  });
  return Object.values(run(Object.fromEntries(given)));
}

/**
 * The exports of a module whose weights are given. Evaluated as a function, since a host keeps each
 * module that it imports, and a run makes many thousands.
 */
const exportsOf = (text: string): Exports =>
  new Function(`${text.replace(/^export /gm, '')}\nreturn { instantiate };`)();

const leavesOf = (value: Value): ReadonlyArray<Tensor> =>
  value._tag === 'Tuple' ? value.fields.flatMap(leavesOf) : isTensor(value) ? [value] : [];

function sameBits(wanted: Tensor, found: TensorData | undefined): boolean {
  if (found === undefined || !(found instanceof storageOf(wanted.dtype))) return false;
  const [a, b] = [dense(wanted).data, found].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  ) as [Uint8Array, Uint8Array];
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
