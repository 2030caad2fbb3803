/** A step at one node of a graph. */
import { isStaticDim } from '@baton/ir';
import { shapeSize, toNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import type { DraftNode } from '../graph-builder.ts';

/** What a step makes of a node; `undefined` where it does nothing. */
export type Step = (node: DraftNode, graph: Surroundings) => Made | undefined;

/** Nodes in place of a node, the last with its results; or the tensor that is its result. */
export type Made = ReadonlyArray<DraftNode> | Operand;

export interface Surroundings {
  /** The version of the operator set that is written. */
  readonly opset: number;
  /** The node that makes a tensor, if it stands before in the same graph. */
  readonly maker: (operand: Operand | undefined) => DraftNode | undefined;
  readonly uses: (operand: Operand) => number;
  readonly isUsedOnce: (operand: Operand) => boolean;
}

/** The sizes of a tensor, as far as they are known. */
export const sizesOf = ({ type }: Operand): ReadonlyArray<number | undefined> =>
  '_tag' in type.shape ? [] : type.shape.map((dim) => (isStaticDim(dim) ? dim : undefined));

/** The sizes of a tensor if all are known. */
export function knownSizes(operand: Operand | undefined): ReadonlyArray<number> | undefined {
  if (operand === undefined || '_tag' in operand.type.shape) return undefined;
  const sizes = sizesOf(operand).filter((size) => size !== undefined);
  return sizes.length === operand.type.shape.length ? sizes : undefined;
}

/** The most elements of a constant that a step looks at: axes, sizes, bounds and numbers are short. */
const MAX_NUMBERS = 1024;

/** The elements of a short constant. */
export const numbersOf = (operand: Operand | undefined): ReadonlyArray<number> | undefined =>
  operand?.constant && shapeSize(operand.constant.shape) <= MAX_NUMBERS
    ? Array.from(toNumbers(operand.constant))
    : undefined;

/** The value of an attribute that is a number. */
export function numberAttribute({ attributes }: DraftNode, name: string): number | undefined {
  const value = attributes[name];
  return value?.kind === 'int' || value?.kind === 'float' ? Number(value.value) : undefined;
}

/** The permutation of a transpose. */
export const permOf = ({ attributes: { perm } }: DraftNode): ReadonlyArray<number> | undefined =>
  perm?.kind === 'ints' ? perm.value.map(Number) : undefined;

/** The tensor that a node casts. */
export const sourceOfCast = ({ opType, inputs: [x] }: DraftNode): Operand | undefined =>
  opType === 'Cast' ? x : undefined;
