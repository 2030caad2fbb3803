/**
 * Inference of one definition: a global function, or several that call each other.
 *
 * Most nodes are plain: their parts have closed types and nothing below them is to be rewritten.
 * Their types go into the table at once. The others are kept aside, with types that may have
 * holes, until the whole definition is solved; then they are rebuilt with annotations and typed
 * literals, children first.
 */
import type { Diagnostic } from '@baton/base';
import { patternVars } from '../expr/children.ts';
import type { Expr, Func, Let, Match, Var } from '../expr/expr.ts';
import { type Assumption, assumedRelations, type TypeView } from '../module/type-table.ts';
import type { OpTable } from '../ops/op-table.ts';
import { type FuncType, funcType, type Type, type TypeData } from '../types/type.ts';
import { incompleteType } from '../types/variable.ts';
import { factsOf } from './dependence.ts';
import { generalize, generalType, resolvedRelation, type Site } from './generalize.ts';
import { checkPattern } from './patterns.ts';
import { type Rebuilding, rebuildTyped } from './rebuild.ts';
import { reportOpen } from './report-open.ts';
import { type RuleContext, typeByRule } from './rules.ts';
import { findSites, type Sites } from './sites.ts';
import { type Givens, makeSolver } from './solver.ts';
import { OUTERMOST_LEVEL } from './substitution.ts';
import { typedPart, walk } from './walk.ts';

/** Counts what inference does; the caller's own object, added to. */
export interface InferenceStats {
  /** Nodes whose type was found anew. */
  visited: number;
}

/** What inference of a definition sees of the module. */
export interface DefinitionContext {
  readonly ops: OpTable;
  readonly adts: ReadonlyMap<string, TypeData>;
  readonly view: TypeView;
  readonly isDefined: (name: string) => boolean;
  readonly report: (d: Diagnostic) => void;
  readonly stats: InferenceStats;
  /** Whether functions get their most general types. */
  readonly generalizes: boolean;
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
  const solver = makeSolver(view.isClosed, c.ops, report);
  /** The nodes kept aside, with their types, in order of completion. */
  const late = new Map<Expr, Type>();
  const bound = new Map<Var, 'parameter' | 'other'>();
  const isAnnotated = (v: Var): boolean =>
    v.typeAnnotation !== undefined && view.isClosed(v.typeAnnotation);

  /** The type that the table has for a node, wherever the node is. */
  const fixedType = (node: Expr): Type | undefined =>
    view.isContextual(node) ? undefined : view.read(node);
  const typeOfPart = (node: Expr): Type => {
    if (node._tag === 'Var' && isAnnotated(node)) return node.typeAnnotation ?? incompleteType();
    const known = late.get(node) ?? fixedType(node);
    if (known !== undefined) return known;
    if (node._tag !== 'Var') return incompleteType();
    const type = node.typeAnnotation ?? solver.fresh();
    solver.adopt(type);
    late.set(node, type);
    return type;
  };
  const open = openSignatures(group, view, typeOfPart, solver.fresh);
  let isSilenced = false;
  const silentHole = (): Type => {
    isSilenced = true;
    return incompleteType();
  };
  const rules: RuleContext = {
    ops: c.ops,
    adts: c.adts,
    solver,
    report,
    typeOf: typeOfPart,
    global: (name) => {
      const known = open.types.get(name) ?? view.signature(name)?.type;
      // A function whose own definition failed has no type; that was reported there.
      return known ?? (c.isDefined(name) ? silentHole() : undefined);
    },
    owedResult: (f) => open.results.get(f),
  };

