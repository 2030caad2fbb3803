/** Inference of a module, and types of single nodes. */
import { type Diagnostic, failure, type Result, right } from '@baton/base';
import { callGraph } from '../analysis/call-graph.ts';
import { definitionProblems } from '../analysis/kinds.ts';
import { wellFormed } from '../equal/well-formed.ts';
import type { Expr, Func, Var } from '../expr/expr.ts';
import { type IRModule, mapFunctions, withFunctions } from '../module/module.ts';
import { isUsed, keepView, newView, type TypeView, viewOf } from '../module/type-table.ts';
import { opTable } from '../ops/op-table.ts';
import {
  globalTypeVar,
  isClosed,
  type Type,
  type TypeArg,
  type TypeData,
  typeCall,
} from '../types/type.ts';
import { walk } from './collect/walk.ts';
import { declareDimensions } from './constrain/annotations.ts';
import { applyFunction } from './constrain/application.ts';
import { attributesOf } from './constrain/calls.ts';
import { demandType } from './constrain/demand.ts';
import { checkPattern } from './constrain/patterns.ts';
import { isPlain, type Known } from './constrain/plain.ts';
import type { RuleContext } from './constrain/rule-context.ts';
import { typeByRule } from './constrain/rules.ts';
import { inferDefinition } from './definition.ts';
import type { InferenceStats } from './definition-context.ts';
import { Solver } from './solve/solver.ts';
import { factsOf } from './write/facts.ts';

/** How to infer. */
export interface InferOptions {
  /** Counts what inference does. */
  readonly stats?: InferenceStats;
  /**
   * Whether a function whose annotations are missing gets its most general type; the default.
   * Otherwise what nothing determines is an error.
   */
  readonly generalize?: boolean;
}

/**
 * The module with types: every parameter, let variable and result is annotated, every number
 * without suffix is a constant of its dtype, and `typeOf` knows the type of every node. The module
 * itself if there was nothing to write.
 *
 * A module that inference has not seen is checked to be well-formed first. From then on it is
 * incremental: nodes that the module's table knows are not visited, unless a signature that they
 * rely on has changed.
 *
 * **Errors** those of `wellFormed`; the `TYPE_*` diagnostics, those of attributes (`ATTR_*`), and those that the relations
 * of operators report; several a run.
 *
 * **Complexity** linear in the nodes visited.
 */
export function inferTypes(given: IRModule, options: InferOptions = {}): Result<IRModule> {
  const illFormed = isUsed(given.types) ? undefined : failure(illFormedness(given));
  if (illFormed !== undefined) return illFormed;
  const m = mapFunctions(given, declareDimensions);
  const view = newView(m.types, m.functions);
  const diagnostics: Diagnostic[] = [];
  const context = {
    ops: m.ops,
    adts: m.typeDefinitions,
    view,
    solver: new Solver(m.ops, () => undefined),
    generalizes: options.generalize ?? true,
    isDefined: (name: string) => m.functions.has(name),
    globalNames: () => m.functions.keys(),
    report: (d: Diagnostic) => {
      // Several constraints of one callee may fail for one reason.
      const last = diagnostics.at(-1);
      if (last?.span !== d.span || last?.message !== d.message) diagnostics.push(d);
    },
    stats: options.stats ?? { visited: 0 },
  };
  checkDefinitions(m, context.report);
  const inferred = new Map<string, Func>();
  for (const names of definitionOrder(m, view)) {
    const group = new Map(
      names.flatMap((name) => {
        const f = m.functions.get(name);
        return f === undefined ? [] : [[name, f] as const];
      }),
    );
    if ([...group.values()].every((f) => view.read(f) !== undefined)) continue;
    for (const [name, f] of inferDefinition(group, context) ?? []) inferred.set(name, f);
  }
  const failed = failure(diagnostics);
  if (failed !== undefined) {
    view.undo();
    return failed;
  }
  const next = new Map([...m.functions].map(([name, f]) => [name, inferred.get(name) ?? f]));
  const result = withFunctions(m, next);
  keepView(m.types, result.functions, view);
  return right(result);
}

/**
 * The type of a node of the module, or of one that was just made from such nodes: it is then
 * found and remembered. `undefined` for what has no type without inference of the whole: a
 * variable without annotation, a number without suffix, an ill-typed expression, and what is made
 * of these.
 *
 * **Complexity** amortized O(1) a node.
 */
export function typeOf(m: IRModule, expr: Expr): Type | undefined {
  const view = viewOf(m.types, m.functions);
  if (expr._tag === 'Var') return annotation(expr);
  const known = view.read(expr);
  if (known !== undefined || view.untypable.has(expr)) return known;
  typeFresh(expr, m, view);
  return view.read(expr);
}

/**
 * Whether the parts of an expression leave its type open, as those of `Nil` do: only what stands
 * around it says the type, so it cannot be moved elsewhere without an annotation. Also true of what
 * `typeOf` knows nothing of.
 *
 * **Complexity** amortized O(1) a node.
 */
export function isContextual(m: IRModule, expr: Expr): boolean {
  return typeOf(m, expr) === undefined || viewOf(m.types, m.functions).facts(expr).isContextual;
}

/** What is wrong with the binders of each function; a node private to a pass has no type anyway. */
const illFormedness = (m: IRModule): ReadonlyArray<Diagnostic> =>
  [...m.functions.values()]
    .flatMap(wellFormed)
    .filter((problem) => problem.code !== 'IR_TEMPORARY');

