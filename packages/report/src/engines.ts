/** Rewrite rules behind the passes of the highest level: applied greedily, and by equality saturation. */
import { isLeft, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import {
  figuresOf,
  neverWorse,
  type Pass,
  passes,
  type Result,
  rewrites,
  runPass,
  sequential,
} from 'batonjs';
import type { Optimized } from './optimize-at.ts';
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
  const rows: EngineRow[] = [];
  for (const [engine, pass] of Object.entries(ENGINES)) {
    const start = now();
    const whole = sequential([pass, passes.foldConstant, passes.deadCodeElimination]);
    const result = runPass(neverWorse(whole))(best.optimized);
    if (isLeft(result)) return result;
    const { module } = result.right;
    const ms = now() - start;
    const isChanged = !structuralEqual(module, best.optimized);
    const figures = figuresOf(module);
    if (isLeft(figures)) return figures;
    rows.push({ engine: engine as EngineRow['engine'], isChanged, ...figures.right, ms });
  }
  return right(rows);
}
