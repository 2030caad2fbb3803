/** Builds what a pattern represents once its holes are filled. */
import type { Span } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  constant,
  type Expr,
  noAttrs,
  type OpTable,
  tuple,
} from '@baton/ir';
import { type DType, scalar } from '@baton/tensor';
import { callOp, fieldOf } from '../build.ts';
import type { Formula } from './formula.ts';
import { type CallPattern, isAttrHole, type Pattern } from './pattern.ts';

/** The results for the parts of a pattern: expressions, types, values, nodes of another format. */
export interface PatternBuilder<E> {
  readonly term: (hole: string) => E;
  readonly attrs: ReadonlyMap<string, AttrValue | Attrs>;
  /** A literal; without a dtype it has that of the result. */
  readonly number: (value: number, dtype: DType | undefined) => E;
  readonly call: (op: string, args: ReadonlyArray<E>, attrs: Attrs, span: Span | undefined) => E;
  readonly tuple: (fields: ReadonlyArray<E>) => E;
  readonly field: (tuple: E, index: number) => E;
}

/** Builds a pattern bottom-up. A part that the text binds by `%0 = …;` is built once. */
export function buildPattern<E>(pattern: Pattern, builder: PatternBuilder<E>): E {
  const made = new Map<Pattern, E>();
  const build = (p: Pattern): E => {
    const known = made.get(p);
    if (known !== undefined) return known;
    const value = buildHead(p, build, builder);
    made.set(p, value);
    return value;
  };
  return build(pattern);
}

function buildHead<E>(p: Pattern, build: (part: Pattern) => E, builder: PatternBuilder<E>): E {
  switch (p._tag) {
    case 'Hole':
      return builder.term(p.name);
    case 'Number':
      return builder.number(p.value, p.dtype);
    case 'Call':
      return builder.call(p.op, p.args.map(build), attrsFor(p, builder.attrs), p.span);
    case 'Tuple':
      return builder.tuple(p.fields.map(build));
    case 'Field':
      return builder.field(build(p.tuple), p.index);
    case 'Composite':
      return build(p.body);
  }
}

export function attrsFor(p: CallPattern, bound: ReadonlyMap<string, AttrValue | Attrs>): Attrs {
  const rest = p.rest === undefined ? noAttrs : (bound.get(p.rest) as Attrs);
  if (p.attrs.size === 0) return rest;
  const own = [...p.attrs].map(([name, value]) => [
    name,
    isAttrHole(value) ? bound.get(value.name) : value,
  ]);
  return { ...rest, ...Object.fromEntries(own) };
}

export interface InstantiateOptions {
  /** The dtype of literals without one. @defaultValue float32 */
  readonly dtype?: DType;
  readonly span?: Span | undefined;
}

/**
 * The expression of a formula with these arguments, by the names of its holes. A hole for an
 * expression that is not among the arguments is the scalar of the attribute of that name.
 *
 * **Errors** throws those of {@link callOp}, and of the formula's text.
 */
export function instantiate<H extends string, A extends string, B extends string>(
  ops: OpTable,
  formula: Formula<H>,
  args: Readonly<Record<A, Expr>>,
  attrs: Readonly<Record<B, AttrValue | Attrs>> & Missing<Exclude<H, A | B>>,
  { dtype = 'float32', span }: InstantiateOptions = {},
): Expr {
  const terms = new Map<string, Expr>(Object.entries(args));
  const bound = new Map<string, AttrValue | Attrs>(Object.entries(attrs));
  const number = (value: number, own: DType = dtype): Expr => constant(scalar(value, own), span);
  return buildPattern<Expr>(formula.pattern, {
    term: (hole) => terms.get(hole) ?? number(Number(bound.get(hole))),
    attrs: bound,
    number,
    call: (op, parts, given) => callOp(ops, op, parts, given, span),
    tuple: (fields) => tuple(fields, span),
    field: (of, index) => fieldOf(of, index, span),
  });
}

/** Accepts everything if no hole is missing; else nothing, and names the hole. */
export type Missing<H extends string> = [H] extends [never] ? unknown : { readonly unbound: H };
