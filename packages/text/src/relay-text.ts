/** TVM's requirements on the attributes of an operator. */
import { type Attrs, type Column, defineColumn } from '@baton/ir';

/** The differences of an operator's call in the text for TVM. */
export interface RelayText {
  /** Attributes to write for TVM whatever their defaults, or in another form. */
  readonly told?: (attrs: Attrs) => Attrs;
  /** TVM's attributes without a meaning here: they are written with these values, and ignored. */
  readonly unset?: Attrs;
  /** TVM's type of the attributes, if its operator does not imply it. */
  readonly record?: string;
}

/** The operators whose calls TVM reads in another form. */
export const relayTextColumn: Column<RelayText> = defineColumn('relay text');
