/** Programs on the compiled executor as users have it, compared with the interpreter bit by bit. */
import { orThrow, type Result } from '@baton/base';
import { type Executor, interpreter, type Value } from '@baton/executor';
import { bind, constant, type Func, type IRModule, inferTypes, irModule } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { type DType, shapeSize, type Tensor, tensor } from '@baton/tensor';
import { elementDifference, leavesOf } from '@baton/testing';
import {
  compileToModule,
  type ModuleFile,
  type ModuleOptions,
  makeWasm,
  type WasmOptions,
} from '@baton/wasm';
import { asTensor, loadModule } from '../../packages/workshop/src/standalone.ts';
import { parse } from './support.ts';

/** The settings that must have equal results. The first is the default. */
export const SETTINGS: Readonly<Record<string, WasmOptions>> = {
  default: {},
  simd: { level: 'simd' },
  exact: { isExact: true },
  groups: { fusion: 'groups' },
};

/** The numbers of an input at an index, by its element type; each input begins at another index. */
export type NumbersOf = (index: number, dtype: DType) => number;

/**
 * Whole numbers between −6 and 6, so that sums of products are exact in any order; every number of an
 * unsigned type is 0 or more.
 */
const small: NumbersOf = (index, dtype) => {
  const number = ((index * 7 + 3) % 13) - 6;
  if (dtype === 'bool') return number > 0 ? 1 : 0;
  return dtype.startsWith('uint') ? Math.abs(number) : number;
};

/** The constants, inputs and settings of a run. */
export interface Given {
  /** Constants for parameters, by name: tensors on any storage. */
  readonly constants?: Readonly<Record<string, Tensor>>;
  /** @defaultValue {@link small} */
  readonly numbers?: NumbersOf;
  readonly settings?: Readonly<Record<string, WasmOptions>>;
}

/** The settings whose results differ from the interpreter's, with the first element that differs. */
export function disagreements(text: string, given: Given = {}): ReadonlyArray<string> {
  const { settings = SETTINGS } = given;
  const m = withConstants(parse(text), given.constants ?? {});
  const inputs = inputsOf(m.functions.get('main') as Func, given.numbers ?? small);
  const wanted = leavesOf(resultOn(interpreter, m, inputs));
  return Object.entries(settings).flatMap(([name, options]) => {
    const found = leavesOf(resultOn(makeWasm(options), m, inputs));
    const at = wanted.findIndex((t, i) => elementDifference(t, found[i] as Tensor) !== undefined);
    if (at < 0) return [];
    return [`${name}: ${elementDifference(wanted[at] as Tensor, found[at] as Tensor)}`];
  });
}

/** How a program as a standalone module differs; an error if there is no code for all of it. */
export async function moduleDisagreement(
  text: string,
  given: Given = {},
): Promise<string | undefined> {
  const m = withConstants(parse(text), given.constants ?? {});
  const inputs = inputsOf(m.functions.get('main') as Func, given.numbers ?? small);
  return moduleDifference(m, inputs, orThrow(compiledModule(m)));
}

/** A program as the files of a standalone module, which is given its weights. */
export const compiledModule = (
  m: IRModule,
  levels: NonNullable<ModuleOptions['levels']> = ['relaxed', 'simd'],
): Result<ReadonlyArray<ModuleFile>> =>
  compileToModule(m, { name: 'model', weights: 'given', levels });

/** How the results of a module's files differ from those of the interpreter. */
export async function moduleDifference(
  m: IRModule,
  inputs: ReadonlyArray<Tensor>,
  files: ReadonlyArray<ModuleFile>,
): Promise<string | undefined> {
  const wanted = leavesOf(resultOn(interpreter, m, inputs));
  const run = await loadModule(files);
  const { params } = m.functions.get('main') as Func;
  const found = run(params.map(({ nameHint }, i) => [nameHint, inputs[i] as Tensor]));
  return found
    .map((output, i) => {
      const expected = wanted[i] as Tensor;
      const value = asTensor(output, expected.dtype);
      return value === undefined
        ? `${output.name} is no ${expected.dtype}`
        : elementDifference(expected, value);
    })
    .find((problem) => problem !== undefined);
}

/** A module in which constants replace some parameters of `main`. */
function withConstants(m: IRModule, constants: Readonly<Record<string, Tensor>>): IRModule {
  const main = m.functions.get('main') as Func;
  const known = main.params.flatMap((param) => {
    const value = constants[param.nameHint];
    return value === undefined ? [] : [[param, constant(value)] as const];
  });
  const bound = known.length === 0 ? main : bind(main, new Map(known));
  return orThrow(inferTypes(irModule({ functions: new Map([['main', bound]]), ops })));
}

/** The inputs of a function of tensors. */
export const inputsOf = (main: Func, numbers: NumbersOf): ReadonlyArray<Tensor> =>
  main.params.map(({ typeAnnotation: type }, param) => {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a known tensor');
    const shape = type.shape as ReadonlyArray<number>;
    const dtype = type.dtype as DType;
    const values = Array.from({ length: shapeSize(shape) }, (_, i) =>
      numbers(i + 5 * param, dtype),
    );
    return tensor(values, shape, dtype);
  });

const resultOn = (executor: Executor, m: IRModule, inputs: ReadonlyArray<Tensor>): Value =>
  orThrow(orThrow(executor.prepare(m)).run(inputs));
