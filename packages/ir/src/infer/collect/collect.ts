/**
 * The first phase finds the nodes of a definition that need types, in the order of visiting, and the
 * function literals that are generalized on their own.
 */
import { commonScope, innerScope, rootScope } from '../../analysis/scope-tree.ts';
import { patternVars } from '../../expr/children.ts';
import { globalVar } from '../../expr/construct.ts';
import type { Expr, Func, Var } from '../../expr/expr.ts';
import {
  type Assumption,
  assumedRelations,
  factsIn,
  NO_FACTS,
  type TypeView,
} from '../../module/type-table.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import { OUTERMOST_LEVEL } from '../solve/holes.ts';
import { COMPLETE, type Entry, isSite, newEntry, RECALL, type Steps } from './entry.ts';
import { isAnnotated, typedParts } from './part.ts';

/** The functions of a group, by name. */
export type Group = ReadonlyMap<string, Func>;

/** Takes the steps of the way through a group: operands first, a let's value before its body. */
export interface Visitor {
  /** The steps of the next function of the group follow. */
  readonly begin: () => void;
  readonly take: (entry: Entry, action: number) => void;
}

/**
 * Goes through the functions of a group, for the nodes missing from the table and the variables
 * without types. `entries` are those that other steps may ask for. `generalizes`: whether function
 * literals get their most general types.
 *
 * A step is taken as soon as it is found, so that the entry of a plain node lives as short as its walk.
 * From the first function literal on they wait: its uses decide the levels of the nodes inside it.
 *
 * **Complexity** linear in the nodes that need types and their edges.
 */
export function collect(
  group: Group,
  entries: Map<Expr, Entry>,
  view: TypeView,
  generalizes: boolean,
  visitor: Visitor,
): void {
  const c: Collecting = {
    entries,
    view,
    generalizes,
    visitor,
    open: [],
    below: [],
    positions: [],
    steps: { entries: [], actions: [] },
    waits: false,
  };
  const waiting = [...group.values()].map((f) => {
    const isBegun = !c.waits;
    if (isBegun) visitor.begin();
    c.steps = { entries: [], actions: [] };
    enter(f, c);
    walk(c);
    return { isBegun, steps: c.steps };
  });
  if (!c.waits) return;
  setLevels(waiting.map(({ steps }) => steps));
  for (const { isBegun, steps } of waiting) {
    if (!isBegun) visitor.begin();
    for (const [i, entry] of steps.entries.entries())
      visitor.take(entry, steps.actions[i] as number);
  }
}

/** The state of the walk. */
interface Collecting {
  readonly entries: Map<Expr, Entry>;
  readonly view: TypeView;
  readonly generalizes: boolean;
  readonly visitor: Visitor;
  /** The nodes above, the parts of each, and the number of the part that comes next. */
  readonly open: Entry[];
  readonly below: ReadonlyArray<Expr>[];
  readonly positions: number[];
  /** The steps that wait, if a function literal was met. */
  steps: Steps;
  waits: boolean;
}

function walk(c: Collecting): void {
  const { open, below, positions } = c;
  for (let top = open.length - 1; top >= 0; top = open.length - 1) {
    const entry = open[top] as Entry;
    const parts = below[top] as ReadonlyArray<Expr>;
    const at = positions[top] as number;
    if (binds(entry.node, at, c)) take(entry, at, c);
    const part = parts[at];
    positions[top] = at + 1;
    if (part !== undefined) enter(part, c);
    else {
      // Parts that rest on nothing matter to the levels alone, which only steps that wait have.
      const found = parts.map((one) => entryOf(one, c));
      if (c.waits || found.some((one) => one !== KNOWN)) entry.parts = found;
      open.pop();
      below.pop();
      positions.pop();
      if (c.waits) c.entries.set(entry.node, entry);
      take(entry, COMPLETE, c);
    }
  }
}

function take(entry: Entry, action: number, { steps, waits, visitor }: Collecting): void {
  if (waits) {
    steps.entries.push(entry);
    steps.actions.push(action);
  } else visitor.take(entry, action);
}

