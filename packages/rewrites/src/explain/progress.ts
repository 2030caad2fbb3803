/** How far a pattern matches an expression, and the first part that does not. */
import { type Attrs, type Expr, type IRModule, noAttrs } from '@baton/ir';
import {
  type CallPattern,
  isOpCall,
  type OpCall,
  type Pattern,
  partsOf,
  subpatterns,
  withParts,
} from '@baton/ops';
import { printType } from '@baton/text';
import { matches } from '../greedy/match.ts';
import { type Bindings, emptyBindings, matchAttrs } from '../match/bindings.ts';
import { constantOf } from '../rule/matched-value.ts';

/** How far a pattern matches. */
export interface Progress {
  /** The parts that fit before the first that does not, and all parts. */
  readonly fits: number;
  readonly parts: number;
  readonly stop: Stop | undefined;
  readonly bindings: Bindings;
}

/** The first part that does not fit. */
export interface Stop {
  readonly expr: Expr;
  readonly reason: string;
  /** Whether it is a call of the right operator. */
  readonly isNear: boolean;
}

/** Matches the parts of a pattern one by one, from the top and from left to right. */
export function progressOf(root: Pattern, at: Expr, m: IRModule): Progress {
  const parts = subpatterns(root).length;
  const bindings = emptyBindings<Expr>();
  const pending: (readonly [Pattern, Expr])[] = [[root, at]];
  let fits = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [p, expr] = next;
    if (!matchesAlone(p, expr, bindings, m)) {
      const isNear = p._tag === 'Call' && isCallLike(p, expr);
      return { fits, parts, stop: { expr, reason: reasonOf(p, expr, bindings), isNear }, bindings };
    }
    fits++;
    const below = operandsOf(expr);
    const inner = partsOf(p).map((part, i) => [part, below[i] as Expr] as const);
    pending.push(...inner.reverse());
  }
  return { fits, parts, stop: undefined, bindings };
}

/** Whether the top of a pattern matches, whatever is below it. */
function matchesAlone(p: Pattern, expr: Expr, bindings: Bindings, m: IRModule): boolean {
  if (partsOf(p).length === 0) return matches(p, expr, bindings, m);
  const open = partsOf(p).map((_, i): Pattern => ({ _tag: 'Hole', name: `part ${i}` }));
  return matches(withParts(p, open), expr, { ...bindings, terms: new Map() }, m);
}

const operandsOf = (expr: Expr): ReadonlyArray<Expr> => {
  if (expr._tag === 'Call') return expr.args;
  if (expr._tag === 'Tuple') return expr.fields;
  return expr._tag === 'TupleGetItem' ? [expr.tuple] : [];
};

function reasonOf(p: Pattern, expr: Expr, bindings: Bindings): string {
  const found = describeExpr(expr);
  switch (p._tag) {
    case 'Hole':
      return `?${p.name} stands for another expression already, found ${found}`;
    case 'Number':
      return `expected ${p.value}${p.dtype === undefined ? '' : ` of ${p.dtype}`}, found ${found}`;
    case 'Tuple':
      return `expected a tuple of ${p.fields.length} fields, found ${found}`;
    case 'Field':
      return `expected field ${p.index} of a tuple, found ${found}`;
    case 'Call':
      return isCallLike(p, expr)
        ? attributeOf(p, expr.attrs ?? noAttrs, bindings)
        : `expected a call of ${p.op}, found ${found}`;
    case 'Composite':
      return 'no left side has a kernel';
  }
}

const isCallLike = (p: CallPattern, expr: Expr): expr is OpCall =>
  isOpCall(expr) && expr.op.name === p.op && expr.args.length === p.args.length;

/** The attribute that does not fit. */
function attributeOf(p: CallPattern, attrs: Attrs, bindings: Bindings): string {
  const fits = (own: CallPattern): boolean =>
    matchAttrs(own, attrs, { ...bindings, attrs: new Map(bindings.attrs) });
  const wrong = [...p.attrs].find(
    (attr) => !fits({ ...p, attrs: new Map([attr]), rest: undefined }),
  );
  if (wrong !== undefined) {
    return `${p.op} has ${wrong[0]}=${JSON.stringify(attrs[wrong[0]])}, which does not fit`;
  }
  if (p.rest !== undefined && !fits(p)) return `?${p.rest} stands for other attributes already`;
  return `the type of this call of ${p.op} is decided by callers of the function`;
}

/** An expression in a few words. */
export function describeExpr(expr: Expr): string {
  if (isOpCall(expr)) return `a call of ${expr.op.name}`;
  const data = constantOf(expr);
  if (data !== undefined) return `a constant ${data.dtype}(${data.shape.join(', ')})`;
  if (expr._tag !== 'Var') return `a ${expr._tag}`;
  const type = expr.typeAnnotation;
  return `%${expr.nameHint}${type === undefined ? '' : `: ${printType(type)}`}`;
}
