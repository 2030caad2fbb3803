/**
 * The changes of a pass to the operator calls of a module, by provenance: a call that is rebuilt
 * because an operand changed keeps its operator and its origin, and counts as the same call.
 */
import { spanLeaves } from '@baton/base';
import { type Call, type Expr, type IRModule, postOrderExprs } from '@baton/ir';
import { cut } from './cut.ts';
import type { CallGroup } from './data.ts';
import { placeText } from './places.ts';
import type { TextTable } from './text-table.ts';

export interface CallDiff {
  readonly removed: ReadonlyArray<CallGroup>;
  readonly added: ReadonlyArray<CallGroup>;
  /** Calls of the same operator with more origins than before: they were merged with others. */
  readonly rewritten: ReadonlyArray<CallGroup>;
}

/** The most calls of a group whose origins are listed; the group counts all. */
const MAX_LISTED_CALLS = 200;

/** The most origins listed for a call: after folding it may have a thousand. */
const MAX_LISTED_PLACES = 12;

/** The difference between two modules, the second of which was made from the first. */
export function diffCalls(before: IRModule, after: IRModule, texts: TextTable): CallDiff {
  if (before === after) return { removed: [], added: [], rewritten: [] };
  const [old, next] = [placedNodes(before), placedNodes(after)];
  const gone = withoutTwins(old.calls, next.calls);
  const come = withoutTwins(next.calls, old.calls);
  const heirs = heirsOf(come, next.constants);
  const removed: Fate[] = [];
  const rewritten: Fate[] = [];
  const continued = new Set<Placed>();
  for (const call of gone) {
    const same = heirs(call).find((h) => h.op === call.op && !continued.has(h));
    if (same === undefined) removed.push({ call, into: namesOf(heirs(call)) });
    else {
      continued.add(same);
      rewritten.push({ call: same, into: '' });
    }
  }
  const added = come.filter((c) => !continued.has(c)).map((call) => ({ call, into: '' }));
  return {
    removed: grouped(removed, texts),
    added: grouped(added, texts),
    rewritten: grouped(rewritten, texts),
  };
}

const MAX_NAMES = 3;

interface Placed {
  readonly op: string;
  readonly places: ReadonlyArray<string>;
  readonly key: string;
}

interface Fate {
  readonly call: Placed;
  readonly into: string;
}

const CONSTANT = 'a constant';

function placedNodes(m: IRModule): {
  readonly calls: ReadonlyArray<Placed>;
  readonly constants: ReadonlyArray<Placed>;
} {
  const calls: Placed[] = [];
  const constants: Placed[] = [];
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (isOperatorCall(node)) calls.push(placed(node, node.op.name));
    if (node._tag === 'Constant') constants.push(placed(node, CONSTANT));
  }
  return { calls, constants };
}

const isOperatorCall = (node: Expr): node is Call & { readonly op: { readonly _tag: 'Op' } } =>
  node._tag === 'Call' && node.op._tag === 'Op';

function placed(node: Expr, op: string): Placed {
  const places = [...new Set(spanLeaves(node.span).map(placeText))];
  return { op, places, key: `${op}\n${[...places].sort().join('\n')}` };
}

/** The items of `all` without a counterpart in `others` of the same key; each counts once. */
export function withoutTwins<A extends { readonly key: string }>(
  all: ReadonlyArray<A>,
  others: ReadonlyArray<A>,
): ReadonlyArray<A> {
  const twins = new Map<string, number>();
  for (const { key } of others) twins.set(key, (twins.get(key) ?? 0) + 1);
  return all.filter(({ key }) => {
    const left = twins.get(key) ?? 0;
    twins.set(key, left - 1);
    return left <= 0;
  });
}

/** The replacements of a call: the new calls, or else constants, with the same origins. */
function heirsOf(
  calls: ReadonlyArray<Placed>,
  constants: ReadonlyArray<Placed>,
): (call: Placed) => ReadonlyArray<Placed> {
  const [callsAt, constantsAt] = [byPlace(calls), byPlace(constants)];
  return ({ places }) => {
    const [first, ...rest] = places;
    if (first === undefined) return [];
    const covers = (heir: Placed) => rest.every((place) => heir.places.includes(place));
    const found = (callsAt.get(first) ?? []).filter(covers);
    return found.length > 0 ? found : (constantsAt.get(first) ?? []).filter(covers).slice(0, 1);
  };
}

function byPlace(nodes: ReadonlyArray<Placed>): ReadonlyMap<string, ReadonlyArray<Placed>> {
  const index = new Map<string, Placed[]>();
  for (const node of nodes) {
    for (const place of node.places) {
      const there = index.get(place);
      if (there === undefined) index.set(place, [node]);
      else there.push(node);
    }
  }
  return index;
}

/** The operators of some calls, without repetition, the first few by name. */
function namesOf(calls: ReadonlyArray<Placed>): string {
  const names = [...new Set(calls.map((call) => call.op))];
  return names.length <= MAX_NAMES
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;
}

function grouped(fates: ReadonlyArray<Fate>, texts: TextTable): ReadonlyArray<CallGroup> {
  const groups = new Map<string, Fate[]>();
  for (const fate of fates) {
    const key = `${fate.call.op}\n${fate.into}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fate]);
    else group.push(fate);
  }
  return [...groups.values()]
    .map((group) => ({
      op: cut(group[0]?.call.op ?? ''),
      into: cut(group[0]?.into ?? ''),
      count: group.length,
      places: group
        .slice(0, MAX_LISTED_CALLS)
        .map(({ call }) => call.places.slice(0, MAX_LISTED_PLACES).map(texts.add)),
    }))
    .sort((a, b) => b.count - a.count || (a.op < b.op ? -1 : 1));
}
