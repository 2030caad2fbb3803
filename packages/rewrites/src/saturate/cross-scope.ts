/** What crosses the borders of blocks: branches that are decided, and functions that are called. */
import type { ClassId } from '@baton/egraph';
import {
  type Call,
  type Expr,
  effectOf,
  type GlobalVar,
  type If,
  type IRModule,
  isContextual,
  isStateful,
  typeEqual,
  typeOf,
} from '@baton/ir';
import { withTypeOf } from '@baton/pass-manager';
import { readNumber } from '@baton/tensor';
import { constantOf } from '../rule/matched-value.ts';
import { inPlaceOf } from './aliases.ts';
import type { Block, Blocks } from './blocks.ts';
import type { BlockChoice } from './choice.ts';
import {
  type InlineCandidate,
  type Instance,
  inlineCandidates,
  instanceOf,
} from './inline-candidate.ts';
import { FUNCTION_CALL, standIn } from './language.ts';
import { exprOf, type Region, saysMore } from './region.ts';
import { addBlock } from './regions.ts';

/** The rows of steps across borders. */
export const CROSS_SCOPE_ROWS = {
  branch: 'branch of a known condition',
  body: 'body of a called function',
} as const;

/**
 * The most nodes of a body that stands in the place of a call, with the bodies of all that it calls;
 * and of all in a function. Of a chain of functions, those far up are not copied one by one.
 */
const MAX_INLINED = 200;
const MAX_COPIED = 4_000;
/** The most bodies in each other: their blocks are searched from within. */
const MAX_NESTED = 8;

/** Takes all steps across borders that are possible in a block, and says how many there were. */
export type Cross = (region: Region) => number;

/** The blocks of a function while they are searched. */
export interface Search {
  readonly m: IRModule;
  readonly blocks: Blocks;
  readonly choiceOf: (block: Block) => BlockChoice;
  /** Chooses what a block computes, after those inside it. */
  readonly enter: (block: Block) => void;
}

/** The steps in a function. */
interface Crossing extends Search {
  readonly calleeOf: (name: string) => InlineCandidate | undefined;
  /** The expressions that were looked at. */
  readonly done: Set<Expr>;
  /** The number of nodes that copies may still have, and of copies in each other. */
  room: number;
  levels: number;
}

/**
 * Steps across the borders of the blocks of a function. A branch is united with its `if` once the
 * condition is a constant, and a copy of the body of a function with its call: of a global function
 * that is not recursive and has at most 200 nodes with all that it calls. A copy has variables and blocks of its own; these
 * are searched with what is known of the arguments.
 *
 * An `if` whose condition is known is left out of its class, and a call whose arguments or body others
 * notice once there is a copy: only one of the two may be evaluated.
 */
export function crossing(search: Search): Cross {
  const { m, blocks, choiceOf, enter } = search;
  const crossing: Crossing = {
    m,
    blocks,
    choiceOf,
    enter,
    calleeOf: inlineCandidates(m),
    done: new Set(),
    room: MAX_COPIED,
    levels: MAX_NESTED,
  };
  return (region) => {
    let steps = openCalls(crossing, region);
    for (const node of region.closed()) {
      if (crossing.done.has(node)) continue;
      if (node._tag === 'If' && branch(crossing, node, region)) steps++;
      if (node._tag === 'Call' && closedCall(crossing, node, region)) steps++;
    }
    return steps;
  };
}

/** Adds a copy and its blocks, and returns its class. */
function place(crossing: Crossing, { expr, given }: Instance, region: Region): ClassId {
  const { m, blocks, choiceOf, enter } = crossing;
  // Asked of the whole, effects are known of all that its variables are bound to.
  effectOf(m, expr);
  const entered = [...blocks.enter(expr)];
  const root = entered.pop() as Block;
  crossing.levels--;
  for (const block of entered) enter(block);
  crossing.levels++;
  for (const [leaf, id] of given) region.stand(leaf, id);
  addBlock(region, root, blocks, choiceOf);
  return region.classOf(expr);
}

