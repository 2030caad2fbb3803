/**
 * Inference of one definition: a global function, or several that call each other.
 *
 * Most nodes are plain: their parts have closed types and nothing below them is to be rewritten.
 * Their types go into the table at once. The others are kept aside, with types that may have
 * holes, until the whole definition is solved; then they are rebuilt with annotations and typed
 * literals, children first.
 */
import type { Diagnostic } from '@baton/base';
import * as diagnose from '../diagnostics.ts';
import type { Expr, Func, Let, Var } from '../expr/expr.ts';
import type { TypeView } from '../module/type-table.ts';
import type { OpTable } from '../ops/op-table.ts';
import { type FuncType, funcType, type Type } from '../types/type.ts';
import { incompleteType } from '../types/variable.ts';
import { dependenceOf } from './dependence.ts';
import { type Rebuilding, rebuildTyped } from './rebuild.ts';
import { type RuleContext, typeByRule } from './rules.ts';
import { makeSolver } from './solver.ts';
import { typedPart, walk } from './walk.ts';

/** Counts what inference does; the caller's own object, added to. */
export interface InferenceStats {
  /** Nodes whose type was found anew. */
  visited: number;
}

/** What inference of a definition sees of the module. */
export interface DefinitionContext {
  readonly ops: OpTable;
  readonly view: TypeView;
  readonly isDefined: (name: string) => boolean;
  readonly report: (d: Diagnostic) => void;
  readonly stats: InferenceStats;
}

/** The functions of a group, by name. */
export type Group = ReadonlyMap<string, Func>;

/** The functions with types throughout; `undefined` after reporting what is wrong. */
export function inferDefinition(group: Group, c: DefinitionContext): Group | undefined {
  const { view } = c;
  let failed = false;
  const report = (d: Diagnostic): void => {
    failed = true;
    c.report(d);
  };
  const solver = makeSolver(view.isClosed, report);
  /** The nodes kept aside, with their types, in order of completion. */
  const late = new Map<Expr, Type>();
  const bound = new Set<Var>();
  const isAnnotated = (v: Var): boolean =>
    v.typeAnnotation !== undefined && view.isClosed(v.typeAnnotation);

  const typeOfPart = (node: Expr): Type => {
    if (node._tag === 'Var' && isAnnotated(node)) return node.typeAnnotation ?? incompleteType();
    const known = late.get(node) ?? view.read(node);
    if (known !== undefined) return known;
    const type = (node._tag === 'Var' ? node.typeAnnotation : undefined) ?? incompleteType();
    if (node._tag === 'Var') late.set(node, type);
    return type;
  };
  const open = openSignatures(group, view, typeOfPart);
  const rules: RuleContext = {
    ops: c.ops,
    solver,
    report,
    typeOf: typeOfPart,
    global: (name) => {
      const known = open.types.get(name) ?? view.signature(name)?.type;
      // A function whose own definition failed has no type; that was reported there.
      return known ?? (c.isDefined(name) ? silentHole(name) : undefined);
    },
    owedResult: (f) => open.results.get(f),
  };
  let isSilenced = false;
  const silentHole = (_name: string): Type => {
    isSilenced = true;
    return incompleteType();
  };

  const isLate = (node: Expr): boolean =>
    node._tag === 'Var' ? !isAnnotated(node) : late.has(node);
  const isPlain = (node: Expr): boolean => {
    for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
      if (isLate(part)) return false;
    }
    switch (node._tag) {
      case 'Constant':
        return node.literal === undefined;
      case 'Let':
        return isAnnotated(node.variable);
      case 'Function':
        return (
          node.params.every(isAnnotated) &&
          node.retType !== undefined &&
          view.isClosed(node.retType)
        );
      case 'GlobalVar':
        return !open.types.has(node.nameHint);
      default:
        return true;
    }
  };
  const bind = (node: Let): void => {
    const { variable, value } = node;
    const found = typeOfPart(value);
    bound.add(variable);
    const stated = variable.typeAnnotation;
    if (stated !== undefined) solver.unify(stated, found, 'a value', node.span ?? value.span);
    if (isAnnotated(variable)) return;
    // The variable has a type already if the value, a function, calls itself.
    const used = late.get(variable);
    if (used !== undefined) solver.unify(used, found, 'a value', node.span ?? value.span);
    late.set(variable, stated ?? found);
  };
  const complete = (node: Expr): void => {
    c.stats.visited++;
    if (node._tag === 'Function') for (const param of node.params) bound.add(param);
    const plain = isPlain(node);
    const type = typeByRule(node, rules);
    if (plain && view.isClosed(type)) view.write(node, type, dependenceOf(node, view));
    else late.set(node, type);
  };
  const needed = (node: Expr): boolean =>
    !late.has(node) && !(node._tag === 'Var' && isAnnotated(node)) && view.read(node) === undefined;

  for (const f of group.values()) walk(f, { needed, bind, complete });
  solver.settleLiterals();
  if (!failed) reportOpen(late, bound, solver.resolve, view, report, isSilenced);
  if (failed || isSilenced) return undefined;

  for (const [name, f] of group) {
    const type = late.has(f) ? solver.resolve(typeOfPart(f)) : undefined;
    if (type?._tag === 'FuncType') view.declare(name, type as FuncType);
  }
  const rebuilding: Rebuilding = {
    view,
    typeOf: (node) => solver.resolve(typeOfPart(node)),
    isAnnotated,
  };
  const next = rebuildTyped([...late.keys()], rebuilding);
  return new Map([...group].map(([name, f]) => [name, next(f) as Func]));
}