/** The entry of a part that was gone through, or that the table knows. */
function entryOf(part: Expr, { entries, view }: Collecting): Entry {
  if (part._tag === 'Var' && isAnnotated(part)) return KNOWN;
  const found = entries.get(part);
  if (found !== undefined) return found;
  const facts = view.facts(part);
  return facts === NO_FACTS ? KNOWN : { ...KNOWN, facts };
}

/** A part whose type is known and rests on nothing. */
const KNOWN = newEntry(globalVar(''));

/** Enters a node if its type has to be found. */
function enter(node: Expr, c: Collecting): void {
  if (node._tag === 'Var' && isAnnotated(node)) return;
  const met = c.entries.get(node);
  if (met !== undefined) {
    if (met.literal !== undefined) met.literal.uses++;
    return;
  }
  const old = c.view.entry(node);
  if (old !== undefined && c.view.holds(old)) {
    const { assumption, isContextual } = factsIn(old);
    if (!isContextual && (assumption === undefined || isDeclared(assumption, c))) {
      if (assumption !== undefined) take(newEntry(node, old), RECALL, c);
      return;
    }
  }
  const isLiteral = c.generalizes && node._tag === 'Function' && c.open.length > 0;
  if (isLiteral) c.waits = true;
  const literal = isLiteral ? { uses: 1, isValue: false, from: 0, to: 0 } : undefined;
  const entry = newEntry(node, old, literal);
  // Nothing mentions another node before it is complete.
  if (node._tag === 'Var' || isLiteral) c.entries.set(node, entry);
  if (node._tag === 'Var') take(entry, COMPLETE, c);
  else {
    c.open.push(entry);
    c.below.push(typedParts(node));
    c.positions.push(0);
  }
}

/** Whether functions around this place have the type parameters in an assumption. */
const isDeclared = (assumption: Assumption, { open }: Collecting): boolean =>
  assumedRelations(assumption)
    .flatMap((relation) => freeTypeVarsOf(relation.args))
    .every((v) => open.some(({ node }) => node._tag === 'Function' && node.typeParams.includes(v)));

/** Whether a node has something to bind before a part, which is entered then. */
function binds(node: Expr, index: number, c: Collecting): boolean {
  switch (node._tag) {
    case 'Function':
      if (index === 0) declare(node.params, c);
      return index === 0;
    case 'Let': {
      if (index === 0 && node.value._tag === 'Function') {
        c.waits ||= c.generalizes;
        return true;
      }
      if (index !== 1) return false;
      const value = node.value._tag === 'Function' && c.entries.get(node.value)?.literal;
      if (value) value.isValue = true;
      if (!isAnnotated(node.variable)) declare([node.variable], c);
      return true;
    }
    case 'Match':
      if (index !== 1) return false;
      for (const { pattern } of node.clauses) declare(patternVars(pattern), c);
      return true;
    default:
      return false;
  }
}

/** Variables that are bound are not looked at where they are used. */
function declare(variables: ReadonlyArray<Var>, { entries }: Collecting): void {
  for (const v of variables) {
    if (!isAnnotated(v) && !entries.has(v)) entries.set(v, newEntry(v));
  }
}

/**
 * Sets how many function literals that are generalized on their own stand around each node that has
 * parts: no hole arises at the others. A node that is used inside and outside such a function belongs
 * outside: it is typed there, once.
 *
 * **Complexity** O(log depth) an edge.
 */
function setLevels(members: ReadonlyArray<Steps>): void {
  const root = rootScope();
  for (let member = members.length - 1; member >= 0; member--) {
    const { entries, actions } = members[member] as Steps;
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i] as Entry;
      if (actions[i] !== COMPLETE || entry.parts.length === 0) continue;
      const around = entry.home ?? root;
      const home = isSite(entry) ? innerScope(around) : around;
      entry.home = home;
      entry.level = OUTERMOST_LEVEL + home.depth;
      for (const below of entry.parts) {
        if (below.parts.length === 0 || below.home === home) continue;
        below.home = below.home === undefined ? home : (commonScope(below.home, home) ?? root);
      }
    }
  }
}
