/** The first phase: the nodes of a definition that need types, and the generalized literals. */
import { commonScope, innerScope, rootScope } from '../../analysis/scope-tree.ts';
import { patternVars } from '../../expr/children.ts';
import type { Expr, Func, Var } from '../../expr/expr.ts';
import {
  type Assumption,
  assumedRelations,
  factsIn,
  type TypeView,
} from '../../module/type-table.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import { COMPLETE, type Entry, isSite, newEntry, RECALL, type Steps } from './entry.ts';
import { isAnnotated, typedPart } from './part.ts';

export type Group = ReadonlyMap<string, Func>;

/** Takes the steps of the way through a group: operands first, a let's value before its body. */
export interface Visitor {
  /** The steps of the next function of the group follow. */
  readonly begin: () => void;
  /** `entry` is the node's entry, if other steps may need it. */
  readonly take: (node: Expr, action: number, entry: Entry | undefined) => void;
}

/**
 * Goes through the functions of a group, for the nodes missing from the table and the variables
 * without types. `entries` are those that other steps may ask for. `generalizes`: whether function
 * literals get their most general types.
 *
 * A step is taken as soon as it is found: a plain node needs no entry. From the first function
 * literal on they wait: its uses decide the levels of the nodes inside it.
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
  setLevels(
    waiting.map(({ steps }) => steps),
    entries,
  );
  for (const { isBegun, steps } of waiting) {
    if (!isBegun) visitor.begin();
    for (let i = 0; i < steps.entries.length; i++) {
      const entry = steps.entries[i] as Entry;
      visitor.take(entry.node, steps.actions[i] as number, entry);
    }
  }
}

interface Collecting {
  readonly entries: Map<Expr, Entry>;
  readonly view: TypeView;
  readonly generalizes: boolean;
  readonly visitor: Visitor;
  /** The nodes above, and for each the number of the part that comes next. */
  readonly open: Expr[];
  readonly positions: number[];
  /** The postponed steps, if a function literal was visited. */
  steps: Steps;
  waits: boolean;
}

function walk(c: Collecting): void {
  const { open, positions } = c;
  for (let top = open.length - 1; top >= 0; top = open.length - 1) {
    const node = open[top] as Expr;
    const at = positions[top] as number;
    if (binds(node, at, c)) take(node, at, c);
    const part = typedPart(node, at);
    positions[top] = at + 1;
    if (part !== undefined) enter(part, c);
    else {
      open.pop();
      positions.pop();
      take(node, COMPLETE, c);
    }
  }
}

function take(node: Expr, action: number, c: Collecting): void {
  const { entries, steps } = c;
  let entry = entries.get(node);
  if (!c.waits) {
    c.visitor.take(node, action, entry);
    return;
  }
  if (entry === undefined) {
    entry = newEntry(node);
    // A node that the table knows needs no findings.
    if (action !== RECALL) entries.set(node, entry);
  }
  steps.entries.push(entry);
  steps.actions.push(action);
}

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
      if (assumption !== undefined) take(node, RECALL, c);
      return;
    }
  }
  const isLiteral = c.generalizes && node._tag === 'Function' && c.open.length > 0;
  if (isLiteral) {
    c.waits = true;
    c.entries.set(node, newEntry(node, { uses: 1, isValue: false, from: 0, to: 0 }));
  }
  if (node._tag === 'Var') {
    c.entries.set(node, newEntry(node));
    take(node, COMPLETE, c);
  } else {
    c.open.push(node);
    c.positions.push(0);
  }
}

/** Whether the functions around declare the type parameters in an assumption. */
const isDeclared = (assumption: Assumption, { open }: Collecting): boolean =>
  assumedRelations(assumption)
    .flatMap((relation) => freeTypeVarsOf(relation.args))
    .every((v) => open.some((node) => node._tag === 'Function' && node.typeParams.includes(v)));

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
 * Sets how many function literals that are generalized on their own stand around each node but
 * variables, which get theirs where they are bound. A node that is used inside and outside such a function belongs
 * outside: it is typed there, once.
 *
 * **Complexity** O(log depth) an edge.
 */
function setLevels(members: ReadonlyArray<Steps>, entries: ReadonlyMap<Expr, Entry>): void {
  const root = rootScope();
  for (let member = members.length - 1; member >= 0; member--) {
    const { entries: steps, actions } = members[member] as Steps;
    for (let i = steps.length - 1; i >= 0; i--) {
      if (actions[i] !== COMPLETE) continue;
      const entry = steps[i] as Entry;
      const { node } = entry;
      const around = entry.home ?? root;
      const home = isSite(entry) ? innerScope(around) : around;
      entry.home = home;
      for (
        let at = 0, part = typedPart(node, 0);
        part !== undefined;
        part = typedPart(node, ++at)
      ) {
        const below = part._tag === 'Var' ? undefined : entries.get(part);
        if (below === undefined || below.home === home) continue;
        below.home = below.home === undefined ? home : (commonScope(below.home, home) ?? root);
      }
    }
  }
}
