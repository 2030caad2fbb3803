/** Rewrite rules behind the passes of the highest level: applied greedily, and by equality saturation. */
import { isLeft, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import { countNodes } from '@baton/ops';
import {
  type IRModule,
  measureModule,
  type Pass,
  passes,
  type Result,
  rewrites,
  runPass,
  sequential,
} from 'batonjs';
import { fuse, type Optimized } from './optimize-at.ts';
import type { EngineRow } from './schema.ts';

const { commonSets, greedy, saturate } = rewrites;

/** The engines by their names in reports. */
const ENGINES: Readonly<Record<EngineRow['engine'], Pass>> = {
  'greedy rules': greedy(commonSets),
  saturation: saturate(commonSets),
};

/**
 * The figures of each engine on the program of the highest level. What the rules leave to compute of
 * constants is computed, and what is dead goes. A result with more nodes, kernels, FLOPs or bytes
 * moved is not taken.
 */
export function engineRows(best: Optimized, now: () => number): Result<ReadonlyArray<EngineRow>> {
  const before = figuresOf(best.optimized);
  if (isLeft(before)) return before;
  const rows: EngineRow[] = [];
  for (const [engine, pass] of Object.entries(ENGINES)) {
    const start = now();
    const whole = sequential([pass, passes.foldConstant, passes.deadCodeElimination]);
    const result = runPass(whole)(best.optimized);
    if (isLeft(result)) return result;
    const ms = now() - start;
    const after = figuresOf(result.right.module);
    if (isLeft(after)) return after;
    const isTaken = MEASURES.every((name) => after.right[name] <= before.right[name]);
    const isChanged = isTaken && !structuralEqual(result.right.module, best.optimized);
    const figures = isChanged ? after.right : before.right;
    rows.push({ engine: engine as EngineRow['engine'], isChanged, ...figures, ms });
  }
  return right(rows);
}

type Figures = Pick<EngineRow, (typeof MEASURES)[number]>;

const MEASURES = ['nodes', 'kernels', 'flops', 'bytesMoved'] as const;

function figuresOf(module: IRModule): Result<Figures> {
  const fused = fuse(module);
  if (isLeft(fused)) return fused;
  const { kernels, flops, bytesMoved } = measureModule(fused.right.module);
  return right({ nodes: countNodes(module), kernels, flops, bytesMoved });
}
