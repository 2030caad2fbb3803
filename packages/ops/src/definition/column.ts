/** The column `definition`: an operator as an expression of simpler ones. */
import { type Attrs, type AttrValue, type Column, defineColumn, type Expr } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { type Formula, formula } from '../pattern/formula.ts';
import type { HoleNames } from '../pattern/names.ts';
import type { DefinitionSite, FactSite } from './site.ts';

/** The value of a computed hole: an attribute, a constant, or no definition of this call. */
export type Computed = AttrValue | Tensor | undefined;

/**
 * A formula of an operator, for all its calls or for those with some attributes. A hole has the name of
 * an input; of an attribute, where it is an attribute's value or a number in the dtype of the first
 * argument; or of a computed value; `attrs=?attrs` hands all attributes on. `H` are the names that are not computed.
 */
export interface FormulaCase<in A = never, out H extends string = string> {
  readonly _tag: 'Formula';
  readonly formula: Formula;
  /** The attributes of the calls that it defines. */
  readonly where: Attrs;
  /** Whether it defines a call with these attributes. */
  readonly when: ((site: FactSite<A>) => boolean) | undefined;
  readonly computed: ReadonlyMap<string, (site: FactSite<A>) => Computed>;
  /** Whether it rounds as the operator does: to the bit. */
  readonly isExact: boolean;
  /** For the compiler. */
  readonly holes?: H;
}

/**
 * Code that makes the expression of a call, where sizes or ranks decide. `undefined` is a call that it does
 * not define.
 */
export interface DefinitionCode<in A> {
  (site: DefinitionSite<A>): Expr | undefined;
  /** Whether it rounds as the operator does: to the bit. */
  readonly isExact?: boolean;
}

/** Code of a definition that rounds as the operator does: to the bit. */
export const exact = <A>(code: DefinitionCode<A>): DefinitionCode<A> =>
  Object.assign((site: DefinitionSite<A>) => code(site), { isExact: true });

/** An operator in simpler ones: the first formula that is for a call, or code. */
export type Definition<A, H extends string = string> =
  | ReadonlyArray<FormulaCase<A, H>>
  | DefinitionCode<A>;

/** The choices of {@link define}. */
export interface DefineOptions<A, L extends string> {
  /** Holes that are computed from what is known of the call. */
  readonly let?: Readonly<Record<L, (site: FactSite<A>) => Computed>>;
  /** The attributes of the calls that the formula defines. @defaultValue all calls */
  readonly where?: Attrs;
  /** Whether it defines a call. @defaultValue every call with these attributes */
  readonly when?: (site: FactSite<A>) => boolean;
  /** Whether it rounds as the operator does: to the bit. @defaultValue false */
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

/** The definition of the operator in simpler ones. */
export const definitionColumn: Column<Definition<Attrs>> = defineColumn('definition');
