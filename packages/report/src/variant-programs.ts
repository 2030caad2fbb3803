/** How the program of a variant is made, and what runs it. */
import { andThen, right } from '@baton/base';
import {
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
import { LEVELS, type VariantName, variantAt } from './variants.ts';

/** The program of a variant before fusion, from the typed program. */
export function programOf(name: VariantName, m: IRModule): Result<IRModule> {
  if (name === 'search') return andThen(programOf('level3', m), searched);
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
