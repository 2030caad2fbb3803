/** Which kind of box an operator is drawn as. */
import { fusionColumn } from '@baton/ops';
import type { OpTable } from 'batonjs';
import { KINDS } from '../page/kinds.ts';

/** The position of a kind in the legend. */
export const kindNumber = (name: string): number => KINDS.findIndex((k) => k.name === name);

/** The kind of an operator, by its name and by how it may be fused. */
export function kindOfOperator(op: string, ops: OpTable): number {
  if (/norm|softmax/.test(op)) return kindNumber('norm');
  if (op.includes('pool')) return kindNumber('pool');
  switch (ops.read(fusionColumn, op)) {
    case 'out_elemwise_fusable':
      return kindNumber('product');
    case 'comm_reduce':
      return kindNumber('pool');
    case 'elemwise':
    case 'broadcast':
      return kindNumber(MOVES.test(op) ? 'move' : 'element');
    case 'injective':
    case 'tuple':
      return kindNumber('move');
    default:
      return kindNumber('other');
  }
}

/** Elementwise or broadcast by how they fuse, but they compute nothing. */
const MOVES = /reshape|broadcast_to|expand_dims|squeeze|flatten|copy/;
