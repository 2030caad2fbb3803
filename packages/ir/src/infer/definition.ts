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
import { patternVars } from '../expr/children.ts';
import { func } from '../expr/construct.ts';
import type { Call, Expr, Func, Let, Match, Var } from '../expr/expr.ts';
import { partSpan } from '../expr/part-span.ts';
import { type Assumption, assumedRelations } from '../module/type-table.ts';
import { freeTypeVarsOf } from '../types/free-type-vars.ts';
import { type FuncType, funcType, isClosed, type Type, type TypeRelation } from '../types/type.ts';
import { incompleteType, type TypeVar } from '../types/variable.ts';
import { findSites, type Sites } from './collect/sites.ts';
import { walk } from './collect/walk.ts';
import { makeAnnotations } from './constrain/annotations.ts';
import { attributesOf } from './constrain/calls.ts';
import { demandType, speaksOfLiterals, withOwnParams } from './constrain/demand.ts';
import { checkPattern } from './constrain/patterns.ts';
import { isPlain, type Known } from './constrain/plain.ts';
import type { RuleContext } from './constrain/rule-context.ts';
import { typeByRule } from './constrain/rules.ts';
import { type Group, openSignatures } from './constrain/signatures.ts';
import type { DefinitionContext } from './definition-context.ts';
import {
  type Generalized,
  generalize,
  generalType,
  type Site,
  withoutRepetitions,
} from './generalize/generalize.ts';
import type { Givens } from './solve/givens.ts';
import { OUTERMOST_LEVEL } from './solve/holes.ts';
import { fitLiterals, settleDims, settleLiterals } from './solve/settle.ts';
import type { Pending } from './solve/solver.ts';
import { isGeneral } from './solve/unify.ts';
import type { Where } from './solve/where.ts';
import { factsOf } from './write/facts.ts';
import { type LateNode, type Rebuilding, rebuildTyped } from './write/rebuild.ts';
import { type Binding, reportOpen, reportUnproved } from './write/report-open.ts';

/** How often the functions of a group may find more constraints for their own calls. */
const MAX_ROUNDS = 4;

/** The functions with types throughout; `undefined` after reporting what is wrong. */
export function inferDefinition(group: Group, c: DefinitionContext): Group | undefined {
  let current = group;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const outcome = inferOnce(current, c);
    if (outcome === undefined || outcome.restated === undefined) return outcome?.functions;
    current = outcome.restated;
  }
  for (const [name, f] of group) c.report(diagnose.growingConstraints(name, f.span));
  return undefined;
}

interface Outcome {
  readonly functions: Group;
  /** The functions with the constraints that their own calls add, if there are such. */
  readonly restated: Group | undefined;
}

