/** Standalone modules, run from their text: for fuzzing, cases, the hunt and tests. */
import {
  type DType,
  dense,
  isStorageOf,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';
import type { ModuleFile } from '@baton/wasm';

/** An output of a module. A module keeps storage, and no element type. */
export interface ModuleOutput {
  readonly name: string;
  readonly data: TensorData;
  readonly shape: ReadonlyArray<number>;
}

/** Runs a module on inputs by name; the outputs in order. */
export type RunModule = (
  inputs: Iterable<readonly [string, Tensor]>,
) => ReadonlyArray<ModuleOutput>;

interface Exports {
  readonly shapes: Readonly<Record<string, ReadonlyArray<number>>>;
  readonly instantiate: (weights: Uint8Array) => Promise<{
    readonly run: (
      inputs: Readonly<Record<string, TensorData>>,
    ) => Readonly<Record<string, TensorData>>;
  }>;
}

/**
 * Loads the files of a module, compiled with `weights: 'given'`. The text is evaluated as a function:
 * a host keeps every module that it imports, and a run of the fuzzer makes many thousands.
 */
export async function loadModule(files: ReadonlyArray<ModuleFile>): Promise<RunModule> {
  const contentOf = (ending: string): ModuleFile['content'] =>
    files.find(({ path }) => path.endsWith(ending))?.content ?? '';
  const text = String(contentOf('.mjs')).replace(/^export /gm, '');
  const { shapes, instantiate }: Exports = new Function(
    `${text}\nreturn { shapes, instantiate };`,
  )();
  const { run } = await instantiate(contentOf('.bin') as Uint8Array);
  return (inputs) => {
    const given = [...inputs].map(([name, value]) => [name, dense(value).data] as const);
    return Object.entries(run(Object.fromEntries(given))).map(([name, data]) => ({
      name,
      data,
      shape: shapes[name] ?? [],
    }));
  };
}

/** An output as a tensor of an element type; `undefined` if its storage is of another. */
export const asTensor = ({ data, shape }: ModuleOutput, dtype: DType): Tensor | undefined =>
  isStorageOf(data, dtype) ? tensor(data, shape, dtype) : undefined;
