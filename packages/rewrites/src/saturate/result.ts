/** What a search tells of a region at its end: the chosen program, the costs of all nodes, and the proof. */
import { andThen, ok, postOrder, type Result } from '@baton/base';
import {
  type Direction,
  explain,
  type NodeId,
  proofParts,
  type ReadableEGraph,
  type Term,
} from '@baton/egraph';
import type { IRModule } from '@baton/ir';
import { type Option, optionsOf } from './bias-epilogues.ts';
import type { Found } from './choice.ts';
import type { Costs } from './costs.ts';
import { labelOf } from './language.ts';
import type { Region } from './region.ts';

/** The end of the search in a region. */
export interface SearchResult {
  /** The e-graph of the rounds before. To read, and only while the callback runs. */
  readonly graph: ReadableEGraph;
  /** A node in words, as in a round. */
  readonly label: (node: NodeId) => string;
  /** The cost of a node without its children. */
  readonly costOf: (node: NodeId) => number;
  /** Whether the cheapest program that was found has the node. */
  readonly isChosen: (node: NodeId) => boolean;
  /** The steps of the proof that the cheapest program equals the one before; each after those it needs. */
  readonly proof: () => Result<ReadonlyArray<ProvedStep>>;
}

/** A step of a proof: two terms that a rule makes equal. */
export interface ProvedStep {
  readonly rule: string;
  /** `backward` if the rule leads from the second term to the first. */
  readonly direction: Direction;
  readonly before: string;
  readonly after: string;
}

/** The levels of a term that are printed. */
const DEPTH = 5;

/** The end of the search in a region, in which this was found. */
export function resultOf(region: Region, found: Found, m: IRModule, costs: Costs): SearchResult {
  const { graph } = region;
  const { own, cheapest, nodes } = found;
  let known: ReadonlyMap<NodeId, number> | undefined;
  return {
    graph,
    label: (node) => labelOf(graph.operatorOf(node)),
    costOf: (node) => {
      known ??= nodeCosts(region, m, costs);
      return known.get(node) ?? 0;
    },
    isChosen: (node) => nodes.has(node),
    proof: () =>
      cheapest === undefined
        ? ok([])
        : andThen(explain(graph, own, cheapest, []), (proof) =>
            ok(
              postOrder(proofParts, [proof]).flatMap(({ steps }) =>
                steps.flatMap((step): ProvedStep[] => {
                  if (step._tag === 'Congruence') return [];
                  const [before, after] = [printed(step.from), printed(step.to)];
                  return step._tag === 'Rule'
                    ? [{ rule: step.rule, direction: step.direction, before, after }]
                    : [{ rule: step.reason, direction: 'forward', before, after }];
                }),
              ),
            ),
          ),
  };
}

/** The cost of each node, without its children. */
function nodeCosts(region: Region, m: IRModule, costs: Costs): ReadonlyMap<NodeId, number> {
  const options = optionsOf(region, m, costs);
  const found = new Map<NodeId, number>();
  for (const id of options.classIds()) {
    for (const { payload } of options.nodesOf(id)) {
      const { node, product, cost } = payload as Option;
      if (product === undefined) found.set(node, cost);
    }
  }
  return found;
}

/** A term as calls: `add(%x, multiply(%y, 2))`. Deep parts are left out. */
function printed(root: Term): string {
  let text = '';
  const pending: (readonly [Term, number] | string)[] = [[root, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      text += next;
      continue;
    }
    const [{ name, payload, children }, depth] = next;
    text += labelOf({ name, payload });
    if (children.length === 0) continue;
    if (depth === DEPTH) {
      text += '(…)';
      continue;
    }
    text += '(';
    pending.push(')');
    for (const [i, child] of [...children.entries()].toReversed()) {
      pending.push([child, depth + 1]);
      if (i > 0) pending.push(', ');
    }
  }
  return text;
}
