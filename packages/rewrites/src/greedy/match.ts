/** Matching of patterns against expressions. */
import { type Expr, noAttrs, structuralEqual } from '@baton/ir';
import { isOpCall } from '@baton/ops';
import { type Bindings, emptyBindings, matchAttrs } from '../match/bindings.ts';
import { isFilledWith } from '../match/number.ts';
import type { Pattern } from '../rule/pattern.ts';
import { constantOf } from '../rule/term.ts';

/** The values of the holes if the pattern matches the expression. */
export function matchExpr(p: Pattern, expr: Expr): Bindings | undefined {
  const bindings = emptyBindings<Expr>();
  return matches(p, expr, bindings) ? bindings : undefined;
}

function matches(p: Pattern, expr: Expr, bindings: Bindings): boolean {
  switch (p._tag) {
    case 'Hole': {
      const known = bindings.terms.get(p.name);
      if (known === undefined) bindings.terms.set(p.name, expr);
      return known === undefined || isSame(known, expr);
    }
    case 'Number': {
      const data = constantOf(expr);
      return data !== undefined && isFilledWith(data, p);
    }
    case 'Tuple':
      return (
        expr._tag === 'Tuple' &&
        expr.fields.length === p.fields.length &&
        p.fields.every((field, i) => matches(field, expr.fields[i] as Expr, bindings))
      );
    case 'Field':
      return (
        expr._tag === 'TupleGetItem' &&
        expr.index === p.index &&
        matches(p.tuple, expr.tuple, bindings)
      );
    case 'Call':
      return (
        isOpCall(expr) &&
        expr.op.name === p.op &&
        expr.args.length === p.args.length &&
        matchAttrs(p, expr.attrs ?? noAttrs, bindings) &&
        p.args.every((arg, i) => matches(arg, expr.args[i] as Expr, bindings))
      );
    case 'Composite':
      return false;
  }
}

/** Whether two expressions have the same value wherever both are evaluated. */
const isSame = (a: Expr, b: Expr): boolean =>
  a === b || (a.hash === b.hash && structuralEqual(a, b));
