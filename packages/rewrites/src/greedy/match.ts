/** Matching of patterns against expressions. */
import { type Expr, type IRModule, noAttrs, structuralEqual } from '@baton/ir';
import { isOpCall, type Pattern } from '@baton/ops';
import { isDecidedByCallers } from '@baton/pass-manager';
import { type Bindings, matchAttrs } from '../match/bindings.ts';
import { isFilledWith } from '../match/number.ts';
import { constantOf } from '../rule/matched-value.ts';

/**
 * Whether the pattern matches the expression with the bindings so far; more are added. A call whose type
 * callers decide matches nothing: the function states its relation, so it has to stay.
 */
export function matches(p: Pattern, expr: Expr, bindings: Bindings, m: IRModule): boolean {
  if (p._tag !== 'Hole') bindings.nodes.push(expr);
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
        p.fields.every((field, i) => matches(field, expr.fields[i] as Expr, bindings, m))
      );
    case 'Field':
      return (
        expr._tag === 'TupleGetItem' &&
        expr.index === p.index &&
        matches(p.tuple, expr.tuple, bindings, m)
      );
    case 'Call':
      return (
        isOpCall(expr) &&
        expr.op.name === p.op &&
        expr.args.length === p.args.length &&
        matchAttrs(p, expr.attrs ?? noAttrs, bindings) &&
        p.args.every((arg, i) => matches(arg, expr.args[i] as Expr, bindings, m)) &&
        !isDecidedByCallers(m, expr)
      );
    case 'Composite':
      return false;
  }
}

/** Whether two expressions have the same value wherever both are evaluated. */
const isSame = (a: Expr, b: Expr): boolean =>
  a === b || (a.hash === b.hash && structuralEqual(a, b));
