/** How the program of a variant is made, and what runs it. */
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

/** A typed program, with what it runs on: bounds of quantized numbers are those of a run. */
export interface Runnable {
  readonly module: IRModule;
  readonly inputs: Arguments;
  readonly executor: Executor;
}

/** The program of a variant before fusion. */
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
 * What runs a variant. Compiled code fuses by itself what a kernel can take in: for `unfused` it keeps each
 * call a kernel of its own.
 */
export const executorFor = (name: VariantName, executor: Executor): Executor =>
  name === 'unfused' && executor.name === wasm.name ? makeWasm({ fusion: 'groups' }) : executor;
