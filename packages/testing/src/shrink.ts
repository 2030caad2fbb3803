/** Smaller programs like a given one, for shrinking a failing program. */
import { isLeft } from '@baton/base';
import {
  children,
  constant,
  type Expr,
  emptyTypeTable,
  type Func,
  freeVars,
  func,
  type IRModule,
  inferTypes,
  irModule,
  type Let,
  letIn,
  patternVars,
  postOrderExprs,
  rewriteExpr,
  type Step,
  substitute,
  type TensorType,
  type Type,
  tuple,
  typeEqual,
  typeOf,
  type Var,
  variable,
  wellFormed,
  withFunctions,
} from '@baton/ir';
import { staticTensor } from '@baton/ops';
import { isFloat, splat } from '@baton/tensor';

/**
 * Well-typed modules that are smaller than `m` in one respect, in the order of trying: parts of the
 * program first, then the program without a part.
 *
 * - without a function other than `main`, or with its calls replaced by its body;
 * - with a part of the result as the result;
 * - with a part of the program replaced by a parameter, or by a smaller part of the same type;
 * - with a branch in place of an `if`, and values in place of variables.
 *
 * **Complexity** each candidate is linear in the program.
 */
export function* smallerModules(m: IRModule): Generator<IRModule> {
  const main = m.functions.get('main');
  if (main === undefined) return;
  const size = sizeOfModule(m);
  for (const candidate of candidates(m, main)) {
    // Shrinking ends because each candidate is smaller.
    const next = sizeOfModule(candidate) < size ? valid(candidate) : undefined;
    if (next !== undefined) yield next;
  }
}

function* candidates(m: IRModule, main: Func): Generator<IRModule> {
  yield* withoutFunctions(m);
  yield* withoutTypes(m);
  for (const next of smallerMains(siteOf(m, main))) {
    yield withFunctions(m, new Map([...m.functions, ['main', next]]));
  }
  yield* withSmallerBodies(m);
}

/** The module with one computed node of a function other than `main` replaced by zeros. */
function* withSmallerBodies(m: IRModule): Generator<IRModule> {
  for (const [name, f] of m.functions) {
    if (name === 'main') continue;
    for (const node of [...postOrderExprs([f.body])].reverse()) {
      const type = isComputed(node) ? typeOf(m, node) : undefined;
      const known = type?._tag === 'TensorType' ? staticTensor(type) : undefined;
      if (known === undefined) continue;
      const body = substitute(
        f.body,
        new Map([[node, constant(splat(known.shape, known.dtype, 0))]]),
      );
      const { typeParams, retType, attrs } = f;
      const next = func(f.params, body, {
        typeParams,
        attrs,
        ...(retType === undefined ? {} : { retType }),
      });
      yield withFunctions(m, new Map([...m.functions, [name, next]]));
    }
  }
}

/** Computed nodes first, then edges. */
function sizeOfModule(m: IRModule): number {
  let size = NODE_WEIGHT * m.typeDefinitions.size;
  for (const node of postOrderExprs([...m.functions.values()])) {
    size += children(node).length + weightOf(node);
  }
  return size;
}

const NODE_WEIGHT = 1000;
const TUPLE_WEIGHT = 300;

function weightOf(node: Expr): number {
  if (node._tag === 'Tuple' || node._tag === 'TupleGetItem') return TUPLE_WEIGHT;
  return isComputed(node) ? NODE_WEIGHT : 0;
}

/** The known facts about the program being shrunk. */
interface Site {
  readonly m: IRModule;
  readonly main: Func;
  /** The nodes of `main`, children first. */
  readonly nodes: ReadonlyArray<Expr>;
  /** The number of distinct nodes at and below a node. */
  readonly sizeOf: (node: Expr) => number;
  /** The bindings by variable, with their places: outer ones first. */
  readonly lets: ReadonlyMap<Var, Let>;
}