/** Types with holes for those functions of the group whose annotations are not complete. */
function openSignatures(
  group: Group,
  view: TypeView,
  typeOf: (v: Var) => Type,
): { readonly types: ReadonlyMap<string, Type>; readonly results: ReadonlyMap<Func, Type> } {
  const types = new Map<string, Type>();
  const results = new Map<Func, Type>();
  for (const [name, f] of group) {
    if (view.signature(name) !== undefined) continue;
    const result = f.retType ?? incompleteType();
    results.set(f, result);
    types.set(name, funcType(f.params.map(typeOf), result, f.typeParams, f.constraints));
  }
  return { types, results };
}

/** Reports the nodes whose types stayed open, as near to the cause as can be told. */
function reportOpen(
  late: ReadonlyMap<Expr, Type>,
  bound: ReadonlySet<Var>,
  resolve: (type: Type) => Type,
  view: TypeView,
  report: (d: Diagnostic) => void,
  isSilenced: boolean,
): void {
  const isOpen = (node: Expr): boolean => {
    const type = late.get(node);
    return type !== undefined && !view.isClosed(resolve(type));
  };
  let first: Expr | undefined;
  let reported = false;
  for (const node of late.keys()) {
    if (node._tag === 'Var' && !bound.has(node)) {
      report(diagnose.unboundVariable(node.nameHint, node.span));
      reported = true;
      continue;
    }
    if (isSilenced || !isOpen(node)) continue;
    first ??= node;
    if (node._tag !== 'Var' && hasOpenPart(node, isOpen)) continue;
    report(openDiagnostic(node));
    reported = true;
  }
  // The types wait for each other in a circle: any of them will do.
  if (!reported && first !== undefined) report(openDiagnostic(first));
}

function hasOpenPart(node: Expr, isOpen: (part: Expr) => boolean): boolean {
  if (node._tag === 'Function' && node.params.some(isOpen)) return true;
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    if (isOpen(part)) return true;
  }
  return false;
}

const openDiagnostic = (node: Expr): Diagnostic =>
  node._tag === 'Var'
    ? diagnose.underConstrained(
        `variable %${node.nameHint}`,
        'annotate it: functions are not generalized over types that nothing determines yet',
        node.span,
      )
    : diagnose.underConstrained(
        'this expression',
        'annotate a variable or a result that it depends on',
        node.span,
      );
