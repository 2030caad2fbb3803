/** A model as an ES module of its own, which depends on nothing. */
import { type Diagnostic, fail, failure, isLeft, type Result, right } from '@baton/base';
import { type IRModule, inferTypes, wellFormed } from '@baton/ir';
import { type DType, shapeSize, storageOf, type Tensor } from '@baton/tensor';
import { type Compiled, compileRegion, MEMORY } from './compile.ts';
import * as diagnostics from './diagnostics.ts';
import type { SimdLevel } from './level.ts';
import { ALIGNMENT } from './plan/memory.ts';
import { leavesIn, regionOf } from './plan/region.ts';

/** Options of {@link compileToModule}. */
export interface ModuleOptions {
  /** The name of the files, without their endings. */
  readonly name: string;
  /**
   * The vector instructions that the code uses: it runs on hosts that have them.
   * @defaultValue `simd`, which every browser of today has
   */
  readonly level?: Exclude<SimdLevel, 'scalar'>;
  /**
   * The names of the results, in order.
   * @defaultValue `output`, or `output0`, `output1`, … for a tuple
   */
  readonly outputs?: ReadonlyArray<string>;
}

/** A file of the module. */
export interface ModuleFile {
  readonly path: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** A named array in the memory of the module. */
interface Port {
  readonly name: string;
  readonly type: string;
  readonly address: number;
  readonly shape: ReadonlyArray<number>;
}

/**
 * `main` as three files: `NAME.mjs` with the code inside and a function `run`, from typed arrays by
 * name to typed arrays by name; `NAME.d.mts`, its types; `NAME.bin`, the weights, which the module
 * loads from beside it, in Node from the file system and elsewhere by `fetch`.
 *
 * **Errors** of `wellFormed` and `inferTypes`; `WASM_NO_DATAFLOW` if `main` is more than dataflow on
 * tensors of known sizes; `WASM_NO_CODE` for each call that has only a reference kernel.
 */
export function compileToModule(
  m: IRModule,
  { name, level = 'simd', outputs }: ModuleOptions,
): Result<ReadonlyArray<ModuleFile>> {
  const illFormed = failure(wellFormed(m));
  if (illFormed !== undefined) return illFormed;
  const typed = inferTypes(m);
  if (isLeft(typed)) return typed;
  const main = typed.right.functions.get('main');
  const region = main && regionOf(main, typed.right);
  if (main === undefined || region === undefined) {
    return fail(diagnostics.noDataflow('main', main?.span));
  }
  const compiled = compileRegion(region, typed.right, { level, isExact: false });
  const problems = withoutCode(compiled);
  const [first, ...others] = problems;
  if (first !== undefined) return fail(first, ...others);
  const inputs = compiled.lowered.params.flatMap((param, i) =>
    portsOf(leavesIn(param), main.params[i]?.nameHint ?? `input${i}`, compiled),
  );
  const results = portsOf(leavesIn(compiled.lowered.result), 'output', compiled).map((port, i) => ({
    ...port,
    name: outputs?.[i] ?? port.name,
  }));
  const weights = weightsOf(compiled);
  return right([
    { path: `${name}.mjs`, content: source(name, compiled, inputs, results) },
    { path: `${name}.d.mts`, content: types(name, inputs, results) },
    { path: `${name}.bin`, content: weights },
  ]);
}

/** A problem for each reference kernel, and for a result that is not in the arena. */
function withoutCode({ tasks, lowered }: Compiled): ReadonlyArray<Diagnostic> {
  const problems = tasks.flatMap((task) =>
    task._tag === 'Reference' ? [diagnostics.noCode(task.call.name, task.call.span)] : [],
  );
  const isApart = leavesIn(lowered.result).some(
    (window) => lowered.buffers[lowered.bufferOf(window)]?.isConstant === true,
  );
  return isApart && problems.length === 0 ? [diagnostics.noCode('a constant result')] : problems;
}

function portsOf(
  windows: ReadonlyArray<Tensor>,
  name: string,
  { lowered, addressOf }: Compiled,
): ReadonlyArray<Port> {
  return windows.map((window, i) => ({
    name: windows.length === 1 ? name : `${name}${i}`,
    type: storageOf(window.dtype).name,
    address: addressOf(lowered.bufferOf(window)) + window.offset * bytesOf(window.dtype),
    shape: window.shape,
  }));
}

const bytesOf = (dtype: DType): number => new (storageOf(dtype))(0).BYTES_PER_ELEMENT;

/** The bytes of memory before the arena, from the first constant on. */
function weightsOf({ placed }: Compiled): Uint8Array<ArrayBuffer> {
  const end = placed.reduce(
    (most, { address, bytes }) => Math.max(most, address + bytes),
    ALIGNMENT,
  );
  const memory = new ArrayBuffer(end);
  for (const { write } of placed) write(memory);
  return new Uint8Array(memory).slice(ALIGNMENT);
}

const PAGE_BYTES = 65_536;

/** The text of the module. */
function source(
  name: string,
  { code, tasks, bytes }: Compiled,
  inputs: ReadonlyArray<Port>,
  results: ReadonlyArray<Port>,
): string {
  const [module, memory] = MEMORY;
  const calls = tasks.map((task) => (task._tag === 'Run' ? `  exported.${task.name}();\n` : ''));
  const fill = inputs.map(
    (port) => `  fill(${JSON.stringify(port.name)}, ${viewOf(port)}, given);\n`,
  );
  const read = results.map(
    (port) => `    ${JSON.stringify(port.name)}: ${viewOf(port)}.slice(),\n`,
  );
  return `/** The model ${JSON.stringify(name)} as WebAssembly, compiled by Baton. */

const load = async () => {
  const url = new URL(${JSON.stringify(`./${name}.bin`)}, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(\`\${url} cannot be loaded: \${response.status}\`);
  return new Uint8Array(await response.arrayBuffer());
};

const code = Uint8Array.from(atob('${base64(code ?? new Uint8Array(0))}'), (c) => c.charCodeAt(0));
const memory = new WebAssembly.Memory({ initial: ${Math.ceil(bytes / PAGE_BYTES)} });
const [weights, exported] = await Promise.all([
  load(),
  ${code === undefined ? '{}' : `WebAssembly.instantiate(code, { ${module}: { ${memory}: memory } }).then(({ instance }) => instance.exports)`},
]);
new Uint8Array(memory.buffer).set(weights, ${ALIGNMENT});

const fill = (name, place, given) => {
  const value = given[name];
  if (value?.constructor !== place.constructor || value.length !== place.length) {
    throw new TypeError(\`\${name} expects a \${place.constructor.name} of \${place.length} elements\`);
  }
  place.set(value);
};

/** The shapes of the inputs and outputs. */
export const shapes = ${JSON.stringify(shapesOf([...inputs, ...results]))};

/** Runs the model. The arrays of the result are new. */
export const run = (given) => {
${fill.join('')}${calls.join('')}  return {
${read.join('')}  };
};
`;
}

const viewOf = ({ type, address, shape }: Port): string =>
  `new ${type}(memory.buffer, ${address}, ${shapeSize(shape)})`;

const shapesOf = (ports: ReadonlyArray<Port>): Readonly<Record<string, ReadonlyArray<number>>> =>
  Object.fromEntries(ports.map(({ name, shape }) => [name, shape]));

/** The declarations of the module. */
function types(name: string, inputs: ReadonlyArray<Port>, results: ReadonlyArray<Port>): string {
  const fields = (ports: ReadonlyArray<Port>): string =>
    ports
      .map(
        ({ name: own, type, shape }) =>
          `  /** (${shape.join(', ')}) */\n  readonly ${JSON.stringify(own)}: ${type};\n`,
      )
      .join('');
  return `/** The model ${JSON.stringify(name)} as WebAssembly, compiled by Baton. */

/** The inputs, dense and row-major. */
export interface Inputs {
${fields(inputs)}}

/** The outputs, dense and row-major. */
export interface Outputs {
${fields(results)}}

/** The shapes of the inputs and outputs. */
export declare const shapes: Readonly<Record<keyof Inputs | keyof Outputs, ReadonlyArray<number>>>;

/** Runs the model. The arrays of the result are new. */
export declare const run: (given: Inputs) => Outputs;
`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes in base 64: no host that this runs on need have it built in. */
function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const word = (a << 16) | (b << 8) | c;
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(word >> shift) & 63]).join('');
    const missing = Math.max(0, i + 3 - bytes.length);
    parts.push(digits.slice(0, 4 - missing) + '='.repeat(missing));
  }
  return parts.join('');
}
