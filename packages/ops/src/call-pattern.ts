/** The patterns of random calls; `@baton/testing` implements each under its name. */
import { type Column, defineColumn } from '@baton/ir';
import type { SpatialRank } from './layout/spatial.ts';

export type ElementwisePattern =
  | 'between two bounds'
  | 'to another dtype'
  | 'chosen by a condition'
  | 'with a slope'
  | 'division of floats'
  | 'division'
  | 'to small powers'
  | 'by a few bits'
  | 'along one axis';

export type MovementPattern =
  | 'axes in another order'
  | 'in another shape'
  | 'with new axes'
  | 'without axes of size 1'
  | 'joined along an axis'
  | 'cut along an axis'
  | 'every few elements'
  | 'as a matrix';

export type ProductPattern = 'a matrix product' | 'a product of batches';

export type OrderingPattern =
  | 'places of what is not 0'
  | 'without repetition'
  | 'without empty rows'
  | 'in order'
  | 'the first few in order'
  | 'running along an axis'
  | 'places in a sequence'
  | 'about a mean';

export type CreationPattern =
  | 'filled'
  | 'filled like another'
  | 'spread to a shape'
  | 'spread like another'
  | 'tiled'
  | 'each element again'
  | 'turned round'
  | 'on a new axis'
  | 'in the shape of another'
  | 'summed like another'
  | 'summed to a shape'
  | 'in the dtype of another'
  | 'cut like another'
  | 'a triangle'
  | 'in a shape of the run'
  | 'spread to a shape of the run'
  | 'filled to a shape of the run'
  | 'every few elements of the run'
  | 'in another layout'
  | 'random numbers';

export type ImagePattern =
  | 'a whole image'
  | 'padded'
  | 'padded by mirrors'
  | 'enlarged'
  | 'blocks into channels'
  | 'channels into blocks';

export type IndexingPattern =
  | 'taken along an axis'
  | 'gathered along an axis'
  | 'gathered at points'
  | 'scattered along an axis'
  | 'one for each index'
  | 'turned round by lengths'
  | 'masked by lengths';

export type ChannelPattern =
  | 'normalized by statistics'
  | 'normalized by itself'
  | 'images normalized by themselves'
  | 'normalized in groups'
  | 'normalized by length'
  | 'normalized among channels'
  | 'a vector along an axis'
  | 'with a rate';

export type PlainPattern =
  | ChannelPattern
  | CreationPattern
  | ElementwisePattern
  | ImagePattern
  | IndexingPattern
  | MovementPattern
  | OrderingPattern
  | ProductPattern;

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

/** The pattern of a random call, beyond the definition of its operator and its examples. */
export type SampledPattern = PlainPattern | ConvolutionPattern | PoolPattern | SizePattern;

export interface Sampling {
  /** Absent if the operator's form or its examples suffice. */
  readonly pattern?: SampledPattern;
  /** Whether models use the operator often. */
  readonly isCommon?: boolean;
}

export const samplingColumn: Column<Sampling> = defineColumn('sampling');