function siteOf(m: IRModule, main: Func): Site {
  const nodes = postOrderExprs([main.body]);
  const lets = new Map<Var, Let>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    if (node?._tag === 'Let') lets.set(node.variable, node);
  }
  const sizes = new Map<Expr, number>();
  const sizeOf = (node: Expr): number => {
    const known = sizes.get(node) ?? postOrderExprs([node]).length;
    sizes.set(node, known);
    return known;
  };
  return { m, main, nodes, sizeOf, lets };
}

function* withoutFunctions(m: IRModule): Generator<IRModule> {
  for (const name of m.functions.keys()) {
    if (name === 'main') continue;
    const others = new Map([...m.functions].filter(([other]) => other !== name));
    yield withFunctions(m, others);
    yield inlined(m, name);
  }
}

function* withoutTypes(m: IRModule): Generator<IRModule> {
  for (const [name, data] of m.typeDefinitions) {
    const gone = new Set(data.constructors.map((c) => c.name));
    const typeDefinitions = new Map([...m.typeDefinitions].filter(([other]) => other !== name));
    const constructors = new Map([...m.constructors].filter(([other]) => !gone.has(other)));
    // The known types may mention the removed definition.
    yield irModule({ ...m, typeDefinitions, constructors, types: emptyTypeTable() });
  }
}

/** The module with calls of a function replaced by its body, and without the function. */
function inlined(m: IRModule, name: string): IRModule {
  const callee = m.functions.get(name);
  const functions = new Map<string, Func>();
  for (const [other, f] of m.functions) {
    if (other === name || callee === undefined) continue;
    const step: Step = (node) =>
      node._tag === 'GlobalVar' && node.nameHint === name ? callee : undefined;
    functions.set(other, rewriteExpr(f, step) as Func);
  }
  return withFunctions(m, functions);
}

function* smallerMains(site: Site): Generator<Func> {
  const { main, nodes, sizeOf, m } = site;
  const inner = nodes.filter((node) => node !== main.body && isComputed(node));
  const ascending = [...inner].sort((a, b) => sizeOf(a) - sizeOf(b));
  for (const node of ascending) {
    if (isResult(typeOf(m, node))) yield withBody(main, closed(site, node));
  }
  yield* withFewerFields(main);
  for (const node of [...ascending].reverse()) {
    yield* withoutNode(site, node);
  }
  for (const node of ascending) {
    const next = withPartsAsResults(site, node);
    if (next !== undefined) yield next;
  }
}

/** Whether evaluating the node takes computation. */
const isComputed = (node: Expr): boolean => !LEAVES.has(node._tag);

const LEAVES: ReadonlySet<Expr['_tag']> = new Set(['Var', 'Constant', 'Op', 'Constructor']);

const isResult = (type: Type | undefined): boolean =>
  type !== undefined &&
  (type._tag === 'TupleType' ? type.fields : [type]).every((t) => staticTensor(t) !== undefined);

/** The node with the bindings that it needs; `undefined` inside a function's body. */
function closed({ lets }: Site, node: Expr): Expr {
  const needed = new Set<Let>();
  const pending = [...freeVars(node)];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    const binding = lets.get(v);
    if (binding === undefined || needed.has(binding)) continue;
    needed.add(binding);
    pending.push(...freeVars(binding.value));
  }
  // The map holds outer bindings first; the innermost is put around the node first.
  return [...lets.values()]
    .filter((binding) => needed.has(binding))
    .reduceRight((body, { variable: v, value }) => letIn(v, value, body), node);
}

/** `main` with one field fewer in its result. */
function* withFewerFields(main: Func): Generator<Func> {
  const result = resultOf(main);
  if (result._tag !== 'Tuple') return;
  for (const dropped of new Set(result.fields)) {
    yield replaced(main, result, tuple(result.fields.filter((field) => field !== dropped)));
  }
}

