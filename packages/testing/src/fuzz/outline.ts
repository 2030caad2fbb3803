/** Prepares for Inline: parts of `main` become functions marked `Inline=1`, some unfit for it. */
import { right } from '@baton/base';
import {
  type Attrs,
  binders,
  call,
  children,
  constant,
  type Expr,
  type Func,
  foldExpr,
  freeTypeVars,
  freeVars,
  func,
  globalVar,
  type IRModule,
  ifElse,
  irModule,
  isStateful,
  letIn,
  mapChildren,
  postOrderExprs,
  substitute,
  type TensorType,
  type Type,
  tuple,
  tupleGetItem,
  typeOf,
  typeVar,
  type Var,
  variable,
} from '@baton/ir';
import { type Pass, pass } from '@baton/pass-manager';
import { scalar } from '@baton/tensor';

export const outline: Pass = pass({
  name: 'Outline',
  doc: 'Moves parts of main into functions marked Inline.',
  level: 0,
  run: (m) => right(outlined(m)),
});

/** A function of the program's own is inlined, too: it may be polymorphic, or recursive. */
const marked = (f: Func): Func =>
  func(f.params, f.body, { ...f, attrs: { ...f.attrs, ...INLINE } });

const WAYS = [
  'plain',
  'value',
  'recursive',
  'nested',
  'foreign',
  'effect',
  'closure',
  'polymorphic',
] as const;

/** A way to move a part out. */
type Way = (typeof WAYS)[number];

const INLINE: Attrs = { Inline: 1 };

function outlined(m: IRModule): IRModule {
  const main = m.functions.get('main');
  if (main === undefined) return m;
  const way = WAYS[(main.body.hash >>> 3) % WAYS.length] ?? 'plain';
  const part = partFor(way, m, main);
  if (part === undefined) return m;
  const functions = new Map(
    [...m.functions].map(([name, f]) => [name, name === 'main' ? f : marked(f)] as const),
  );
  const by = calling(m, part, way, functions);
  const body = substitute(main.body, new Map([[part.node, by]]));
  functions.set('main', func(main.params, body, main));
  return irModule({ ...m, functions });
}

function partFor(way: Way, m: IRModule, main: Func): Part | undefined {
  if (way === 'effect') return aroundEffect(m, main);
  const part = middle(m, main);
  if (way !== 'closure' || part === undefined) return part;
  // A computed argument for an inner function that computes with it.
  const operand = children(part.node).find((c) => c._tag === 'Call');
  return { ...part, operand };
}

interface Part {
  readonly node: Expr;
  readonly type: TensorType;
  readonly operand: Expr | undefined;
}

/** A call without effects whose variables are parameters, about the middle of the program. */
function middle(m: IRModule, main: Func): Part | undefined {
  const candidates = parts(m, main).filter(({ node }) => !isStateful(m, node));
  return candidates[Math.floor(candidates.length / 2)];
}

/** A call with a stateful operand, which has to be computed once, before the body. */
function aroundEffect(m: IRModule, main: Func): Part | undefined {
  for (const part of parts(m, main)) {
    if (part.node._tag !== 'Call' || part.node.args.some((a) => a._tag === 'Tuple')) continue;
    const operand = part.node.args.find((arg) => isStateful(m, arg));
    if (operand !== undefined) return { ...part, operand };
  }
  return middle(m, main);
}

/** **Complexity** linear in the program. */
function parts(m: IRModule, main: Func): ReadonlyArray<Part> {
  const isFit = fitNodes(m, main);
  return postOrderExprs([main.body]).flatMap((node): Part[] => {
    const type = typeOf(m, node);
    if (node._tag !== 'Call' || node.op._tag !== 'Op' || type?._tag !== 'TensorType') return [];
    const hasKnownTypes = [node, ...node.args].every((part) => isKnownType(typeOf(m, part)));
    return hasKnownTypes && isFit.get(node) === true ? [{ node, type, operand: undefined }] : [];
  });
}

/** Whether variables of each node are parameters with known types, and it binds none. */
function fitNodes(m: IRModule, main: Func): ReadonlyMap<Expr, boolean> {
  const params = new Set<Expr>(main.params);
  return foldExpr<boolean>(postOrderExprs([main.body]), (node, get) =>
    node._tag === 'Var'
      ? params.has(node) && isKnownType(typeOf(m, node))
      : binders(node).length === 0 && children(node).every((child) => get(child) === true),
  );
}

/** A computed size does not say how it is computed: no call could find its source. */
const isKnownType = (type: Type | undefined): boolean =>
  type !== undefined && freeTypeVars(type).length === 0;

/** The replacement of the part; adds the functions that it calls. */
function calling(
  m: IRModule,
  { node, type, operand }: Part,
  way: Way,
  functions: Map<string, Func>,
): Expr {
  const passed = operand === undefined ? undefined : variable('e', typeOf(m, operand));
  const inner =
    operand === undefined || passed === undefined
      ? node
      : mapChildren(node, (child) => (child === operand ? passed : child));
  const outside = freeVars(inner).filter((v) => v !== passed);
  const params = outside.map((v) => variable(v.nameHint, v.typeAnnotation));
  const body = substitute(inner, new Map(outside.map((v, i): [Var, Expr] => [v, params[i] ?? v])));
  const all = passed === undefined ? params : [...params, passed];
  const args: ReadonlyArray<Expr> = operand === undefined ? outside : [...outside, operand];
  const [name, rest] = [freshName(functions, 'part'), freshName(functions, 'rest')];
  const define = (as: string, parameters: ReadonlyArray<Var>, of: Expr, attrs = INLINE): Expr => {
    functions.set(as, func(parameters, of, { attrs, retType: type }));
    return globalVar(as);
  };
  switch (way) {
    case 'plain':
    case 'effect':
      return call(define(name, all, body), args);
    case 'value': {
      // The function as a field of a tuple.
      const f = define(name, all, body);
      return call(tupleGetItem(tuple([f, f]), 1), args);
    }
    case 'recursive': {
      const again = call(globalVar(name), all);
      const never = constant(scalar(0, 'bool'));
      return call(define(name, all, ifElse(never, again, body)), args);
    }
    case 'nested': {
      const copies = params.map((p) => variable(p.nameHint, p.typeAnnotation));
      define(rest, all, body, {});
      return call(define(name, copies, call(globalVar(rest), copies)), args);
    }
    case 'foreign':
      return call(define(name, all, body, { Inline: 1, Compiler: 'none' }), args);
    case 'polymorphic': {
      // The function as a value of a polymorphic type.
      const t = typeVar('t', 'Type');
      const [v, f] = [variable('v', t), variable('f')];
      functions.set(name, func([v], v, { attrs: INLINE, retType: t, typeParams: [t] }));
      return letIn(f, globalVar(name), call(f, [node]));
    }
    case 'closure': {
      // An argument that an inner function computes with.
      const local = variable('f');
      const shared = func([], body, { retType: type });
      const twice = letIn(local, shared, call(local, []));
      return call(define(name, all, twice), args);
    }
  }
}

/** The module may have been outlined before. */
function freshName(functions: ReadonlyMap<string, Func>, hint: string): string {
  let name = hint;
  for (let i = 1; functions.has(name); i++) name = `${hint}${i}`;
  return name;
}
