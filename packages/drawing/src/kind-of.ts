/** The kind of card of each operator. */

import type { OpTable } from '@baton/ir';
import { kindColumn, type OpKind } from '@baton/ops';
import { KINDS } from './kinds.ts';

export const kindNumber = (name: string): number => KINDS.findIndex((k) => k.name === name);

/** By the kind of the operator's work. */
export const kindOfOperator = (op: string, ops: OpTable): number =>
  kindNumber(BOXES[ops.read(kindColumn, op) ?? 'other']);

const BOXES: Readonly<Record<OpKind, string>> = {
  elementwise: 'element',
  movement: 'move',
  normalization: 'norm',
  other: 'other',
  product: 'product',
  reduction: 'pool',
};
