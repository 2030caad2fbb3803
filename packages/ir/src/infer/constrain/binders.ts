/** The types of the variables that functions, lets and matches bind. */
import { patternVars } from '../../expr/children.ts';
import type { Func, Let, Match, Var } from '../../expr/expr.ts';
import { partSpan } from '../../expr/part-span.ts';
import { type FuncType, funcType, type Type } from '../../types/type.ts';
import { type Entry, isBoundSite, isSite, levelOf } from '../collect/entry.ts';
import { isAnnotated } from '../collect/part.ts';
import {
  additionsOf,
  generalize,
  generalType,
  withoutRepetitions,
} from '../generalize/generalize.ts';
import type { Where } from '../solve/relations.ts';
import { fitLiterals } from '../solve/settle.ts';
import type { Constraints, OpenSite } from './constraints.ts';
import { demandType, speaksOfLiterals } from './demand.ts';
import { checkPattern } from './patterns.ts';

/** Binds the parameters of a function, whose relations hold from here on. */
export function enterFunction(node: Func, entry: Entry | undefined, d: Constraints): void {
  const { solver, annotations } = d;
  const mark = solver.pending.length;
  if (entry !== undefined && isSite(entry)) d.openSites.push({ entry, mark });
  else if (entry?.literal !== undefined) entry.literal.from = mark;
  annotations.enter(node);
  for (const param of node.params) {
    if (isAnnotated(param)) continue;
    d.entryOf(param).binding = { isParameter: true, around: annotations.around };
    d.typeOf(param);
  }
  if (node.constraints.length === 0) return;
  solver.solve();
  for (const relation of node.constraints) solver.post(relation, node.span);
  d.givens = solver.assuming(node.constraints, d.givens);
}

export function enterClauses(node: Match, d: Constraints): void {
  const before = d.reports;
  for (const { pattern } of node.clauses) {
    for (const v of patternVars(pattern)) bindName(v, d);
    checkPattern(pattern, d.typeOf(node.data), d, (v, type) => {
      if (v.typeAnnotation === undefined) d.keep(v, type);
      else d.solver.unify(d.typeOf(v), type, 'a value', v.span ?? pattern.span);
    });
  }
  if (d.reports > before) d.misfits.add(node);
}

/** Before the value of a let: inside its own body a function has one type, which belongs to it. */
export function enterValue(node: Let, d: Constraints): void {
  const value = d.entries.get(node.value);
  if (value === undefined || !isBoundSite(value)) return;
  d.goTo(node, value);
  d.typeOf(node.variable);
  d.recursing.set(node.variable, value.node as Func);
}

/** Before the body of a let, whose value is known. */
export function enterBody(node: Let, entry: Entry | undefined, d: Constraints): void {
  if (d.recursing.size > 0) d.recursing.delete(node.variable);
  const site = d.openSites.at(-1);
  if (site === undefined || site.entry.node !== node.value) bindVariable(node, d);
  else {
    d.openSites.pop();
    bindFunction(node, entry, site, d);
  }
}

function bindName(v: Var, d: Constraints): void {
  d.annotations.check(v.typeAnnotation, v.span);
  if (isAnnotated(v)) return;
  d.entryOf(v).binding = { isParameter: false, around: d.annotations.around };
}

function bindVariable(node: Let, d: Constraints): void {
  const { variable, value } = node;
  const found = d.typeOf(value);
  const span: Where = () => partSpan(node, 0);
  bindName(variable, d);
  const stated = variable.typeAnnotation;
  if (stated !== undefined) d.demand(stated, value, 'a value', span);
  if (isAnnotated(variable)) return;
  // The variable has a type already if the value, a function, calls itself.
  const used = d.lateType(variable);
  if (used !== undefined && used !== stated) d.solver.unify(used, found, 'a value', span);
  d.keep(variable, stated ?? found);
}

/** Like `bindVariable`, for a function that gets its most general type. */
function bindFunction(node: Let, entry: Entry | undefined, site: OpenSite, d: Constraints): void {
  const { solver } = d;
  const { variable, value } = node;
  const span = node.span ?? value.span;
  const stated = variable.typeAnnotation;
  const polymorphic = stated?._tag === 'FuncType' && stated.typeParams.length > 0 && stated;
  const used = d.lateType(variable);
  if (used !== undefined && used !== stated) {
    const own = solver.head(d.typeOf(value));
    const mono = own._tag === 'FuncType' ? funcType(own.params, own.result) : own;
    solver.unify(used, mono, 'a value', span);
  }
  if (stated !== undefined && !polymorphic) {
    solver.unify(stated, d.typeOf(value), 'a value', span);
  }
  const general = generalizeFunction(site, d);
  bindName(variable, d);
  if (!isAnnotated(variable)) d.keep(variable, polymorphic || general);
  const meet = (found: Type): void => {
    if (polymorphic) demandType(polymorphic, found, 'a value', span, solver);
  };
  if (general._tag !== 'FuncType' || !speaksOfLiterals(general, solver)) {
    meet(general);
    return;
  }
  // Relations about literals are compared later.
  const isAlike = general.constraints.length === (polymorphic ? polymorphic.constraints.length : 0);
  if (isAlike) meet(general);
  const { givens } = d;
  d.unsettled.push(() => {
    const settled = withoutRepetitions(general, solver);
    d.keep(value, settled);
    if (d.lateType(variable) === general) d.keep(variable, settled);
    solver.goTo(node, givens, levelOf(entry));
    if (!isAlike) meet(settled);
  });
}

/** Generalizes a function; one without a let, only over its declared parameters. */
export function generalizeFunction({ entry, mark }: OpenSite, d: Constraints): Type {
  const { solver } = d;
  const { constraints, typeParams } = entry.node as Func;
  const type = solver.resolve(d.typeOf(entry.node));
  if (type._tag !== 'FuncType') return type;
  if (constraints.length > 0) fitLiterals(mark, constraints, solver);
  const roots = isBoundSite(entry) ? [type] : [];
  const gained = generalize(roots, typeParams, { level: levelOf(entry), mark }, solver);
  for (const one of gained.constraints) {
    solver.assume(one);
    if (solver.holes.openHoles(one.relation.args).size > 0) d.openConstraints.push(one);
  }
  const general = generalType(
    solver.resolve(type) as FuncType,
    additionsOf(gained, solver),
    solver,
  );
  if (general !== type) d.keep(entry.node, general);
  return general;
}
