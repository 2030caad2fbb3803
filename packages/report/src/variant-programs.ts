/** Builds the program of a variant, and selects its executor. */
import { andThen, right } from '@baton/base';
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
}

export function programOf(name: VariantName, { module: m, ...given }: Runnable): Result<IRModule> {
  if (name === 'search') return andThen(programOf('level3', { module: m, ...given }), searched);
  if (name === 'quantized') {
    const { inputs, executor } = given;
    return andThen(programOf('level3', { module: m, ...given }), (best) =>
      andThen(quantizedFor(best, inputs, executor), (module) =>
        programOf('level3', { module, ...given }),
      ),
    );
  }
  const level = LEVELS.find((one) => variantAt(one) === name);
  if (level === undefined) return right(m);
  return andThen(runPass(optimize({ level }))(m), ({ module }) => right(module));
}

/** The program of a variant as it runs, from its program before fusion. */
export const fusedFor = (name: VariantName, m: IRModule): Result<IRModule> =>
  name === 'unfused' ? right(m) : andThen(fuse(m), ({ module }) => right(module));

/**
 * The executor of a variant. Compiled code fuses on its own what one kernel can compute; for
 * `unfused` it keeps one kernel per call.
 */
export const executorFor = (name: VariantName, executor: Executor): Executor =>
  name === 'unfused' && executor.name === wasm.name ? makeWasm({ fusion: 'groups' }) : executor;