  // ------------------------------------------------------------------ where the walk stands
  let sites: Sites | undefined;
  let givens: Givens | undefined;
  const openSites: { readonly node: Let; readonly site: Site }[] = [];
  const levelOf = (node: Expr): number => sites?.levelOf(node) ?? OUTERMOST_LEVEL;
  const goTo = (owner: Expr): void => {
    solver.goTo({ owner, givens, level: levelOf(owner) });
  };
  const isKnown = (node: Expr): boolean =>
    (node._tag === 'Var' && isAnnotated(node)) || fixedType(node) !== undefined;
  const isSite = (node: Let): boolean => {
    if (!c.generalizes || node.value._tag !== 'Function' || isKnown(node.value)) return false;
    sites ??= findSites([...group.values()], isKnown);
    return sites.isSite(node);
  };
  const recalled = new Set<Assumption>();
  /** What a known node assumes has to be answered for by the functions that are around it now. */
  const recall = (node: Expr): void => {
    const assumption = view.assumption(node);
    if (assumption === undefined) return;
    goTo(node);
    for (const relation of assumedRelations(assumption, recalled)) {
      solver.post(relation, node.span);
    }
  };

  const enterFunction = (node: Func): void => {
    for (const param of node.params) {
      bound.set(param, 'parameter');
      typeOfPart(param);
    }
    if (node.constraints.length === 0) return;
    solver.solve();
    for (const relation of node.constraints) solver.post(relation, node.span);
    givens = { relations: node.constraints, outer: givens };
  };
  const enterClauses = (node: Match): void => {
    for (const { pattern } of node.clauses) {
      for (const v of patternVars(pattern)) bound.set(v, 'other');
      checkPattern(pattern, typeOfPart(node.data), rules, (v, type) => {
        if (v.typeAnnotation !== undefined) {
          const span = v.span ?? pattern.span;
          solver.unify(typeOfPart(v), type, 'a value', span);
        } else if (!late.has(v)) late.set(v, type);
      });
    }
  };
  const bindVariable = (node: Let): void => {
    const { variable, value } = node;
    const found = typeOfPart(value);
    const span = node.span ?? value.span;
    bound.set(variable, 'other');
    const stated = variable.typeAnnotation;
    if (stated !== undefined) solver.unify(stated, found, 'a value', span);
    if (isAnnotated(variable)) return;
    // The variable has a type already if the value, a function, calls itself.
    const used = late.get(variable);
    if (used !== undefined && used !== stated) solver.unify(used, found, 'a value', span);
    late.set(variable, stated ?? found);
  };
  /** As `bindVariable`, for a function that gets its most general type. */
  const bindFunction = (node: Let, site: Site): void => {
    const { variable, value } = node;
    const span = node.span ?? value.span;
    const stated = variable.typeAnnotation;
    const isPolymorphic = stated?._tag === 'FuncType' && stated.typeParams.length > 0;
    const used = late.get(variable);
    if (used !== undefined && used !== stated) {
      solver.unify(used, typeOfPart(value), 'a value', span);
    }
    if (stated !== undefined && !isPolymorphic) {
      solver.unify(stated, typeOfPart(value), 'a value', span);
    }
    const general = generalizeFunction(value as Func, site);
    bound.set(variable, 'other');
    if (isPolymorphic) solver.unify(stated, general, 'a value', span);
    if (!isAnnotated(variable)) late.set(variable, isPolymorphic ? stated : general);
  };
  const generalizeFunction = (f: Func, site: Site): Type => {
    const type = solver.resolve(typeOfPart(f));
    if (type._tag !== 'FuncType') return type;
    const gained = generalize([type], f.typeParams, site, solver);
    for (const one of gained.constraints) solver.assume(one);
    const relations = gained.constraints.map((p) => p.relation);
    const resolved = solver.resolve(type);
    if (resolved._tag !== 'FuncType') return resolved;
    const general = generalType(resolved, gained.typeParams, relations);
    if (late.has(f)) late.set(f, general);
    return general;
  };