function inferOnce(group: Group, c: DefinitionContext): Outcome | undefined {
  const { view } = c;
  let failed = false;
  let reports = 0;
  const report = (d: Diagnostic): void => {
    failed = true;
    reports++;
    c.report(d);
  };
  const { solver } = c;
  solver.begin(report);
  const annotations = makeAnnotations({ ops: c.ops, adts: c.adts, report });
  /** The nodes kept aside, with their types, in order of completion. */
  const late = new Map<Expr, LateNode>();
  const keep = (node: Expr, type: Type): void => {
    const known = late.get(node);
    if (known === undefined) late.set(node, { type, made: undefined });
    else known.type = type;
  };
  const lateType = (node: Expr): Type | undefined => late.get(node)?.type;
  /** The variables without closed annotations that something binds. */
  const bound = new Map<Var, Binding>();
  const isAnnotated = (v: Var): boolean =>
    v.typeAnnotation !== undefined && isClosed(v.typeAnnotation);

  /** The type that the table has for a node, wherever the node is. */
  const fixedType = (node: Expr): Type | undefined => {
    const entry = view.entry(node);
    if (entry?._tag !== 'DependentType') return entry;
    const { assumption, isContextual } = entry.facts;
    const isFixed = !isContextual && (assumption === undefined || isDeclared(assumption));
    return isFixed ? entry.type : undefined;
  };
  /** Whether functions around this place have the type parameters of which relations speak. */
  const isDeclared = (assumption: Assumption): boolean =>
    assumedRelations(assumption).every((r) => freeTypeVarsOf(r.args).every(annotations.isInScope));
  const typeOfPart = (node: Expr): Type => {
    if (node._tag === 'Var' && isAnnotated(node)) return node.typeAnnotation ?? incompleteType();
    const known = late.get(node)?.type ?? fixedType(node);
    if (known !== undefined) return known;
    if (node._tag !== 'Var') return incompleteType();
    const type = node.typeAnnotation ?? solver.fresh();
    solver.adopt(type);
    keep(node, type);
    return type;
  };
  const open = openSignatures(group, view, typeOfPart, () => solver.fresh());
  /** The functions of the group that functions of the group call. */
  const called = new Set<string>();
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
      if (group.has(name)) called.add(name);
      const known = open.types.get(name) ?? view.signature(name)?.type;
      // A function whose own definition failed has no type; that was reported there.
      return known ?? (c.isDefined(name) ? silentHole() : undefined);
    },
    globalNames: c.globalNames,
    owedResult: (f) => open.results.get(f),
    isMisfit: (node) => misfits.has(node),
    checkTypeArg: annotations.checkTypeArg,
    demand: (expected, part, what, span) => demandOf(expected, part, what, span),
  };

  /** The relations that wait inside the functions which no other place uses. */
  const inside = new Map<Expr, { readonly from: number; to: number }>();
  /** A function that is demanded as a polymorphic one declares the type parameters itself. */
  const demandOf: RuleContext['demand'] = (expected, part, what, span) => {
    const wanted = solver.head(expected);
    const found = solver.resolve(typeOfPart(part));
    const at = inside.get(part);
    if (!isGeneral(wanted) || at === undefined || isClosed(found) || found._tag !== 'FuncType') {
      return demandType(expected, found, what, span, solver);
    }
    const own = withOwnParams(wanted);
    if (demandType(own, found, what, span, solver) === undefined) return undefined;
    solver.assumingFor(own.constraints, at.from, at.to);
    const constraints = [...found.constraints, ...own.constraints];
    keep(part, funcType(own.params, own.result, own.typeParams, constraints));
    return wanted;
  };

  // ------------------------------------------------------------------ where the walk stands
  let sites: Sites | undefined;
  let givens: Givens | undefined;
  const openSites: { readonly node: Func; readonly site: Site }[] = [];
  /** Constraints of functions inside that speak of what was not known there. */
  const openConstraints: Pending[] = [];
  /** What is left to do once the literals have their dtypes. */
  const unsettled: (() => void)[] = [];
  /** The functions in whose own bodies the walk stands, and their calls there. */
  const recursing = new Map<Expr, Func>();
  const ownCalls = new Map<Call, Func>();
  const members = new Set<Expr>(group.values());
  const isMember = (node: Expr): boolean => members.has(node);
  const levelOf = (node: Expr): number => sites?.levelOf(node) ?? OUTERMOST_LEVEL;
  const goTo = (owner: Expr): void => {
    solver.goTo(owner, givens, levelOf(owner));
  };
  const isKnown = (node: Expr): boolean =>
    (node._tag === 'Var' && isAnnotated(node)) || fixedType(node) !== undefined;
  /** The level inside a function that is a site, if it is one. */
  const siteLevel = (node: Func): number | undefined => {
    if (!c.generalizes || isMember(node)) return undefined;
    sites ??= findSites([...group.values()], isKnown);
    const isSite = node.typeParams.length > 0 || sites.isBound(node);
    return isSite ? sites.levelOf(node) : undefined;
  };
  const isBoundSite = (node: Expr): node is Func =>
    node._tag === 'Function' && siteLevel(node) !== undefined && sites?.isBound(node) === true;
  const recalled = new Set<Assumption>();
  /** The functions around a known node take over the relations that its type assumes. */
  const recall = (node: Expr): void => {
    const { assumption } = view.facts(node);
    if (assumption === undefined) return;
    goTo(node);
    for (const relation of assumedRelations(assumption, recalled)) {
      solver.post(relation, node.span);
    }
  };

  const bindOpen = (v: Var, isParameter: boolean): void => {
    if (!isAnnotated(v)) bound.set(v, { isParameter, around: annotations.around() });
  };
  const enterFunction = (node: Func): void => {
    // The sites are looked for when the first is met: only then the level is known.
    const level = siteLevel(node);
    goTo(node);
    const from = solver.pending.length;
    if (level !== undefined) openSites.push({ node, site: { level, mark: from } });
    else if (sites?.isUsedOnce(node) === true) inside.set(node, { from, to: from });
    annotations.enter(node);
    for (const param of node.params) {
      bindOpen(param, true);
      typeOfPart(param);
    }
    if (node.constraints.length === 0) return;
    solver.solve();
    for (const relation of node.constraints) solver.post(relation, node.span);
    givens = solver.assuming(node.constraints, givens);
  };
  const bindName = (v: Var): void => {
    annotations.check(v.typeAnnotation, v.span);
    bindOpen(v, false);
  };
  /** Matches with a reported pattern: their coverage is not checked. */
  const misfits = new Set<Match>();
  const enterClauses = (node: Match): void => {
    const before = reports;
    for (const { pattern } of node.clauses) {
      for (const v of patternVars(pattern)) bindName(v);
      checkPattern(pattern, typeOfPart(node.data), rules, (v, type) => {
        if (v.typeAnnotation !== undefined) {
          const span = v.span ?? pattern.span;
          solver.unify(typeOfPart(v), type, 'a value', span);
        } else keep(v, type);
      });
    }
    if (reports > before) misfits.add(node);
  };
  const bindVariable = (node: Let): void => {
    const { variable, value } = node;
    const found = typeOfPart(value);
    const span: Where = () => partSpan(node, 0);
    bindName(variable);
    const stated = variable.typeAnnotation;
    if (stated !== undefined) demandOf(stated, value, 'a value', span);
    if (isAnnotated(variable)) return;
    // The variable has a type already if the value, a function, calls itself.
    const used = lateType(variable);
    if (used !== undefined && used !== stated) solver.unify(used, found, 'a value', span);
    keep(variable, stated ?? found);
  };
  /** As `bindVariable`, for a function that gets its most general type. */
  const bindFunction = (node: Let, site: Site): void => {
    const { variable, value } = node;
    const span = node.span ?? value.span;
    const stated = variable.typeAnnotation;
    const isPolymorphic = stated?._tag === 'FuncType' && stated.typeParams.length > 0;
    const used = lateType(variable);
    if (used !== undefined && used !== stated) {
      const own = solver.head(typeOfPart(value));
      const mono = own._tag === 'FuncType' ? funcType(own.params, own.result) : own;
      solver.unify(used, mono, 'a value', span);
    }
    if (stated !== undefined && !isPolymorphic) {
      solver.unify(stated, typeOfPart(value), 'a value', span);
    }
    const general = generalizeFunction(value as Func, site);
    bindName(variable);
    if (!isAnnotated(variable)) keep(variable, isPolymorphic ? stated : general);
    const meet = (found: Type): void => {
      if (isPolymorphic) demandType(stated, found, 'a value', span, solver);
    };
    if (general._tag !== 'FuncType' || !speaksOfLiterals(general, solver)) {
      meet(general);
      return;
    }
    // Of relations that speak of literals it is seen later whether they repeat each other.
    const isAlike = general.constraints.length === (isPolymorphic ? stated.constraints.length : 0);
    if (isAlike) meet(general);
    const there = givens;
    unsettled.push(() => {
      const settled = withoutRepetitions(general, solver);
      keep(value, settled);
      if (lateType(variable) === general) keep(variable, settled);
      solver.goTo(node, there, levelOf(node));
      if (!isAlike) meet(settled);
    });
  };
  /** Gives a function its most general type; one that no let binds, only as far as it declares. */
  const generalizeFunction = (f: Func, site: Site): Type => {
    const type = solver.resolve(typeOfPart(f));
    if (type._tag !== 'FuncType') return type;
    const roots = sites?.isBound(f) === true ? [type] : [];
    if (f.constraints.length > 0) fitLiterals(site.mark, f.constraints, solver);
    const gained = generalize(roots, f.typeParams, site, solver);
    for (const one of gained.constraints) {
      solver.assume(one);
      if (solver.holes.openHoles(one.relation.args).size > 0) openConstraints.push(one);
    }
    const resolved = solver.resolve(type);
    if (resolved._tag !== 'FuncType') return resolved;
    const general = generalType(resolved, gained.typeParams, relationsOf(gained), solver.canonical);
    if (general !== type) keep(f, general);
    return general;
  };
  const relationsOf = (gained: Generalized): ReadonlyArray<TypeRelation> =>
    gained.constraints.map((p) => solver.holes.resolveRelation(p.relation));

  // --------------------------------------------------------------------------- the walk
  const before = (node: Func | Let | Match, index: number): void => {
    if (node._tag === 'Function') {
      enterFunction(node);
      return;
    }
    goTo(node);
    if (node._tag === 'Match') enterClauses(node);
    else if (index === 0) {
      if (!isBoundSite(node.value) || isKnown(node.value)) return;
      // Inside its own body a function has one type, which belongs to the body.
      solver.goTo(node, givens, levelOf(node.value));
      typeOfPart(node.variable);
      recursing.set(node.variable, node.value);
    } else {
      recursing.delete(node.variable);
      const top = openSites.at(-1);
      if (top === undefined || top.node !== node.value) bindVariable(node);
      else {
        openSites.pop();
        bindFunction(node, top.site);
      }
    }
  };
  const known: Known = {
    isKnown: (part) => !late.has(part),
    isAnnotated,
    hasSignature: (name) => !open.types.has(name),
  };
  /** Whether nothing has to be written into a node whose parts are known. */
  const isComplete = (node: Expr): boolean => {
    if (node._tag === 'Function') return node.retType !== undefined && isClosed(node.retType);
    return node._tag !== 'Call' || attributesOf(node, c.ops) === node.attrs;
  };
  const complete = (node: Expr): void => {
    c.stats.visited++;
    if (view.facts(node).isContextual) c.stats.revisited = (c.stats.revisited ?? 0) + 1;
    if (node._tag === 'Function' && node.constraints.length > 0) givens = givens?.outer;
    if (node._tag === 'Call' && node.op._tag === 'Var') {
      const own = recursing.get(node.op);
      if (own !== undefined) ownCalls.set(node, own);
    }
    goTo(node);
    const waitingBefore = solver.pending.length;
    const assumedBefore = solver.assumed;
    const plain = isPlain(node, known) && isComplete(node);
    const type = typeByRule(node, rules);
    if (node._tag === 'Function') {
      annotations.leave(node);
      const at = inside.get(node);
      if (at !== undefined) at.to = solver.pending.length;
    }
    const isAlone =
      plain && solver.pending.length === waitingBefore && solver.assumed === assumedBefore;
    const settled = isAlone ? solver.resolve(type) : type;
    // After an error nothing more is kept: what is wrong has to be found again the next time.
    if (isAlone && !failed && isClosed(settled)) {
      view.write(node, settled, factsOf(node, view, typeOfPart));
    } else keep(node, type);
    const top = openSites.at(-1);
    if (top !== undefined && top.node === node && sites?.isBound(top.node) !== true) {
      openSites.pop();
      generalizeFunction(top.node, top.site);
    }
  };
  const needed = (node: Expr): boolean => {
    if (node._tag === 'Var' && isAnnotated(node)) return false;
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
  settleLiterals(solver);
  for (const finish of unsettled) finish();
  if (unsettled.length > 0) settleLiterals(solver);
  if (c.generalizes && !failed && !isSilenced) generalizeGroup();
  else settleDims(OUTERMOST_LEVEL, solver);
  for (const one of late.values()) if (!isClosed(one.type)) one.type = solver.resolve(one.type);
  if (!failed) annotations.reportEscapes(bound, typeOfPart, solver.hasMetRigid);
  if (!failed) reportOpen({ late, bound, report, isSilenced });
  if (failed || isSilenced) return undefined;
  return rebuilt();

  function generalizeGroup(): void {
    const named = [...group];
    const site: Site = { level: OUTERMOST_LEVEL, mark: 0 };
    const types = named.map(([, f]) => typeOfPart(f));
    const stated = named.flatMap(([, f]) => f.typeParams);
    const gained = generalize(types, stated, site, solver);
    for (const one of gained.constraints) solver.assume(one);
    for (const one of openConstraints) solver.check(one);
    reportUnproved(solver, report);
    const relations = relationsOf(gained);
    for (const [name, f] of named) {
      const type = solver.resolve(typeOfPart(f));
      if (type._tag !== 'FuncType') continue;
      const isStated = view.signature(name) !== undefined;
      const own = isStated && named.length > 1 ? ownRelations(f) : relations;
      const mentioned = isStated ? new Set(freeTypeVarsOf(own.flatMap((r) => r.args))) : undefined;
      const params = gained.typeParams.filter((v) => mentioned === undefined || mentioned.has(v));
      const general = generalType(type, params, own, solver.canonical);
      if (general !== type || late.has(f)) keep(f, general);
    }
    function ownRelations(f: Func): FuncType['constraints'] {
      const at = named.findIndex(([, g]) => g === f);
      const own = solver.pending.slice(marks[at], marks[at + 1]);
      return relationsOf({
        typeParams: [],
        constraints: gained.constraints.filter((p) => own.includes(p)),
      });
    }
  }

  function rebuilt(): Outcome {
    const restated = withOwnConstraints();
    for (const [name, f] of group) {
      const type = late.has(f) ? solver.resolve(typeOfPart(f)) : undefined;
      if (type?._tag === 'FuncType') view.declare(name, type);
    }
    const types = [...group.values()].flatMap((f) => {
      const type = late.has(f) ? solver.resolve(typeOfPart(f)) : undefined;
      return type?._tag === 'FuncType' ? [type] : [];
    });
    const shared = (v: TypeVar): boolean => types.every((type) => type.typeParams.includes(v));
    const rebuilding: Rebuilding = {
      view,
      ownType: (node) => {
        const { op } = node;
        const isMember = op._tag === 'GlobalVar' && open.types.has(op.nameHint);
        const f = isMember ? group.get(op.nameHint) : ownCalls.get(node);
        const type = f && solver.resolve(typeOfPart(f));
        if (type?._tag !== 'FuncType') return undefined;
        return !isMember || type.typeParams.every(shared) ? type : undefined;
      },
      signature: (name) => (open.types.has(name) ? view.signature(name)?.type : undefined),
      isAnnotated,
      attributesOf: (node) => attributesOf(node, c.ops),
      canonical: solver.canonical,
      assumed: (node) =>
        (solver.assumptions.get(node) ?? []).map((r) => solver.holes.resolveRelation(r)),
    };
    const next = rebuildTyped(late, rebuilding);
    const functions = new Map([...group].map(([name, f]) => [name, next(f) as Func]));
    return { functions, restated };
  }

  /** An annotated function that calls itself states what its body demands of its types. */
  function withOwnConstraints(): Group | undefined {
    let isNew = false;
    const next = [...group].map(([name, f]): [string, Func] => {
      const type = lateType(f);
      const isStated = called.has(name) && !open.types.has(name);
      if (!isStated || type?._tag !== 'FuncType') return [name, f];
      const { constraints, typeParams } = type;
      if (constraints.length === f.constraints.length) return [name, f];
      isNew = true;
      return [name, func(f.params, f.body, { ...f, constraints, typeParams })];
    });
    return isNew ? new Map(next) : undefined;
  }
}