/** `main` with the node replaced by something smaller. */
function* withoutNode(site: Site, node: Expr): Generator<Func> {
  const { m, main } = site;
  const type = typeOf(m, node);
  const replaceBy = (next: Expr): Func => replaced(main, node, next);
  if (node._tag === 'Let') {
    yield replaced(main, node, substitute(node.body, new Map([[node.variable, node.value]])));
  }
  if (node._tag === 'If') {
    yield replaceBy(node.trueBranch);
    yield replaceBy(node.falseBranch);
  }
  if (node._tag === 'Match') {
    for (const { pattern, body } of node.clauses) {
      const bound = new Set(patternVars(pattern));
      if (!freeVars(body).some((v) => bound.has(v))) yield replaceBy(body);
    }
  }
  if (node._tag === 'RefRead' && node.ref._tag === 'RefCreate') yield replaceBy(node.ref.value);
  if (node._tag === 'TupleGetItem' && node.tuple._tag === 'Tuple') {
    const field = node.tuple.fields[node.index];
    if (field !== undefined) yield replaceBy(field);
  }
  if (node._tag === 'Call' && node.op._tag === 'Function') {
    const bindings = node.op.params.flatMap((param, i) => {
      const arg = node.args[i];
      return arg === undefined ? [] : [[param, arg] as const];
    });
    yield replaceBy(substitute(node.op.body, new Map(bindings)));
  }
  if (type?._tag !== 'TensorType') return;
  for (const part of children(node)) {
    const partType = typeOf(m, part);
    if (partType !== undefined && typeEqual(partType, type)) yield replaceBy(part);
  }
  const stand = standIn(main, type);
  if (stand !== undefined) yield replaceBy(stand);
}

/** `main` without a call, and with the call's arguments in its result. */
function withPartsAsResults({ m, main }: Site, node: Expr): Func | undefined {
  const type = typeOf(m, node);
  const stand = type?._tag === 'TensorType' ? standIn(main, type) : undefined;
  if (node._tag !== 'Call' || stand === undefined) return undefined;
  const args = node.args.flatMap((arg) => (arg._tag === 'Tuple' ? arg.fields : [arg]));
  const parts = args.filter((arg) => isComputed(arg) && isResult(typeOf(m, arg)));
  if (parts.length === 0) return undefined;
  const next = replaced(main, node, stand);
  const result = resultOf(next);
  const fields = result._tag === 'Tuple' ? result.fields : [result];
  return replaced(next, result, tuple([...fields, ...parts]));
}

/** The expression behind the bindings of `main`. */
function resultOf(main: Func): Expr {
  let result = main.body;
  while (result._tag === 'Let') result = result.body;
  return result;
}

/** The replacement of a removed value: a parameter, or 0 for a possible index. */
function standIn(main: Func, type: TensorType): Expr | undefined {
  const known = staticTensor(type);
  if (known === undefined) return undefined;
  if (!isFloat(known.dtype) && known.dtype !== 'bool') {
    return constant(splat(known.shape, known.dtype, 0));
  }
  return variable(`x${main.params.length}`, type);
}

const replaced = (main: Func, node: Expr, by: Expr): Func =>
  withBody(main, substitute(main.body, new Map([[node, by]])));

/** `main` with another body: its parameters are the used ones. */
function withBody(main: Func, body: Expr): Func {
  const free = new Set(freeVars(body));
  const kept = main.params.filter((param) => free.has(param));
  const added = [...free].filter((v) => !kept.includes(v));
  return func([...kept, ...added], body, { attrs: main.attrs });
}

/** The module with types, if the generator might have made it. */
function valid(m: IRModule): IRModule | undefined {
  if (wellFormed(m).length > 0) return undefined;
  const main = m.functions.get('main');
  if (!main?.params.every((param) => isResult(param.typeAnnotation))) return undefined;
  const inferred = inferTypes(m);
  if (isLeft(inferred)) return undefined;
  return isResult(inferred.right.functions.get('main')?.retType) ? inferred.right : undefined;
}
