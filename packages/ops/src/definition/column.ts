/** The column `definition`: an operator as an expression of simpler ones. */
import { type Attrs, type AttrValue, type Column, defineColumn, type Expr } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { type Formula, formula } from '../pattern/formula.ts';
import type { HoleNames } from '../pattern/names.ts';
import type { DefinitionSite, FactSite } from './site.ts';

/**
 * The value of a computed hole: an attribute or a constant; `undefined` if this call has no
 * definition.
 */
export type Computed = AttrValue | Tensor | undefined;

/**
 * A formula of an operator, for all its calls or for those with some attributes. A hole is named
 * after an input, after an attribute (as an attribute's value, or as a scalar in the dtype of the
 * first argument), or after a computed value; `attrs=?attrs` passes all attributes on. `H` are the
 * names that are not computed.
 */
export interface FormulaCase<in A = never, out H extends string = string> {
  readonly _tag: 'Formula';
  readonly formula: Formula;
  /** Only for calls with these attributes. */
  readonly where: Attrs;
  readonly when: ((site: FactSite<A>) => boolean) | undefined;
  readonly computed: ReadonlyMap<string, (site: FactSite<A>) => Computed>;
  /** Whether its result is bit-identical to the operator's. */
  readonly isExact: boolean;
  /** Carries `H`; never read. */
  readonly holes?: H;
}

/**
 * Builds the expression of a call, for definitions that depend on sizes or ranks; `undefined` for
 * calls that it does not define.
 */
export interface DefinitionCode<in A> {
  (site: DefinitionSite<A>): Expr | undefined;
  readonly isExact?: boolean;
}

/** Marks code whose result is bit-identical to the operator's. */
export const exact = <A>(code: DefinitionCode<A>): DefinitionCode<A> =>
  Object.assign((site: DefinitionSite<A>) => code(site), { isExact: true });

/** The first formula that fits the call, or code. */
export type Definition<A, H extends string = string> =
  | ReadonlyArray<FormulaCase<A, H>>
  | DefinitionCode<A>;

export interface DefineOptions<A, L extends string> {
  readonly let?: Readonly<Record<L, (site: FactSite<A>) => Computed>>;
  /** Only for calls with these attributes. @defaultValue all calls */
  readonly where?: Attrs;
  /** Whether it defines a call. @defaultValue every call with these attributes */
  readonly when?: (site: FactSite<A>) => boolean;
  /** Whether its result is bit-identical to the operator's. @defaultValue false */
  readonly isExact?: boolean;
}

/**
 * A definition as text, in the notation of patterns:
 *
 * ```ts
 * define('?data * sigmoid(?data * ?beta)')
 * define('mean(?data, axis=?axes)', { let: { axes: ({ rank }) => [rank(0) - 1] } })
 * ```
 */
export const define = <const T extends string, const L extends string = never, A = unknown>(
  text: T,
  options: DefineOptions<A, L> = {},
): readonly [FormulaCase<A, Exclude<HoleNames<T>, L>>] => [
  {
    _tag: 'Formula',
    formula: formula(text),
    where: options.where ?? {},
    when: options.when,
    computed: new Map(Object.entries<(site: FactSite<A>) => Computed>(options.let ?? {})),
    isExact: options.isExact ?? false,
  },
];

export const definitionColumn: Column<Definition<Attrs>> = defineColumn('definition');
