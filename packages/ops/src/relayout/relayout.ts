/**
 * The passage of another layout through an operator, stated once for each operator as a rule:
 * [passes §28](https://batonjs.github.io/baton/spec/passes#28).
 *
 * A tensor that was in the layout `from` may come in the layout `to`. The rule says in which layouts
 * the operator then takes its arguments and gives its results, and what its attributes become.
 */
import { type Attrs, type Column, defineColumn, type Type } from '@baton/ir';

/** A tensor's layout, before and now. */
export interface Relayed {
  readonly from: string;
  readonly to: string;
}

/** The facts about a call for a rule. Tensors of tuples are listed one by one. */
export interface RelayoutSite {
  readonly args: ReadonlyArray<Type>;
  readonly results: ReadonlyArray<Type>;
  /** The layouts in which arguments come; `undefined` for those that come as they were. */
  readonly inputs: ReadonlyArray<Relayed | undefined>;
  readonly attrs: Attrs;
  /** The attributes with the layouts that the call shall have; `undefined` if it may choose. */
  readonly wanted: Attrs | undefined;
}

/** The call in other layouts. */
export interface Relayout {
  /** The layouts of the arguments; `undefined` for those that are taken as they were. */
  readonly inputs: ReadonlyArray<Relayed | undefined>;
  readonly outputs: ReadonlyArray<Relayed | undefined>;
  readonly attrs: Attrs;
}

/** `undefined` if the call takes its arguments only as they were. */
export type RelayoutRule = (site: RelayoutSite) => Relayout | undefined;

/** The attributes of an operator that name layouts. */
export interface LayoutAttributes {
  /** The layouts of the data, then those of weights and results. */
  readonly names: ReadonlyArray<string>;
  /** The weight's layout that goes with a layout of the data; absent if there is no weight. */
  readonly partner?: (data: string, attrs: Attrs, args: ReadonlyArray<Type>) => string | undefined;
}

/** What an operator has to do with layouts. */
export interface LayoutFacts {
  /** How another layout passes through the operator; absent if it does not. */
  readonly rule?: RelayoutRule;
  /** The attributes of the operator that name layouts; absent if it has none. */
  readonly attributes?: LayoutAttributes;
}

/** How an operator takes layouts; absent if it takes only one. */
export const layoutColumn: Column<LayoutFacts> = defineColumn('layout');
