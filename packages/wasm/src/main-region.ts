/** `main` as one region, or the reasons why it is none. */
import { fail, failure, isLeft, type Limits, type Result, right } from '@baton/base';
import { type Func, type IRModule, inferTypes, wellFormed } from '@baton/ir';
import { type Region, type RegionOptions, regionOf } from '@baton/lower';
import * as diagnostics from './diagnostics.ts';
import { interpretedParts, isWholeRegion } from './interpreted.ts';

/** The limits of type inference, with the question whether the host ends the work. */
export type InferenceLimits = Pick<Limits, 'typeParts' | 'shouldStop'>;

/** A module with types, and its `main` as a region. */
export interface MainRegion {
  readonly m: IRModule;
  readonly main: Func;
  readonly region: Region;
}

/**
 * `main` as a region.
 *
 * **Errors** of `wellFormed` and `inferTypes`; `WASM_NO_DATAFLOW` if `main` is more than dataflow on
 * tensors of known sizes.
 */
export function mainRegion(
  given: IRModule,
  { limits, ...options }: RegionOptions & { readonly limits?: InferenceLimits | undefined } = {},
): Result<MainRegion> {
  const illFormed = failure(wellFormed(given));
  if (illFormed !== undefined) return illFormed;
  const typed = inferTypes(given, { ...(limits && { limits }) });
  if (isLeft(typed)) return typed;
  const m = typed.right;
  const main = m.functions.get('main');
  const region = main && regionOf(main, m, options);
  if (main !== undefined && region !== undefined) return right({ m, main, region });
  const parts =
    main === undefined ? [] : interpretedParts(m, { isWhole: isWholeRegion(m), leastElements: 0 });
  return fail(diagnostics.noDataflow('main', parts, main?.span));
}
