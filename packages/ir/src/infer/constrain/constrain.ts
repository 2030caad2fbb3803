/**
 * The second phase visits the nodes of a definition, finds the type of each from the types of its
 * parts, and states the required relations.
 *
 * Most nodes are plain: their parts have closed types and nothing below them is rewritten. Their
 * types go into the table at once. The others are kept aside, with types that may have holes, until
 * the whole definition is solved.
 */
import type { Expr } from '../../expr/expr.ts';
import { assumedRelations, factsIn, NO_FACTS } from '../../module/type-table.ts';
import type { OpTable } from '../../ops/op-table.ts';
import { isClosed } from '../../types/type.ts';
import { collect, type Group } from '../collect/collect.ts';
import { COMPLETE, type Entry, isBoundSite, RECALL } from '../collect/entry.ts';
import { isPlain } from '../collect/part.ts';
import type { Run } from '../run.ts';
import { factsOf } from '../write/facts.ts';
import {
  enterBody,
  enterClauses,
  enterFunction,
  enterValue,
  generalizeFunction,
} from './binders.ts';
import { attributesOf } from './calls.ts';
import { Constraints } from './constraints.ts';
import { typeByRule } from './rules.ts';

/** The types of the nodes of a group, and the relations that wait in the solver. */
export function constrain(group: Group, run: Run): Constraints {
  const d = new Constraints(group, run);
  collect(group, d.entries, run.view, run.generalizes, {
    begin: () => d.marks.push(d.solver.pending.length),
    take: (entry, action) => take(entry, action, d),
  });
  return d;
}

function take(entry: Entry, action: number, d: Constraints): void {
  const { node } = entry;
  if (action === COMPLETE) complete(entry, d);
  if (action === RECALL) recall(entry, d);
  if (action < 0) return;
  d.goTo(entry);
  if (node._tag === 'Function') enterFunction(entry, node, d);
  else if (node._tag === 'Match') enterClauses(node, d);
  else if (node._tag === 'Let' && action === 0) enterValue(node, d);
  else if (node._tag === 'Let') enterBody(entry, node, d);
}

/** The functions around a known node take over the relations that its type assumes. */
function recall(entry: Entry, d: Constraints): void {
  const { assumption } = factsIn(entry.old);
  if (assumption === undefined) return;
  d.goTo(entry);
  const assumed = assumedRelations(assumption, d.recalled);
  for (const relation of assumed) d.solver.post(relation, entry.node.span);
}

/** Finds the type of a node whose parts have theirs. */
function complete(entry: Entry, d: Constraints): void {
  const { node } = entry;
  const { solver } = d;
  const { view, stats } = d.run;
  // A variable used before its function is bound has a type by now.
  if (node._tag === 'Var' && entry.isLate) return;
  stats.visited++;
  if (factsIn(entry.old).isContextual) stats.revisited = (stats.revisited ?? 0) + 1;
  if (node._tag === 'Function' && node.constraints.length > 0) d.givens = d.givens?.outer;
  const own = node._tag === 'Call' ? d.recursing.get(node.op) : undefined;
  if (node._tag === 'Call' && own !== undefined) d.ownCalls.set(node, own);
  d.goTo(entry);
  const waiting = solver.pending.length;
  const { assumed } = solver;
  const plain =
    !entry.parts.some((part) => part.isLate) &&
    isPlain(node, d.hasSignature) &&
    isComplete(node, d.module.ops);
  const type = typeByRule(node, d);
  if (node._tag === 'Function') d.annotations.leave(node);
  if (entry.literal !== undefined) entry.literal.to = solver.pending.length;
  const isAlone = plain && solver.pending.length === waiting && solver.assumed === assumed;
  const settled = isAlone ? solver.resolve(type) : type;
  // After an error nothing more is kept: the next inference has to find the errors again.
  if (isAlone && d.reports === 0 && isClosed(settled)) {
    entry.type = settled;
    entry.facts = factsOf(entry, node, d);
    view.write(node, settled, entry.facts, entry.old);
    // Of most nodes the table says all that the entry does.
    if (entry.facts !== NO_FACTS) d.entries.set(node, entry);
  } else {
    d.entries.set(node, entry);
    d.keep(node, type);
  }
  const site = d.openSites.at(-1);
  if (site === undefined || site.entry !== entry || isBoundSite(entry)) return;
  d.openSites.pop();
  generalizeFunction(site, d);
}

/** Whether nothing has to be written into a node with known parts. */
function isComplete(node: Expr, ops: OpTable): boolean {
  if (node._tag === 'Function') return node.retType !== undefined && isClosed(node.retType);
  return node._tag !== 'Call' || attributesOf(node, ops) === node.attrs;
}
