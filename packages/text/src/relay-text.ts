/** What TVM wants to read of an operator's attributes. */
import { type Attrs, type Column, defineColumn } from '@baton/ir';

/** How the text of an operator's call differs where TVM reads it. */
export interface RelayText {
  /**
   * Attributes as TVM must be told them, whatever their defaults here are: those that it has no
   * default for or another, and those that it wants in another form.
   */
  readonly told?: (attrs: Attrs) => Attrs;
  /** Attributes of TVM that say nothing here: they are written with these values, and read over. */
  readonly unset?: Attrs;
  /** TVM's type of the attributes, where its operator does not tell. */
  readonly record?: string;
}

/** The operators whose calls TVM wants written in another way. */
export const relayTextColumn: Column<RelayText> = defineColumn('relay text');
