/** The common state of a run's rules. */
import type { Expr, Func, IRModule, TypeVar } from '@baton/ir';
import type { Meter } from '../limits.ts';
import { type CheckedValue, checkDimensions, statesSizes } from '../values/dimensions.ts';
import type { Closure, Value } from '../values/value.ts';
import type { Sharing } from './sharing.ts';

export interface Run {
  readonly m: IRModule;
  readonly meter: Meter;
  readonly globals: (name: string) => Closure | undefined;
  readonly sharingIn: (func: Func) => Sharing;
  /** The number of open calls around the current one. */
  depth: number;
  /** Ends an inner call. */
  readonly leave: () => void;
}

/** ρ of the reference: an activation of a function. */
export interface Frame {
  readonly sharing: Sharing;
  readonly func: Func;
  /** The activation that made the function. */
  readonly outer: Frame | undefined;
  /** The values of variables, and of computed shared nodes. */
  readonly values: Map<Expr, Value>;
  readonly sizes: Map<TypeVar, number>;
}

export type Claim = Omit<CheckedValue, 'operand'> & { readonly value: Value };

/** Compares sizes with types (decision [D8](https://batonjs.github.io/baton/spec/decisions#D8)). */
export function checkSizes(claims: ReadonlyArray<Claim>, sizes: Map<TypeVar, number>): void {
  const stated = claims.filter(({ type }) => statesSizes(type));
  if (stated.length === 0) return;
  const values = stated.map((claim, operand) => ({ ...claim, operand }));
  checkDimensions(values, sizes, (i) => stated[i]?.value as Value);
}
