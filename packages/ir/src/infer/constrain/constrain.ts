/**
 * The second phase visits the nodes of a definition, finds the type of each from the types of its
 * parts, and states the required relations.
 *
 * Most nodes are plain: their parts have closed types and nothing below them is rewritten. Their
 * types go into the table at once. The others are kept aside, with types that may have holes, until
 * the whole definition is solved.
 */
import type { Expr } from '../../expr/expr.ts';
import { assumedRelations, factsIn } from '../../module/type-table.ts';
import type { OpTable } from '../../ops/op-table.ts';
import { isClosed } from '../../types/type.ts';
import { collect, type Group } from '../collect/collect.ts';
import { COMPLETE, type Entry, isBoundSite, RECALL } from '../collect/entry.ts';
import { factsOf } from '../collect/facts.ts';
import { isPlain, typedPart } from '../collect/part.ts';
import {
  enterBody,
  enterClauses,
  enterFunction,
  enterValue,
  generalizeFunction,
} from './binders.ts';
import { attributesOf } from './calls.ts';
import type { Constraints } from './constraints.ts';
import { typeByRule } from './rules.ts';

/** Finds the types of the nodes of a group, and the relations that the solver postpones. */
export function constrain(group: Group, d: Constraints): void {
  d.begin(group);
  collect(group, d.entries, d.view, d.run.generalizes, {
    begin: () => d.marks.push(d.solver.pending.length),
    take: (node, action, entry) => take(node, action, entry, d),
  });
}

function take(node: Expr, action: number, entry: Entry | undefined, d: Constraints): void {
  // The relations that a function states do not hold outside it.
  if (action === COMPLETE && node._tag === 'Function' && node.constraints.length > 0) {
    d.givens = d.givens?.outer;
  }
  d.goTo(node, entry);
  if (action === COMPLETE) complete(node, entry, d);
  else if (action === RECALL) recall(node, d);
  else if (node._tag === 'Function') enterFunction(node, entry, d);
  else if (node._tag === 'Match') enterClauses(node, d);
  else if (node._tag === 'Let' && action === 0) enterValue(node, d);
  else if (node._tag === 'Let') enterBody(node, entry, d);
}

/** The functions around a known node take over the relations that its type assumes. */
function recall(node: Expr, d: Constraints): void {
  const { assumption } = d.view.facts(node);
  if (assumption === undefined) return;
  const assumed = assumedRelations(assumption, d.recalled);
  for (const relation of assumed) d.solver.post(relation, node.span);
}

/** Finds the type of a node whose parts have theirs. */
function complete(node: Expr, entry: Entry | undefined, d: Constraints): void {
  const { solver } = d;
  const { view, stats, goesOn } = d.run;
  goesOn();
  // A variable used before its function is bound has a type by now.
  if (node._tag === 'Var' && entry?.type !== undefined) return;
  const old = view.entry(node);
  stats.visited++;
  if (factsIn(old).isContextual) stats.revisited = (stats.revisited ?? 0) + 1;
  const own = node._tag === 'Call' ? d.recursing.get(node.op) : undefined;
  if (node._tag === 'Call' && own !== undefined) d.ownCalls.set(node, own);
  const waiting = solver.pending.length;
  const { assumed } = solver;
  const plain =
    !hasLatePart(node, d) && isPlain(node, d.hasSignature) && isComplete(node, d.module.ops);
  const type = typeByRule(node, d);
  if (node._tag === 'Function') d.annotations.leave(node);
  if (entry?.literal !== undefined) entry.literal.to = solver.pending.length;
  const isAlone = plain && solver.pending.length === waiting && solver.assumed === assumed;
  const settled = isAlone ? solver.resolve(type) : type;
  // After an error nothing more is kept: the next inference has to find the errors again.
  if (isAlone && d.reports === 0 && isClosed(settled)) {
    view.write(node, settled, factsOf(node, view), old);
  } else d.keep(node, type);
  const site = d.openSites.at(-1);
  if (site === undefined || site.entry !== entry || isBoundSite(entry)) return;
  d.openSites.pop();
  generalizeFunction(site, d);
}

function hasLatePart(node: Expr, { entries }: Constraints): boolean {
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    if (entries.get(part)?.type !== undefined) return true;
  }
  return false;
}

/** Whether nothing has to be written into a node with known parts. */
function isComplete(node: Expr, ops: OpTable): boolean {
  if (node._tag === 'Function') return node.retType !== undefined && isClosed(node.retType);
  return node._tag !== 'Call' || attributesOf(node, ops) === node.attrs;
}
