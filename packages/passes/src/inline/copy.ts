/** Copies of functions that share no binder with the original. */
import { foldDag } from '@baton/base';
import {
  binders,
  call,
  children,
  clause,
  type Expr,
  type Func,
  func,
  ifElse,
  letIn,
  match,
  type Pattern,
  postOrderExprs,
  refCreate,
  refRead,
  refWrite,
  replaceTypeVars,
  type TypeArg,
  type TypeVar,
  tuple,
  tupleGetItem,
  typeVar,
  type Var,
  varArg,
  variable,
  withArgParts,
  withRelationParts,
} from '@baton/ir';

/** What stands for the free variables and type parameters of what is copied. */
export interface Substitution {
  readonly values: ReadonlyMap<Var, Expr>;
  readonly types: ReadonlyMap<TypeVar, TypeArg>;
}

/** A substitution that changes nothing. */
export const noSubstitution: Substitution = { values: new Map(), types: new Map() };

/**
 * A copy of an expression: every variable and type parameter that it binds is a new one, and so is
 * every node but names and constants; what was shared stays shared within the copy.
 *
 * **Complexity** linear in the nodes.
 */
export function copyExpr(expr: Expr, { values, types }: Substitution): Expr {
  const order = postOrderExprs([expr]);
  const typeParams = new Map<TypeVar, TypeVar>();
  for (const node of order) {
    if (node._tag !== 'Function') continue;
    for (const v of node.typeParams) typeParams.set(v, typeVar(v.nameHint, v.kind));
  }
  const typed = replaceTypeVars(
    new Map([...types, ...[...typeParams].map(([v, made]) => [v, varArg(made)] as const)]),
  );
  const results = new Map<Expr, Expr>(values);
  const variables = new Map<Var, Var>();
  for (const v of order.flatMap(binders)) {
    const type = v.typeAnnotation;
    const made = variable(v.nameHint, type === undefined ? undefined : typed.type(type), v.span);
    variables.set(v, made);
    results.set(v, made);
  }
  const copyOf = (v: Var): Var => variables.get(v) ?? v;
  const get = (node: Expr): Expr => results.get(node) ?? node;

  const copyNode = (node: Expr): Expr => {
    const next = children(node).map(get);
    const at = (i: number): Expr => next[i] as Expr;
    switch (node._tag) {
      case 'Var':
      case 'GlobalVar':
      case 'Constant':
      case 'Op':
      case 'Constructor':
      case 'TempExpr':
        return get(node);
      case 'Tuple':
        return tuple(next, node.span);
      case 'TupleGetItem':
        return tupleGetItem(at(0), node.index, node.span);
      case 'Function':
        return func(node.params.map(copyOf), at(0), {
          retType: node.retType === undefined ? undefined : typed.type(node.retType),
          typeParams: node.typeParams.map((v) => typeParams.get(v) ?? v),
          attrs: node.attrs,
          constraints: node.constraints.map((c) => withRelationParts(c, typed)),
          span: node.span,
        });
      case 'Call':
        return call(at(node.args.length), next.slice(0, node.args.length), {
          attrs: node.attrs,
          attrsTypeKey: node.attrsTypeKey,
          typeArgs: node.typeArgs.map((arg) => withArgParts(arg, typed)),
          span: node.span,
        });
      case 'Let':
        return letIn(copyOf(node.variable), at(0), at(1), node.span);
      case 'If':
        return ifElse(at(0), at(1), at(2), node.span);
      case 'Match':
        return match(
          at(0),
          node.clauses.map((c, i) => clause(copyPattern(c.pattern, copyOf), at(i + 1))),
          node.complete,
          node.span,
        );
      case 'RefCreate':
        return refCreate(at(0), node.span);
      case 'RefRead':
        return refRead(at(0), node.span);
      case 'RefWrite':
        return refWrite(at(0), at(1), node.span);
    }
  };
  for (const node of order) results.set(node, copyNode(node));
  return get(expr);
}

/** A copy of a function; see {@link copyExpr}. */
export const copyFunction = (f: Func): Func => copyExpr(f, noSubstitution) as Func;

const subPatterns = (pattern: Pattern): ReadonlyArray<Pattern> =>
  'patterns' in pattern ? pattern.patterns : [];

function copyPattern(root: Pattern, copyOf: (v: Var) => Var): Pattern {
  return foldDag<Pattern, Pattern>(subPatterns, (pattern, get) => {
    switch (pattern._tag) {
      case 'PatternWildcard':
        return pattern;
      case 'PatternVar':
        return { _tag: pattern._tag, variable: copyOf(pattern.variable), span: pattern.span };
      case 'PatternConstructor':
        return {
          _tag: pattern._tag,
          ctor: pattern.ctor,
          patterns: pattern.patterns.map(get),
          span: pattern.span,
        };
      case 'PatternTuple':
        return { _tag: pattern._tag, patterns: pattern.patterns.map(get), span: pattern.span };
    }
  })(root);
}