/** Unites a class with what crosses the border, unless it says less of its type. */
function unite(
  id: ClassId,
  made: ClassId,
  region: Region,
  row: keyof typeof CROSS_SCOPE_ROWS,
): boolean {
  const { graph, m, count } = region;
  if (graph.find(id) === graph.find(made)) return false;
  const [was, now] = [typeOf(m, region.termOf(id)), typeOf(m, region.termOf(made))];
  if (was === undefined || now === undefined) return false;
  if (!typeEqual(was, now)) {
    if (!region.tellsMore || !saysMore(now, was)) return false;
    region.refine();
  }
  graph.union(id, made, CROSS_SCOPE_ROWS[row]);
  count(CROSS_SCOPE_ROWS[row]);
  return true;
}

/** Unites the branch that is taken with its `if`. */
function branch(crossing: Crossing, node: If, region: Region): boolean {
  const { m, blocks, choiceOf, done } = crossing;
  const condition = constantOf(region.termOf(region.classOf(node.cond)));
  if (condition === undefined || isStateful(m, node)) return false;
  done.add(node);
  const taken = readNumber(condition, 0) ? node.trueBranch : node.falseBranch;
  const inner = blocks.openedBy(node).find(({ result }) => result === taken);
  if (inner === undefined) region.addOuter(taken);
  const id = inner === undefined ? region.classOf(taken) : region.addChosen(choiceOf(inner).root);
  const own = typeOf(m, region.termOf(id));
  if (own === undefined) return false;
  const leaf = standIn(own, region.isTotal(id));
  const expr = isContextual(m, taken) ? withTypeOf(m, node, leaf) : inPlaceOf(node, leaf, region);
  const made = place(crossing, { expr, given: new Map([[leaf, id]]) }, region);
  if (!unite(region.classOf(node), made, region, 'branch')) return false;
  region.leaveOut(node);
  return true;
}

/** The class of a copy of a function's body for a call. */
function body(
  crossing: Crossing,
  call: Call,
  args: ReadonlyArray<ClassId>,
  region: Region,
): ClassId | undefined {
  if (crossing.levels <= 0) return undefined;
  const callee = call.op._tag === 'GlobalVar' ? crossing.calleeOf(call.op.nameHint) : undefined;
  if (callee === undefined || callee.wholeSize > MAX_INLINED) return undefined;
  if (callee.size > crossing.room) return undefined;
  const instance = instanceOf(callee, call, args, region);
  if (instance === undefined) return undefined;
  crossing.room -= callee.size;
  return place(crossing, instance, region);
}

/** Unites a copy with a call into which the region does not look. */
function closedCall(crossing: Crossing, node: Call, region: Region): boolean {
  crossing.done.add(node);
  if (node.op._tag !== 'GlobalVar') return false;
  const args = node.args.map((arg) => region.classOf(arg));
  const made = body(crossing, node, args, region);
  if (made === undefined || !unite(region.classOf(node), made, region, 'body')) return false;
  region.leaveOut(node);
  return true;
}

/** Unites copies with the calls into which the region looks. */
function openCalls(crossing: Crossing, region: Region): number {
  let steps = 0;
  for (const { id, name, call, args } of callsIn(region)) {
    if (!region.isNew(`${FUNCTION_CALL} ${name}(${args.join()})`)) continue;
    if (!args.every((arg) => region.isTotal(arg))) continue;
    const made = body(crossing, call, args, region);
    if (made !== undefined && unite(id, made, region, 'body')) steps++;
  }
  return steps;
}

interface OpenCall {
  readonly id: ClassId;
  readonly name: string;
  readonly call: Call;
  readonly args: ReadonlyArray<ClassId>;
}

/** The calls of global functions into which a region looks. */
function callsIn(region: Region): ReadonlyArray<OpenCall> {
  const { graph, names, m } = region;
  if (!names.has(FUNCTION_CALL)) return [];
  return graph.classesForOp(FUNCTION_CALL).flatMap((id) =>
    graph.nodes(id).flatMap((node) => {
      const { name, payload } = graph.operatorOf(node);
      if (name !== FUNCTION_CALL) return [];
      const args = graph.childrenOf(node);
      const terms = args.map((arg) => region.termOf(arg));
      const made = exprOf(name, payload, terms, m) as Call;
      return [{ id, name: (payload as GlobalVar).nameHint, call: made, args }];
    }),
  );
}
