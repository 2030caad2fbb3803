/** Relations that wait for the solver. */
import type { Expr } from '../expr/expr.ts';
import type { TypeRelation } from '../types/type.ts';
import type { Givens } from './givens.ts';
import type { Where } from './where.ts';

/** The place for which the solver works at the moment. */
export interface Place {
  /** The node whose type is being found. */
  readonly owner: Expr | undefined;
  readonly givens: Givens | undefined;
  /** The level of holes that arise here. */
  readonly level: number;
}

/** A relation that waits for its inputs. */
export interface Pending {
  readonly relation: TypeRelation;
  place: Place;
  readonly span: Where;
  /** Tries to solve it: `false` to wait on. */
  readonly attempt: () => boolean;
  /** An equation of dimensions: it can wait, but it is no constraint that a type could state. */
  readonly isEquation: boolean;
  queued: boolean;
  done: boolean;
}
