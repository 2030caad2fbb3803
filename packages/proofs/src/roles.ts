/** What the arguments of operators on quantized integers stand for. */
import type { OpTable } from '@baton/ir';
import { type ExampleArg, examplesColumn } from '@baton/ops';
import type { DType } from '@baton/tensor';

/** Data, or the scale or zero point of data. */
export type Role = 'data' | 'scale' | 'point';

const ROLES: ReadonlyArray<readonly [RegExp, Role]> = [
  [/(^|_)scales?$/, 'scale'],
  [/(^|_)zero_points?$/, 'point'],
];

/**
 * The role of each argument of an operator, by the names of its inputs; `undefined` for an operator
 * without zero points.
 */
export function rolesOf(ops: OpTable, op: string): ReadonlyArray<Role> | undefined {
  const roles = (ops.get(op)?.inputs ?? []).map(
    ({ name }) => ROLES.find(([ending]) => ending.test(name))?.[1] ?? 'data',
  );
  return roles.includes('point') ? roles : undefined;
}

/** The element type and the rank of a tensor. */
export interface Kind {
  readonly dtype: DType;
  readonly rank: number;
}

/** The element types and ranks that an argument has in the examples of its operator. */
export const kindsIn = (ops: OpTable, op: string, index: number): ReadonlyArray<Kind> =>
  (ops.read(examplesColumn, op) ?? []).flatMap(({ args }) => {
    const all: ReadonlyArray<ExampleArg | undefined> = [args[index]].flat();
    return all.flatMap((arg) =>
      arg !== undefined && 'dtype' in arg && Array.isArray(arg.shape)
        ? [{ dtype: arg.dtype as DType, rank: arg.shape.length }]
        : [],
    );
  });
