/** Blocks as e-graphs. */
import { invariant } from '@baton/base';
import type { Language } from '@baton/egraph';
import { children, type Expr, type IRModule } from '@baton/ir';
import type { Count } from '@baton/pass-manager';
import { partsOf } from '../match/parts.ts';
import type { Block, Blocks } from './blocks.ts';
import type { BlockChoice } from './choice.ts';
import { isStandIn } from './language.ts';
import { isOpen, Region, type RegionOptions } from './region.ts';

/**
 * The e-graph of a block, after a choice for each block inside it: a node that opens blocks uses what
 * was chosen for them.
 *
 * **Complexity** linear in the nodes of the block, and in what the blocks inside it use of others.
 */
export function regionFor(
  block: Block,
  blocks: Blocks,
  choiceOf: (inner: Block) => BlockChoice,
  language: Language,
  m: IRModule,
  count: Count,
  options: RegionOptions,
): Region {
  const region = new Region(m, language, count, options);
  addBlock(region, block, blocks, choiceOf);
  return region;
}

/** Adds the nodes of a block, which a region then computes. */
export function addBlock(
  region: Region,
  block: Block,
  blocks: Blocks,
  choiceOf: (inner: Block) => BlockChoice,
): void {
  const needsOf = (node: Expr): ReadonlyArray<Expr> => {
    const inner = blocks.openedBy(node);
    const results = new Set(inner.map(({ result }) => result));
    const direct = children(node).filter((child) => child._tag !== 'Op' && !results.has(child));
    return [...new Set([...direct, ...inner.flatMap((opened) => choiceOf(opened).outers)])];
  };
  for (const node of block.nodes) {
    if (isStandIn(node)) continue;
    if (isOpen(region.m, node)) {
      for (const part of partsOf(node)) region.addOuter(part);
      region.addOpen(node);
    } else {
      const needs = needsOf(node);
      for (const need of needs) region.addOuter(need);
      region.addOpaque(node, needs);
    }
  }
  invariant(region.has(block.result), 'a block computes its result');
}
