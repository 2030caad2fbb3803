/**
 * How a change of layout passes through an operator, stated once for each operator as a rule:
 * [passes §28](https://batonjs.github.io/baton/spec/passes#28). An argument in the layout `from`
 * may be passed in the layout `to`. The rule returns the layouts in which the operator then takes
 * its arguments and returns its results, and the new attributes.
 */
import { type Attrs, type Column, defineColumn, type Type } from '@baton/ir';

export interface Relayed {
  readonly from: string;
  readonly to: string;
}

/** The facts about a call that a rule reads. Tensors of tuples are listed one by one. */
export interface RelayoutSite {
  readonly args: ReadonlyArray<Type>;
  readonly results: ReadonlyArray<Type>;
  /** The layouts in which arguments are available; `undefined` for unchanged ones. */
  readonly inputs: ReadonlyArray<Relayed | undefined>;
  readonly attrs: Attrs;
  /** The attributes with the wanted layouts; `undefined` if the call may choose. */
  readonly wanted: Attrs | undefined;
}

export interface Relayout {
  /** The layouts of the arguments; `undefined` for unchanged ones. */
  readonly inputs: ReadonlyArray<Relayed | undefined>;
  readonly outputs: ReadonlyArray<Relayed | undefined>;
  readonly attrs: Attrs;
}

/** `undefined` if the call accepts its arguments only in the old layouts. */
export type RelayoutRule = (site: RelayoutSite) => Relayout | undefined;

export interface LayoutAttributes {
  /** The layouts of the data, then those of weights and results. */
  readonly names: ReadonlyArray<string>;
  /** The weight's layout that matches a layout of the data; absent if there is no weight. */
  readonly partner?: (data: string, attrs: Attrs, args: ReadonlyArray<Type>) => string | undefined;
}

export interface LayoutFacts {
  /** How another layout passes through the operator; absent if it does not. */
  readonly rule?: RelayoutRule;
  readonly attributes?: LayoutAttributes;
}

/** Absent if the operator accepts only one layout. */
export const layoutColumn: Column<LayoutFacts> = defineColumn('layout');
