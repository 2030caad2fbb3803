/** The functions that make up calls of an operator. */
import { type Column, defineColumn, type OpInfo } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import type { DTypeClass } from '../generate/dtypes.ts';
import type { TensorValue, Value } from '../generate/value.ts';

export type Sampler = (b: Builder, op: OpInfo) => Value;

/** Samplers by the name of an operator; operators whose calls look alike share one. */
export type Samplers = Readonly<Record<string, Sampler>>;

/** Samplers of operators, for tables that bring their own. */
export const samplerColumn: Column<Sampler> = defineColumn('sampler');

/** A tensor with something along each axis; a new one has the first of these sizes. */
export const filledOperand = (
  b: Builder,
  rank: readonly [min: number, max: number],
  sizes: ReadonlyArray<number>,
  kind: DTypeClass = 'float',
): TensorValue =>
  b.operand({
    kind,
    rank,
    fits: (shape) => !shape.includes(0),
    fresh: () => sizes.slice(0, b.random.int(rank[0], Math.min(rank[1], sizes.length))),
  });
