/** What compilation makes of a program, as figures. */

import { isLeft, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { printLowered, regionOf } from '@baton/lower';
import { compileRegion, type Target } from './compile.ts';
import { simdLevel } from './level.ts';
import { mainRegion } from './main-region.ts';

/** A kernel of a compiled program. */
export interface KernelFacts {
  /** The operator, or `map` or `fold` for generated code. */
  readonly name: string;
  /** Whether it runs in WebAssembly; else the operator's reference kernel runs. */
  readonly isCompiled: boolean;
}

/** Figures of a compiled program. */
export interface CompiledFacts {
  /** In the order of their runs. */
  readonly kernels: ReadonlyArray<KernelFacts>;
  readonly arenaBytes: number;
  /** The most bytes that live at one time. */
  readonly lowerBoundBytes: number;
  /** Constants, packed as kernels want them. */
  readonly constantBytes: number;
  /** The places in the arena, each for the kernels from one position to another; -1 is the input. */
  readonly blocks: ReadonlyArray<{
    readonly offset: number;
    readonly bytes: number;
    readonly from: number;
    readonly to: number;
  }>;
}

/** The figures of `main`, or `undefined` if it is no plain dataflow or the host has no WebAssembly. */
export function compiledFacts(
  m: IRModule,
  options: Partial<Target> = {},
): CompiledFacts | undefined {
  const { level = simdLevel(), isExact = false } = options;
  const main = m.functions.get('main');
  const region = main && regionOf(main, m, { isExact: isExact || level === undefined });
  if (region === undefined) return undefined;
  const { lowered, plan, bytes } = compileRegion(region, m, { ...options, level, isExact });
  return {
    kernels: lowered.kernels.map((kernel) => {
      if (kernel._tag === 'Reference') return { name: kernel.call.name, isCompiled: false };
      if (kernel._tag === 'Product') return { name: kernel.product.call.name, isCompiled: true };
      return { name: kernel._tag.toLowerCase(), isCompiled: true };
    }),
    arenaBytes: plan.bytes,
    lowerBoundBytes: plan.lowerBound,
    constantBytes: bytes - plan.bytes,
    blocks: plan.blocks,
  };
}

/**
 * What `main` is lowered to, as text: its kernels, how each is computed and where it reads and writes,
 * and the memory that they take; on this host, unless the options state a level.
 *
 * **Errors** of `wellFormed` and `inferTypes`; `WASM_NO_DATAFLOW` if `main` is more than dataflow on
 * tensors of known sizes.
 */
export function loweredText(m: IRModule, options: Partial<Target> = {}): Result<string> {
  const { level = simdLevel(), isExact = false } = options;
  const whole = mainRegion(m, { isExact: isExact || level === undefined });
  if (isLeft(whole)) return whole;
  const { region, m: typed } = whole.right;
  const { lowered, plan, placed } = compileRegion(region, typed, { ...options, level, isExact });
  const constants = placed.reduce((sum, { bytes }) => sum + bytes, 0);
  const memory = `arena of ${plan.bytes} bytes, of which ${plan.lowerBound} live at one time; constants of ${constants} bytes`;
  return right(`${printLowered(lowered)}\n${memory}\n`);
}
