/** The counters, permissions, and option types of the passes that make weights sparse. */
import type { OptionTypes } from '@baton/base';
import { type IRModule, typeOf } from '@baton/ir';
import { dtypeOf, type OpCall } from '@baton/ops';
import type { FastMath } from '@baton/pass-manager';
import { isDType, isFloat } from '@baton/tensor';
import type { SparseOptions } from './blocks.ts';

export const SPARSE_TYPES: OptionTypes<SparseOptions> = {
  blockSize: {
    expected: 'the rows and the columns of a block',
    is: (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      value.every((size) => Number.isSafeInteger(size) && size > 0),
  },
  sparsityThreshold: {
    expected: 'a number from 0 to 1',
    is: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  },
};

/** Products with zeros are left out: those with infinities and NaN, too. */
export const SPARSE_NEEDS: ReadonlyArray<FastMath> = ['nsz', 'nnan', 'ninf', 'reassoc'];

/** The reasons to keep a weight. */
export const KEPT_COUNTERS = ['kept: dense weight', 'kept: blocks do not fit'] as const;

/** Whether a product is computed in the floating-point type of its data. */
export function keepsFloat(m: IRModule, { args, attrs }: OpCall): boolean {
  const dtype = dtypeOf(args[0] && typeOf(m, args[0]));
  const stated = attrs.out_dtype;
  const isOwn = stated === '' || stated === null || stated === undefined || stated === dtype;
  return isDType(dtype) && isFloat(dtype) && isOwn;
}
