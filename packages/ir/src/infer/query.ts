/** Types of single nodes, and of types, without inference of an entire definition. */
import { type Diagnostic, failure, postOrder, type Result, right } from '@baton/base';
import { typeEqual } from '../equal/type-equal.ts';
import { mapChildren } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import type { IRModule } from '../module/module.ts';
import { hasNoFacts, NO_FACTS, type TypeView, viewOf } from '../module/type-table.ts';
import { opTable } from '../ops/op-table.ts';
import { globalTypeVar, isClosed, type Type, type TypeArg, typeCall } from '../types/type.ts';
import { factsOf, readPart } from './collect/facts.ts';
import { isPlain, typedParts } from './collect/part.ts';
import { applyFunction, constraintsOf, resultOf } from './constrain/application.ts';
import { attributesOf } from './constrain/calls.ts';
import { demandType } from './constrain/demand.ts';
import { checkPattern } from './constrain/patterns.ts';
import type { RuleContext } from './constrain/rule-context.ts';
import { typeByRule } from './constrain/rules.ts';
import { Solver } from './solve/solver.ts';

/**
 * The type of a node of the module, or of a new node made from such nodes, which is then found and
 * remembered. `undefined` for a node without a type until the whole is inferred: a variable without
 * annotation, a number without suffix, an ill-typed expression, and expressions of these.
 *
 * **Complexity** amortized O(1) a node.
 */
export function typeOf(m: IRModule, expr: Expr): Type | undefined {
  const view = viewOf(m.types, m.functions);
  const known = readPart(expr, view);
  if (expr._tag === 'Var') return known;
  if (known !== undefined || view.untypable.has(expr)) return known;
  typeFresh(expr, m, view);
  return view.read(expr);
}

/**
 * Enters the type of a node for the same node with other parts, if these have the types of the old
 * ones: its own rule then has nothing to find. Nothing for a part with a value that rules read, or
 * with facts besides its type.
 *
 * **Complexity** linear in the parts and their types.
 */
export function keepType(m: IRModule, was: Expr, made: Expr): void {
  if (was === made || !isDecidedByParts(was)) return;
  const view = viewOf(m.types, m.functions);
  const type = view.read(was);
  if (type === undefined || !hasNoFacts(view.facts(was)) || view.read(made) !== undefined) return;
  const parts = typedParts(made);
  const isSame = typedParts(was).every((part, i) => {
    const next = parts[i];
    if (next === undefined || next === part) return next === part;
    if (part._tag === 'Constant' || next._tag === 'Constant') return false;
    const [old, own] = [readPart(part, view), readPart(next, view)];
    if (old === undefined || own === undefined || !hasNoFacts(view.facts(next))) return false;
    return old === own || typeEqual(old, own);
  });
  if (isSame) view.write(made, type, NO_FACTS);
}

/**
 * The node with other parts, and with its type if {@link keepType} finds that it stays.
 *
 * **Complexity** linear in the parts and their types.
 */
export function mapTyped(m: IRModule, node: Expr, get: (part: Expr) => Expr): Expr {
  const made = mapChildren(node, get);
  keepType(m, node, made);
  return made;
}

/** Whether the types of the parts are all that the rule of a node reads, but for its attributes. */
const isDecidedByParts = (node: Expr): boolean =>
  node._tag === 'Tuple' ||
  node._tag === 'TupleGetItem' ||
  (node._tag === 'Call' && node.op._tag === 'Op');

/**
 * Whether the parts of an expression leave its type open, as for `Nil`: only its context determines
 * the type, so it cannot be moved elsewhere without an annotation. Also true if `typeOf` does not
 * know its type.
 *
 * **Complexity** amortized O(1) a node.
 */
export function isContextual(m: IRModule, expr: Expr): boolean {
  return typeOf(m, expr) === undefined || viewOf(m.types, m.functions).facts(expr).isContextual;
}

/**
 * The type arguments of a call: the written ones, and the inferred ones for others. An operator's
 * are the types of its arguments. `undefined` if the node is not a call, or has no type, or leaves
 * an argument open.
 *
 * **Complexity** linear in the types of the call's parts.
 */
