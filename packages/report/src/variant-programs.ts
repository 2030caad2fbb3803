/** Builds the program of a variant, and selects its executor. */
import { andThen, type Limits, right } from '@baton/base';
import {
  type Arguments,
  type Executor,
  type IRModule,
  makeWasm,
  optimize,
  type Result,
  runPass,
  wasm,
} from 'batonjs';
import { searched } from './engines.ts';
import { fuse } from './fuse.ts';
import { quantizedFor } from './quantized.ts';
import { LEVELS, type VariantName, variantAt } from './variants.ts';

/** A typed program and its inputs: quantized values are bounded by a run on them. */
export interface Runnable {
  readonly module: IRModule;
  readonly inputs: Arguments;
  readonly executor: Executor;
  readonly limits?: Limits;
}

export function programOf(name: VariantName, { module: m, ...given }: Runnable): Result<IRModule> {
  if (name === 'search') {
    return andThen(programOf('level3', { module: m, ...given }), (best) =>
      searched(best, given.limits),
    );
  }
  if (name === 'quantized') {
    return andThen(programOf('level3', { module: m, ...given }), (module) =>
      quantizedProgram({ module, ...given }),
    );
  }
  const level = LEVELS.find((one) => variantAt(one) === name);
  if (level === undefined) return right(m);
  const { limits = {} } = given;
  return andThen(runPass(optimize({ level }), { limits })(m), ({ module }) => right(module));
}

/** A program of level 3 with products in integers, optimized again. */
export const quantizedProgram = ({ module: best, ...given }: Runnable): Result<IRModule> =>
  andThen(quantizedFor(best, given.inputs, given), (module) =>
    programOf('level3', { module, ...given }),
  );

/** The program of a variant as it runs, from its program before fusion. */
export const fusedFor = (name: VariantName, m: IRModule, limits: Limits = {}): Result<IRModule> =>
  name === 'unfused' ? right(m) : andThen(fuse(m, { limits }), ({ module }) => right(module));

/**
 * The executor of a variant. Compiled code fuses on its own what one kernel can compute; for
 * `unfused` it keeps one kernel per call.
 */
export const executorFor = (name: VariantName, executor: Executor): Executor =>
  name === 'unfused' && executor.name === wasm.name ? makeWasm({ fusion: 'groups' }) : executor;
