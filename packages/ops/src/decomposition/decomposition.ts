/** What spells a call out in simpler operators, and what it may look at. */
import type { Span } from '@baton/base';
import type { Attrs, Expr, OpTable, Type } from '@baton/ir';
import { type DType, isDType } from '@baton/tensor';
import { dimsOf, dtypeOf } from '../scale-axis/shape.ts';

/** How a call is spelled out at inference. */
export interface Decomposition {
  /** Whether the expression stands for the result, or for field 0 of a result that is a tuple. */
  readonly of: 'result' | 'first field';
  /** The expression; `undefined` where too little is known. */
  readonly spell: (whole: Whole) => Expr | undefined;
}

/** A call to spell out: its arguments as they have become, and its types as they were. */
export interface Whole {
  readonly ops: OpTable;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Expr>;
  readonly data: DataFacts;
  readonly span: Span | undefined;
}

/** What must be known of the data. */
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

/** The axis of the channels, from 0 up, of data of this rank. */
export function channelAxis({ axis }: Attrs, rank: number): number {
  const given = Number(axis);
  return given < 0 ? given + rank : given;
}
