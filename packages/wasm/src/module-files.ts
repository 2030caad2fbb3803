/** A model as an ES module of its own, which depends on nothing. */

import {
  type Diagnostic,
  fail,
  invariant,
  isLeft,
  present,
  type Result,
  right,
  stoppedByHost,
} from '@baton/base';
import type { Func, IRModule } from '@baton/ir';
import { type Window, windowsIn } from '@baton/lower';
import { dtypeInfo, isCoded, shapeSize, storageOf } from '@baton/tensor';
import { type Compiled, compileRegion, MOST_MEMORY, runsOf } from './compile.ts';
import * as diagnostics from './diagnostics.ts';
import { makeModule } from './emit/index.ts';
import type { SimdLevel } from './level.ts';
import { type InferenceLimits, mainRegion } from './main-region.ts';
import { type ModuleParts, moduleText, type Port, typesText } from './module-text.ts';
import { type WeightBits, weightsOf } from './module-weights.ts';

/** Options of {@link compileToModule}. */
export interface ModuleOptions {
  /** The name of the files, without their endings. */
  readonly name: string;
  /**
   * The vector instructions that the code uses: the module has code for each level, and runs the
   * best that its host knows.
   * @defaultValue `relaxed` and `simd`, which every browser of today has
   */
  readonly levels?: ReadonlyArray<Exclude<SimdLevel, 'scalar'>>;
  /**
   * The bits of a weight in the file. With 16 each weight is rounded to float16; the model computes
   * with 32 bits all the same.
   * @defaultValue 32
   */
  readonly weightBits?: WeightBits;
  /**
   * Where the weights come from: `beside` the module, which then loads them when it is imported and
   * exports `run`; or `given` to its function `instantiate` as bytes.
   * @defaultValue `beside`
   */
  readonly weights?: 'beside' | 'given';
  /**
   * Whether Winograd's transforms compute convolutions wherever they are faster, as for `makeWasm`. The
   * weights, which are downloaded, take 1.8 to 4 times the bytes.
   * @defaultValue false
   */
  readonly transforms?: boolean;
  /**
   * The names of the results, in order.
   * @defaultValue those that the attribute `output_tensor_names` of `main` states, as of models that
   * came from ONNX; else `output`, or `output0`, `output1`, … for a tuple
   */
  readonly outputs?: ReadonlyArray<string>;
  /** What inference may take, and when the host ends the work: it is asked before each level's code. */
  readonly limits?: InferenceLimits;
}