export function typeArgsOf(m: IRModule, node: Expr): ReadonlyArray<TypeArg> | undefined {
  if (node._tag !== 'Call') return undefined;
  const known = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  if (known.length < node.args.length) return undefined;
  if (node.op._tag === 'Op') {
    return known.map((value) => ({ _tag: 'TypeArg', kind: 'Type', value }));
  }
  const callee = typeOf(m, node.op);
  const result = typeOf(m, node);
  if (callee?._tag !== 'FuncType' || result === undefined) return undefined;
  let failed = false;
  const solver = new Solver(m.ops, () => {
    failed = true;
  });
  const application = applyFunction(callee, node, known, solver, (wanted, i) => {
    demandType(wanted, known[i] as Type, `argument ${i}`, node.span, solver);
  });
  solver.unify(resultOf(application), result, 'a callee', node.span);
  for (const constraint of constraintsOf(application)) solver.post(constraint, node.span);
  solver.solve();
  if (failed) return undefined;
  const found = solver.resolve(typeCall(globalTypeVar(''), application.typeArgs));
  return isClosed(found) && found._tag === 'TypeCall' ? found.args : undefined;
}

/**
 * The unification of two types, where holes are filled, and `?` meets known sizes.
 *
 * **Errors** `TYPE_MISMATCH`, `TYPE_INFINITE`.
 */
export function unifyTypes(a: Type, b: Type): Result<Type> {
  const problems: Diagnostic[] = [];
  const solver = new Solver(opTable([]), (d) => {
    problems.push(d);
  });
  const merged = solver.unify(a, b, 'a type', undefined);
  solver.solve();
  return failure(problems) ?? right(solver.resolve(merged ?? a));
}

/** Enters missing types of the nodes at and below `root`, as far as these have types. */
function typeFresh(root: Expr, m: IRModule, view: TypeView): void {
  const isSettled = (node: Expr): boolean =>
    node._tag === 'Var' || view.read(node) !== undefined || view.untypable.has(node);
  const hasSignature = (name: string): boolean => view.signature(name) !== undefined;
  const known = contexts.get(view);
  const c = known?.module === m ? known : newContext(m, view);
  contexts.set(view, c);
  c.restart();
  // Most nodes are asked about as soon as they are made of typed ones.
  const isNext = typedParts(root).every(isSettled);
  for (const node of isNext ? [root] : postOrder(typedParts, [root], isSettled)) {
    // Inference keeps a typed node: it still has attributes to write into this call.
    const isComplete = node._tag !== 'Call' || attributesOf(node, m.ops) === node.attrs;
    const parts = typedParts(node);
    const isKnown = parts.every((part) => readPart(part, view) !== undefined);
    const isReady = isComplete && isKnown && isPlain(node, hasSignature);
    const type = isReady ? typeOfFresh(node, c) : undefined;
    if (type !== undefined) view.write(node, type, factsOf(node, view));
    else view.untypable.add(node);
    if (c.hasFailed) c.restart();
  }
}

/** One context serves all nodes of a module: most are typed one at a time, and a solver is large. */
const contexts = new WeakMap<TypeView, FreshContext>();

/** The rules' view of nodes with typed parts. */
interface FreshContext extends RuleContext {
  readonly view: TypeView;
  hasFailed: boolean;
  /** Drops the state of earlier nodes. */
  readonly restart: () => void;
}

function newContext(m: IRModule, view: TypeView): FreshContext {
  const report = (): void => {
    c.hasFailed = true;
  };
  const c: FreshContext = {
    hasFailed: false,
    restart: () => {
      c.hasFailed = false;
      c.solver.begin(report);
    },
    view,
    module: m,
    solver: new Solver(m.ops, report),
    report,
    typeOf: (part) => readPart(part, view) as Type,
    global: (name) => view.signature(name)?.type,
    owed: new Map(),
    misfits: new Set(),
    checkTypeArg: () => undefined,
    demand: (expected, part, what, span) =>
      demandType(expected, c.typeOf(part), what, span, c.solver),
  };
  return c;
}

/** The type of a node with typed parts; `undefined` if the surrounding functions determine it. */
function typeOfFresh(node: Expr, c: FreshContext): Type | undefined {
  const { solver } = c;
  const waiting = solver.pending.length;
  if (node._tag === 'Let') {
    solver.unify(c.typeOf(node.variable), c.typeOf(node.value), 'a value', node.span);
  }
  if (node._tag === 'Match') {
    const data = c.typeOf(node.data);
    for (const { pattern } of node.clauses) {
      checkPattern(pattern, data, c, (v, type) => {
        solver.unify(c.typeOf(v), type, 'a value', pattern.span);
      });
    }
  }
  const type = solver.resolve(typeByRule(node, c));
  if (solver.pending.length > waiting) {
    solver.solve();
    if (solver.pending.some((one) => !one.done)) c.hasFailed = true;
  }
  if (!isClosed(type)) c.hasFailed = true;
  return c.hasFailed ? undefined : type;
}
