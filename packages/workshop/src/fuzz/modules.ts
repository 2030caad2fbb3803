/** Generated programs as standalone modules, which have the bits of the compiled executor. */
import { isLeft, orThrow } from '@baton/base';
import { isStorageOf, type Tensor, type TensorData, toBytes } from '@baton/tensor';
import { type Generator, inputsFor, leavesOf, preparedProgram } from '@baton/testing';
import { compileToModule, makeWasm } from '@baton/wasm';
import { type Func, printModule, type Value } from 'batonjs';
import { loadModule } from '../standalone.ts';

/** The programs so far, and those that have a module. */
export interface ModuleCount {
  programs: number;
  compiled: number;
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
  const run = await loadModule(files.right);
  const found = run(namedInputs(main, inputs));
  const wrong = wanted.findIndex((t, i) => !sameBits(t, found[i]?.data));
  return wrong < 0 ? undefined : `${generator.name}: result ${wrong} differs\n${printModule(m)}`;
}

/** The leaves of inputs, with their names in a module. */
const namedInputs = (
  main: Func,
  inputs: ReadonlyArray<Value>,
): ReadonlyArray<readonly [string, Tensor]> =>
  main.params.flatMap(({ nameHint }, i) => {
    const leaves = leavesOf(inputs[i] as Value);
    return leaves.map((leaf, k) => [leaves.length === 1 ? nameHint : `${nameHint}${k}`, leaf]);
  });

function sameBits(wanted: Tensor, found: TensorData | undefined): boolean {
  if (found === undefined || !isStorageOf(found, wanted.dtype)) return false;
  const bytes = new Uint8Array(found.buffer, found.byteOffset, found.byteLength);
  return Buffer.compare(toBytes(wanted), bytes) === 0;
}
