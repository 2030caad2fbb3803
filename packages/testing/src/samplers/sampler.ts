/** The functions that make up calls of an operator. */
import { type Column, defineColumn, type OpInfo } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import type { Value } from '../generate/value.ts';

/** Makes a call of an operator, with operands from the builder. */
export type Sampler = (b: Builder, op: OpInfo) => Value;

/** Samplers of operators, for tables that bring their own. */
export const samplerColumn: Column<Sampler> = defineColumn('sampler');
