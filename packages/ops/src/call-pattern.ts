/** How `@baton/testing` draws random calls of an operator. */
import { type Column, defineColumn } from '@baton/ir';
import type { SpatialRank } from './layout/spatial.ts';

/** A convolution of images. */
export interface ConvolutionPattern {
  readonly as: 'convolution';
  readonly rank: SpatialRank;
  readonly isTransposed: boolean;
}

export interface PoolPattern {
  readonly as: 'pool';
  readonly rank: SpatialRank;
  readonly of: 'max' | 'avg';
}

export interface SizePattern {
  readonly as: 'pool to a size' | 'resize';
  readonly rank: SpatialRank;
}

/** The operator whose calls those of this one look like, by its name, or windows over images. */
export type SampledPattern = string | ConvolutionPattern | PoolPattern | SizePattern;

export interface Sampling {
  /** Absent if the operator's own name, its form or its examples suffice. */
  readonly pattern?: SampledPattern;
  /** Whether models use the operator often. */
  readonly isCommon?: boolean;
}

export const samplingColumn: Column<Sampling> = defineColumn('sampling');
