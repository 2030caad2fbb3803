/** A module with other types, constants and attributes, and the same structure. */
import { foldDag, memoFold } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  binders,
  call,
  children,
  clause,
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  irModule,
  letIn,
  match,
  type Pattern,
  postOrderExprs,
  type Type,
  type TypeArg,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';

/** Replacements of the parts; each returns the same object if nothing changes. */
export interface Retyping {
  readonly type: (type: Type) => Type;
  readonly typeArg: (arg: TypeArg) => TypeArg;
  readonly tensor: (t: Tensor) => Tensor;
  readonly attr: (value: AttrValue) => AttrValue;
  /** Whether annotations that inference can find again are dropped. */
  readonly forgetDerived: boolean;
}

/**
 * The module with its parts replaced, without types; the module itself if nothing changed.
 *
 * **Complexity** linear in the module.
 */
export function retype(m: IRModule, change: Retyping): IRModule {
  const retyped = memoFold<Expr, Expr>(children, rebuilder(change, newVars(m, change)));
  let changed = false;
  const functions = new Map<string, Func>();
  for (const [name, f] of m.functions) {
    const next = retyped(f);
    changed ||= next !== f;
    functions.set(name, next._tag === 'Function' ? next : f);
  }
  if (!changed) return m;
  const { typeDefinitions, constructors, ops, attrs } = m;
  return irModule({ functions, typeDefinitions, constructors, ops, attrs });
}

/** The replacement of each variable: a walk reaches uses before binders, so these come first. */
function newVars(m: IRModule, change: Retyping): ReadonlyMap<Var, Var> {
  const vars = new Map<Var, Var>();
  const bind = (v: Var, type: Type | undefined): void => {
    vars.set(v, type === v.typeAnnotation ? v : variable(v.nameHint, type, v.span));
  };
  for (const node of postOrderExprs([...m.functions.values()])) {
    const isDerived = node._tag !== 'Function' && change.forgetDerived;
    for (const v of binders(node)) {
      bind(v, isDerived ? undefined : v.typeAnnotation && change.type(v.typeAnnotation));
    }
  }
  return vars;
}

function rebuilder(
  change: Retyping,
  vars: ReadonlyMap<Var, Var>,
): (node: Expr, get: (child: Expr) => Expr) => Expr {
  const varOf = (v: Var): Var => vars.get(v) ?? v;
  const pattern = foldDag<Pattern, Pattern>(subpatterns, (p, get) => {
    if (p._tag === 'PatternWildcard') return p;
    if (p._tag === 'PatternVar') {
      const next = varOf(p.variable);
      return next === p.variable ? p : { ...p, variable: next };
    }
    const patterns = p.patterns.map(get);
    return sameItems(patterns, p.patterns) ? p : { ...p, patterns };
  });
  return (node, get) => {
    switch (node._tag) {
      case 'Var':
        return varOf(node);
      case 'Constant': {
        const data = change.tensor(node.data);
        return data === node.data ? node : constant(data, node.span);
      }
      case 'Function': {
        const params = node.params.map(varOf);
        const written = node.retType;
        const retType = change.forgetDerived ? undefined : written && change.type(written);
        const body = get(node.body);
        const same = body === node.body && retType === written && sameItems(params, node.params);
        return same ? node : func(params, body, { ...node, retType });
      }
      case 'Let': {
        const binder = varOf(node.variable);
        const [value, body] = [get(node.value), get(node.body)];
        const same = binder === node.variable && value === node.value && body === node.body;
        return same ? node : letIn(binder, value, body, node.span);
      }
      case 'Match': {
        const data = get(node.data);
        const clauses = node.clauses.map((c) => clause(pattern(c.pattern), get(c.body)));
        const same = clauses.every(
          (c, i) => c.pattern === node.clauses[i]?.pattern && c.body === node.clauses[i]?.body,
        );
        return same && data === node.data ? node : match(data, clauses, node.complete, node.span);
      }
      case 'Call': {
        const next = withChildren(node, children(node).map(get));
        const attrs = node.attrs && changedAttrs(node.attrs, change.attr);
        const typeArgs = node.typeArgs.map(change.typeArg);
        if (next._tag !== 'Call') return next;
        if (attrs === node.attrs && sameItems(typeArgs, node.typeArgs)) return next;
        return call(next.op, next.args, { ...next, attrs, typeArgs });
      }
      default:
        return withChildren(node, children(node).map(get));
    }
  };
}

function changedAttrs(attrs: Attrs, change: (value: AttrValue) => AttrValue): Attrs {
  const entries = Object.entries(attrs);
  const next = entries.map(([name, value]) => [name, change(value)] as const);
  return next.every(([, value], i) => value === entries[i]?.[1]) ? attrs : Object.fromEntries(next);
}

const sameItems = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>): boolean =>
  a.every((item, i) => item === b[i]);

const subpatterns = (pattern: Pattern): ReadonlyArray<Pattern> =>
  'patterns' in pattern ? pattern.patterns : [];
