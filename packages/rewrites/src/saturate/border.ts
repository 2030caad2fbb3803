/** What crosses the borders of blocks: branches that are decided, and functions that are called. */
import { postOrder } from '@baton/base';
import type { ClassId } from '@baton/egraph';
import {
  callGraph,
  type Expr,
  type Func,
  type GlobalVar,
  type IRModule,
  isStateful,
  typeEqual,
  typeOf,
  type Var,
} from '@baton/ir';
import { isOpaque } from '@baton/pass-manager';
import { readNumber } from '@baton/tensor';
import { constantOf } from '../rule/term.ts';
import { type Block, type Blocks, blocksOf } from './blocks.ts';
import { type BlockChoice, ownChoice } from './choice.ts';
import { type Chosen, FUNCTION_CALL, makeLanguage, OPAQUE, type OpaqueNode } from './language.ts';
import { withoutNames } from './names.ts';
import { isLikeEqualOnes, type Region } from './region.ts';
import { regionFor } from './regions.ts';

/** The rows of steps across borders. */
export const BORDER_ROWS = {
  branch: 'branch of a known condition',
  body: 'body of a called function',
} as const;

/** The body of a function, which may stand in the place of a call. */
interface Body {
  readonly params: ReadonlyArray<Var>;
  readonly root: Chosen;
}

/** The most nodes of a body that stands in the place of a call. */
const MAX_INLINED = 200;

/** Takes all steps across borders that are possible in a block, and says how many there were. */
export type Cross = (block: Block, region: Region) => number;

/**
 * Steps across the borders of the blocks of a function. A branch is united with its `if` once the
 * condition is a constant, and the body of a function with its call: of a literal, and of a global
 * function that is not recursive and has at most 200 nodes, where all arguments are total: a body may not
 * use them. Bodies that open blocks stay where they
 * are, since a copy would bind the same variables.
 */
export function crossing(
  m: IRModule,
  blocks: Blocks,
  choiceOf: (block: Block) => BlockChoice,
): Cross {
  const done = new Set<Expr>();
  const bodyOf = globalBodies(m);
  const choiceFor = (opener: Expr, result: Expr): Chosen | undefined => {
    const block = blocks.openedBy(opener).find((opened) => opened.result === result);
    return block && choiceOf(block).root;
  };
  const branch = (node: Expr, region: Region): ClassId | undefined => {
    if (node._tag !== 'If' || isStateful(m, node)) return undefined;
    const condition = constantOf(region.termOf(region.classOf(node.cond)));
    if (condition === undefined) return undefined;
    const taken = readNumber(condition, 0) ? node.trueBranch : node.falseBranch;
    return addBlock(region, choiceFor(node, taken), taken, new Map());
  };
  const literal = (node: Expr, region: Region): ClassId | undefined => {
    if (node._tag !== 'Call' || node.op._tag !== 'Function') return undefined;
    const { op, args } = node;
    if (!isPlain(op) || !isLikeEqualOnes(m, node)) return undefined;
    const root = choiceFor(op, op.body);
    if (root !== undefined && !isFlat(root, blocks)) return undefined;
    const ids = args.map((arg) => region.classOf(arg));
    if (!ids.every((id) => region.isTotal(id))) return undefined;
    const known = op.params.map((param, i) => [param, ids[i] as ClassId] as const);
    return addBlock(region, root, op.body, new Map(known));
  };
  const calls = (region: Region): number => {
    let steps = 0;
    for (const { id, name, children } of callsIn(region)) {
      if (!region.isNew(`${FUNCTION_CALL} ${name}(${children.join()})`)) continue;
      const body = bodyOf(name);
      if (body === undefined || !children.every((arg) => region.isTotal(arg))) continue;
      const known = body.params.map((param, i) => [param, children[i] as ClassId] as const);
      if (unite(region, id, region.addChosen(body.root, new Map(known)), 'body')) steps++;
    }
    return steps;
  };
  return (block, region) => {
    let steps = 0;
    for (const node of block.nodes) {
      if (done.has(node)) continue;
      const taken = branch(node, region);
      const id = taken ?? literal(node, region);
      if (id === undefined) continue;
      done.add(node);
      if (unite(region, region.classOf(node), id, taken === undefined ? 'body' : 'branch')) steps++;
    }
    return steps + calls(region);
  };
}

/** Whether the body of a function may stand in the place of a call. */
const isPlain = (f: Func): boolean => !isHidden(f) && f.typeParams.length === 0;

const isHidden: (f: Func) => boolean = isOpaque;

function addBlock(
  region: Region,
  root: Chosen | undefined,
  result: Expr,
  known: ReadonlyMap<Expr, ClassId>,
): ClassId {
  if (root !== undefined) return region.addChosen(root, known);
  region.addOuter(result);
  return region.classOf(result);
}

/** Whether no node of a choice opens a block. */
const isFlat = (root: Chosen, blocks: Blocks): boolean =>
  postOrder<Chosen>(({ children }) => children, [root]).every(
    ({ name, payload }) =>
      name !== OPAQUE || blocks.openedBy((payload as OpaqueNode).expr).length === 0,
  );

/** Unites a node with what crosses the border, unless their types differ. */
function unite(region: Region, id: ClassId, made: ClassId, row: keyof typeof BORDER_ROWS): boolean {
  const { graph, m, count } = region;
  if (graph.find(id) === graph.find(made)) return false;
  const [was, now] = [typeOf(m, region.termOf(id)), typeOf(m, region.termOf(made))];
  if (was === undefined || now === undefined || !typeEqual(was, now)) return false;
  graph.union(id, made, BORDER_ROWS[row]);
  count(BORDER_ROWS[row]);
  return true;
}

interface GlobalCall {
  readonly id: ClassId;
  readonly name: string;
  readonly children: ReadonlyArray<ClassId>;
}

/** The calls of global functions in a region. */
const callsIn = ({ graph }: Region): ReadonlyArray<GlobalCall> =>
  graph.classesForOp(FUNCTION_CALL).flatMap((id) =>
    graph.nodes(id).flatMap((n) => {
      const { name, payload } = graph.operatorOf(n);
      if (name !== FUNCTION_CALL) return [];
      return [{ id, name: (payload as GlobalVar).nameHint, children: graph.childrenOf(n) }];
    }),
  );

const noChoice = (): never => {
  throw new Error('no block is inside');
};

/** The bodies of global functions that may stand in the places of calls. */
function globalBodies(m: IRModule): (name: string) => Body | undefined {
  let recursive: ReadonlySet<string> | undefined;
  const bodies = new Map<string, Body | undefined>();
  const made = (name: string): Body | undefined => {
    const f = m.functions.get(name);
    if (f === undefined || !isPlain(f)) return undefined;
    recursive ??= callGraph(m.functions).recursive;
    if (recursive.has(name)) return undefined;
    const graph = withoutNames(f, m);
    const blocks = blocksOf(graph, m);
    const { root, innerFirst } = blocks;
    if (innerFirst.length > 1 || root.nodes.length > MAX_INLINED) return undefined;
    const region = regionFor(root, blocks, noChoice, makeLanguage(), m, () => {});
    return { params: graph.params, root: ownChoice(root, region) };
  };
  return (name) => {
    if (!bodies.has(name)) bodies.set(name, made(name));
    return bodies.get(name);
  };
}