/** Maps of type definitions that are known to be right. */
const checkedDefinitions = new WeakSet<ReadonlyMap<string, TypeData>>();

function checkDefinitions(m: IRModule, report: (d: Diagnostic) => void): void {
  const { typeDefinitions } = m;
  if (checkedDefinitions.has(typeDefinitions)) return;
  let isRight = true;
  for (const data of typeDefinitions.values()) {
    for (const problem of definitionProblems(data, { typeDefinitions })) {
      isRight = false;
      report(problem);
    }
  }
  if (isRight) checkedDefinitions.add(typeDefinitions);
}

/**
 * The type arguments of a call: those that were written, and what inference finds for the others.
 * Those of a call of an operator are the types of its arguments. `undefined` for what is no call,
 * or has no type, or where nothing determines one of them.
 *
 * **Complexity** linear in the types of the call's parts.
 */
export function typeArgsOf(m: IRModule, node: Expr): ReadonlyArray<TypeArg> | undefined {
  if (node._tag !== 'Call') return undefined;
  const args = node.args.map((arg) => typeOf(m, arg));
  const known = args.filter((type) => type !== undefined);
  if (known.length < args.length) return undefined;
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
  const application = applyFunction(callee, node, known, solver, (wanted, i, what) => {
    demandType(wanted, known[i] as Type, what, node.span, solver);
  });
  solver.unify(application.result(), result, 'a callee', node.span);
  for (const constraint of application.constraints()) solver.post(constraint, node.span);
  solver.solve();
  if (failed) return undefined;
  const found = application.typeArgs().map((arg) => solver.holes.resolveArg(arg));
  return isClosed(typeCall(globalTypeVar(''), found)) ? found : undefined;
}

/**
 * The type that two types become when their holes are filled, and `?` meets what is known.
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

function annotation(v: Var): Type | undefined {
  const type = v.typeAnnotation;
  return type !== undefined && isClosed(type) ? type : undefined;
}

/**
 * Functions whose signatures have to be found come first, callees before callers; then the others
 * as defined. Where only one signature has to be found, no body is walked for the order.
 */
function definitionOrder(m: IRModule, view: TypeView): ReadonlyArray<ReadonlyArray<string>> {
  const open = new Map<string, Func>();
  const stated: string[][] = [];
  for (const [name, f] of m.functions) {
    // A function with type parameters may gain constraints from its body.
    const isStated =
      view.signature(name) !== undefined &&
      (f.typeParams.length === 0 || view.read(f) !== undefined);
    if (isStated) stated.push([name]);
    else open.set(name, f);
  }
  const groups = open.size < 2 ? [...open.keys()].map((name) => [name]) : callGraph(open).groups;
  return [...groups, ...stated];
}

/** Enters the types of the nodes at and below `root` that the table lacks, as far as there are. */
function typeFresh(root: Expr, m: IRModule, view: TypeView): void {
  let failed = false;
  const report = (): void => {
    failed = true;
  };
  let solver = new Solver(m.ops, report);
  const known = (node: Expr): Type | undefined =>
    node._tag === 'Var' ? annotation(node) : view.read(node);
  const around: Known = {
    isKnown: (part) => known(part) !== undefined,
    isAnnotated: (v) => annotation(v) !== undefined,
    hasSignature: (name) => view.signature(name) !== undefined,
  };
  const complete = (node: Expr): void => {
    // Inference leaves what has a type as it is: it has attributes to write into the call.
    const isComplete = node._tag !== 'Call' || attributesOf(node, m.ops) === node.attrs;
    if (!isComplete || !isPlain(node, around)) {
      view.untypable.add(node);
      return;
    }
    const waitingBefore = solver.pending.length;
    const rules: RuleContext = {
      ops: m.ops,
      adts: m.typeDefinitions,
      solver,
      report,
      typeOf: (part) => known(part) as Type,
      global: (name) => view.signature(name)?.type,
      globalNames: () => m.functions.keys(),
      owedResult: () => undefined,
      isMisfit: () => false,
      checkTypeArg: () => undefined,
      demand: (expected, part, what, span) =>
        demandType(expected, rules.typeOf(part), what, span, solver),
    };
    if (node._tag === 'Let') {
      solver.unify(rules.typeOf(node.variable), rules.typeOf(node.value), 'a value', node.span);
    }
    if (node._tag === 'Match') {
      const data = rules.typeOf(node.data);
      for (const { pattern } of node.clauses) {
        checkPattern(pattern, data, rules, (v, type) => {
          solver.unify(rules.typeOf(v), type, 'a value', pattern.span);
        });
      }
    }
    const type = solver.resolve(typeByRule(node, rules));
    if (solver.pending.length > waitingBefore) {
      // What has to wait is for the functions around it to answer.
      solver.solve();
      if (solver.pending.some((one) => !one.done)) failed = true;
    }
    if (!failed && isClosed(type)) view.write(node, type, factsOf(node, view, known));
    else {
      view.untypable.add(node);
      solver = new Solver(m.ops, report);
      failed = false;
    }
  };
  walk(root, {
    needed: (node) =>
      node._tag !== 'Var' && view.read(node) === undefined && !view.untypable.has(node),
    before: () => undefined,
    complete,
  });
}
