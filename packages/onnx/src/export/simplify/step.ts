/** A step at one node of a graph. */
import { isStaticDim } from '@baton/ir';
import type { Operand } from '../../node/writer.ts';
import type { DraftNode } from '../draft.ts';

/** The node that stands for a node and others before it; `undefined` where the step does nothing. */
export type Step = (node: DraftNode, graph: Surroundings) => DraftNode | undefined;

export interface Surroundings {
  /** The node that makes a tensor, if it stands before in the same graph. */
  readonly maker: (operand: Operand) => DraftNode | undefined;
  readonly isUsedOnce: (operand: Operand) => boolean;
}

/** The sizes of a tensor, as far as they are known. */
export const sizesOf = ({ type }: Operand): ReadonlyArray<number | undefined> =>
  '_tag' in type.shape ? [] : type.shape.map((dim) => (isStaticDim(dim) ? dim : undefined));
