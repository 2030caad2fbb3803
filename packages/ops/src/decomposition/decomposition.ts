/** The spelling of a call in simpler operators, and the facts for it. */
import type { Span } from '@baton/base';
import type { Attrs, Expr, OpTable, Type } from '@baton/ir';
import { type DType, isDType } from '@baton/tensor';
import { dimsOf, dtypeOf } from '../scale-axis/shape.ts';

/** The spelling of a call at inference. */
export interface Decomposition {
  /** Whether the expression stands for the result, or for field 0 of a tuple result. */
  readonly of: 'result' | 'first field';
  /** The expression; `undefined` if too little is known. */
  readonly spell: (whole: Whole) => Expr | undefined;
}

/** A call to spell out: its rewritten arguments, and its original types. */
export interface Whole {
  readonly ops: OpTable;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Expr>;
  readonly data: DataFacts;
  readonly span: Span | undefined;
}

/** The required facts about the data. */
export interface DataFacts {
  readonly rank: number;
  readonly dtype: DType;
  /** Each dimension that is a number. */
  readonly dims: ReadonlyArray<number | undefined>;
}

/** The data's facts, or `undefined` while its rank or element type is open. */
export function dataFacts(type: Type | undefined): DataFacts | undefined {
  const dims = dimsOf(type);
  const dtype = dtypeOf(type);
  if (dims === undefined || !isDType(dtype)) return undefined;
  return {
    rank: dims.length,
    dtype,
    dims: dims.map((dim) => (typeof dim === 'number' ? dim : undefined)),
  };
}

/** The axis of the channels of data of this rank, counted from the front. */
export function channelAxis({ axis }: Attrs, rank: number): number {
  const given = Number(axis);
  return given < 0 ? given + rank : given;
}