/** A file of the module. */
export interface ModuleFile {
  readonly path: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

const LEVELS: ReadonlyArray<Exclude<SimdLevel, 'scalar'>> = ['relaxed', 'simd'];

/**
 * `main` as three files: `NAME.mjs` with the code inside and a function `run`, from typed arrays by
 * name to typed arrays by name; `NAME.d.mts`, its types; `NAME.bin`, the weights, which the module
 * loads from its own folder, in Node from the file system and elsewhere by `fetch`. Where there are no
 * vectors of 128 bits, its import fails and says so.
 *
 * **Errors** of `wellFormed` and `inferTypes`; `WASM_NO_DATAFLOW` if `main` is more than dataflow on
 * tensors of known sizes; `WASM_NO_CODE` for each call that has only a reference kernel;
 * `WASM_MEMORY` if it takes more memory than modules have; `LIMIT_TIME` when the host ends it; `WASM_AMBIGUOUS_PORT` for a name of two inputs or two outputs.
 */
export function compileToModule(
  m: IRModule,
  options: ModuleOptions,
): Result<ReadonlyArray<ModuleFile>> {
  const { limits } = options;
  const whole = mainRegion(m, { limits });
  if (isLeft(whole)) return whole;
  const { main, region, m: typed } = whole.right;
  const { name, levels = LEVELS, transforms = false } = options;
  const compiled: { level: (typeof LEVELS)[number]; compiled: Compiled }[] = [];
  for (const level of LEVELS.filter((one) => levels.includes(one))) {
    if (limits?.shouldStop?.() === true) return fail(stoppedByHost('compilation', main.span));
    const target = { level, isExact: false, transforms };
    compiled.push({ level, compiled: compileRegion(region, typed, target) });
  }
  const best = present(compiled[0]);
  const layouts = new Set(compiled.map((one) => layoutOf(one.compiled)));
  invariant(layouts.size === 1, 'levels are alike');
  const { bytes } = best.compiled;
  if (bytes > MOST_MEMORY) return fail(diagnostics.tooMuchMemory(bytes, MOST_MEMORY, main.span));
  const [first, ...more] = withoutCode(best.compiled);
  if (first !== undefined) return fail(first, ...more);
  const codes = compiled.map((one) => ({
    level: one.level,
    code: one.compiled.code ?? makeModule().finish(),
  }));
  const parts = { ...partsOf(best.compiled, main, options), name, codes };
  const clash = clashOf(parts);
  if (clash !== undefined) return fail(diagnostics.ambiguousPort(clash, main.span));
  return right([
    { path: `${name}.mjs`, content: moduleText(parts) },
    { path: `${name}.d.mts`, content: typesText(parts) },
    { path: `${name}.bin`, content: parts.weights.file },
  ]);
}

/**
 * A name of two inputs, or of two outputs; or of an input and an output of other sizes, which `shapes`
 * could not tell apart.
 */
function clashOf({ inputs, results }: Pick<ModuleParts, 'inputs' | 'results'>): string | undefined {
  const twice = (ports: ReadonlyArray<Port>): Port | undefined => {
    const names = new Set<string>();
    return ports.find(({ name }) => names.size === names.add(name).size);
  };
  const sizes = new Map(inputs.map(({ name, shape }) => [name, String(shape)]));
  const isOther = ({ name, shape }: Port): boolean =>
    sizes.has(name) && sizes.get(name) !== String(shape);
  return (twice(inputs) ?? twice(results) ?? results.find(isOther))?.name;
}

/** What the code of all levels must have in common: the tasks, and the places in memory. */
const layoutOf = ({ bytes, tasks, placed }: Compiled): string =>
  [bytes, tasks.length, ...placed.map((place) => [place.address, place.bytes])].join();

/** A problem for each reference kernel, and for a result that is not in the arena. */
function withoutCode({ tasks, lowered }: Compiled): ReadonlyArray<Diagnostic> {
  const problems = tasks.flatMap((task) =>
    task._tag === 'Reference' ? [diagnostics.noCode(task.call.name, task.call.span)] : [],
  );
  const isApart = windowsIn(lowered.result).some(
    ({ buffer }) => lowered.buffers[buffer]?.constant !== undefined,
  );
  return isApart && problems.length === 0 ? [diagnostics.noCode('a constant result')] : problems;
}

/** The parts of a module besides its code. */
function partsOf(
  compiled: Compiled,
  { params, attrs }: Func,
  { weightBits = 32, weights = 'beside', outputs }: ModuleOptions,
): Omit<ModuleParts, 'name' | 'codes'> {
  const { lowered, bytes } = compiled;
  const results = portsOf(windowsIn(lowered.result), 'output', compiled);
  const stated = attrs.output_tensor_names;
  const names =
    outputs ?? (Array.isArray(stated) && stated.length === results.length ? stated : []);
  return {
    runs: runsOf(compiled),
    bytes,
    inputs: lowered.params.flatMap((param, i) =>
      portsOf(windowsIn(param), params[i]?.nameHint ?? `input${i}`, compiled),
    ),
    results: results.map((port, i) => ({ ...port, name: String(names[i] ?? port.name) })),
    weights: weightsOf(compiled, weightBits),
    isLoading: weights === 'beside',
  };
}

function portsOf(
  windows: ReadonlyArray<Window>,
  name: string,
  { addressOf }: Compiled,
): ReadonlyArray<Port> {
  return windows.map((window, i) => ({
    name: windows.length === 1 ? name : `${name}${i}`,
    type: storageOf(window.dtype).name,
    bitsOf: isCoded(window.dtype) ? window.dtype : undefined,
    address: addressOf(window.buffer) + window.offset * dtypeInfo(window.dtype).bytes,
    length: shapeSize(window.shape),
    shape: window.shape,
  }));
}