  // --------------------------------------------------------------------------- the walk
  const before = (node: Func | Let | Match, index: number): void => {
    goTo(node);
    if (node._tag === 'Function') enterFunction(node);
    else if (node._tag === 'Match') enterClauses(node);
    else if (index === 0) {
      if (isSite(node)) {
        const level = levelOf(node) + 1;
        openSites.push({ node, site: { level, mark: solver.pending.length } });
        // Inside its own body a function has one type, which belongs to the body.
        solver.goTo({ owner: node, givens, level });
        typeOfPart(node.variable);
      }
    } else {
      const top = openSites.at(-1);
      if (top?.node !== node) bindVariable(node);
      else {
        openSites.pop();
        bindFunction(node, top.site);
      }
    }
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
      case 'Match':
        return node.clauses.every((one) => patternVars(one.pattern).every(isAnnotated));
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
  const complete = (node: Expr): void => {
    c.stats.visited++;
    if (node._tag === 'Function' && node.constraints.length > 0) givens = givens?.outer;
    goTo(node);
    const waitingBefore = solver.pending.length;
    const assumedBefore = solver.assumed();
    const plain = isPlain(node);
    const type = typeByRule(node, rules);
    const isAlone =
      plain && solver.pending.length === waitingBefore && solver.assumed() === assumedBefore;
    const settled = isAlone ? solver.resolve(type) : type;
    if (isAlone && view.isClosed(settled))
      view.write(node, settled, factsOf(node, view, typeOfPart));
    else late.set(node, type);
  };
  const needed = (node: Expr): boolean => {
    if (late.has(node)) return false;
    if (!isKnown(node)) return true;
    recall(node);
    return false;
  };

  const marks: number[] = [];
  for (const f of group.values()) {
    marks.push(solver.pending.length);
    walk(f, { needed, before, complete });
  }
  solver.settleLiterals();
  if (c.generalizes && !failed && !isSilenced) generalizeGroup();
  else solver.settleDims(OUTERMOST_LEVEL);
  if (!failed) {
    reportOpen({ late, bound, resolve: solver.resolve, view, report, isSilenced });
  }
  if (failed || isSilenced) return undefined;
  return rebuilt();

  function generalizeGroup(): void {
    const members = [...group];
    const site: Site = { level: OUTERMOST_LEVEL, mark: 0 };
    const types = members.map(([, f]) => typeOfPart(f));
    const declared = members.flatMap(([, f]) => f.typeParams);
    const gained = generalize(types, declared, site, solver);
    for (const one of gained.constraints) solver.assume(one);
    const relations = gained.constraints.map((p) => p.relation);
    for (const [name, f] of members) {
      const type = solver.resolve(typeOfPart(f));
      if (type._tag !== 'FuncType') continue;
      const isStated = view.signature(name) !== undefined;
      const general =
        isStated && members.length > 1
          ? generalType(type, [], ownRelations(f))
          : generalType(type, isStated ? [] : gained.typeParams, relations);
      if (general !== type || late.has(f)) late.set(f, general);
    }
    function ownRelations(f: Func): FuncType['constraints'] {
      const at = members.findIndex(([, g]) => g === f);
      const own = solver.pending.slice(marks[at], marks[at + 1]);
      return gained.constraints.filter((p) => own.includes(p)).map((p) => p.relation);
    }
  }

  function rebuilt(): Group {
    for (const [name, f] of group) {
      const type = late.has(f) ? solver.resolve(typeOfPart(f)) : undefined;
      if (type?._tag === 'FuncType') view.declare(name, type);
    }
    const rebuilding: Rebuilding = {
      view,
      typeOf: (node) =>
        node._tag === 'GlobalVar' && open.types.has(node.nameHint)
          ? (view.signature(node.nameHint)?.type ?? typeOfPart(node))
          : solver.resolve(typeOfPart(node)),
      isAnnotated,
      assumed: (node) =>
        (solver.assumptions.get(node) ?? []).map((r) => resolvedRelation(r, solver)),
    };
    const next = rebuildTyped([...late.keys()], rebuilding);
    return new Map([...group].map(([name, f]) => [name, next(f) as Func]));
  }
}

/** Types with holes for those functions of the group whose annotations are not complete. */
function openSignatures(
  group: Group,
  view: TypeView,
  typeOf: (v: Var) => Type,
  fresh: () => Type,
): { readonly types: ReadonlyMap<string, Type>; readonly results: ReadonlyMap<Func, Type> } {
  const types = new Map<string, Type>();
  const results = new Map<Func, Type>();
  for (const [name, f] of group) {
    if (view.signature(name) !== undefined) continue;
    const result = f.retType ?? fresh();
    results.set(f, result);
    types.set(name, funcType(f.params.map(typeOf), result, f.typeParams, f.constraints));
  }
  return { types, results };
}
