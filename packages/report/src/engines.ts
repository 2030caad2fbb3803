/** Applies rewrite rules after the highest level: greedily, and by equality saturation. */
import { andThen, isLeft, type Limits, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import {
  figuresOf,
  type IRModule,
  neverWorse,
  type Pass,
  passes,
  type Result,
  rewrites,
  runPass,
  sequential,
} from 'batonjs';
import type { Optimized } from './optimize-at.ts';
import type { RunProgramOptions } from './run-program.ts';
import type { EngineRow } from './schema.ts';

const { commonSets, greedy, saturate } = rewrites;

const ENGINES: Readonly<Record<EngineRow['engine'], Pass>> = {
  'greedy rules': greedy(commonSets),
  saturation: saturate(commonSets),
};

/**
 * A program after the rules of an engine, with constants folded and dead code removed. A result
 * whose estimated time is greater is discarded.
 */
const behind = (pass: Pass, m: IRModule, limits: Limits = {}): Result<IRModule> => {
  const whole = sequential([pass, passes.foldConstant, passes.deadCodeElimination]);
  return andThen(runPass(neverWorse(whole, { by: 'time' }), { limits })(m), ({ module }) =>
    right(module),
  );
};

/** The program that a search by rules finds for a program of the highest level. */
export const searched = (m: IRModule, limits?: Limits): Result<IRModule> =>
  behind(ENGINES.saturation, m, limits);

export interface Engines {
  readonly rows: ReadonlyArray<EngineRow>;
  readonly found: IRModule;
}

export function enginesOn(
  best: Optimized,
  { tracer: { now }, limits }: Pick<RunProgramOptions, 'tracer' | 'limits'>,
): Result<Engines> {
  const rows: EngineRow[] = [];
  let found = best.optimized;
  for (const [engine, pass] of Object.entries(ENGINES)) {
    const start = now();
    const result = behind(pass, best.optimized, limits);
    if (isLeft(result)) return result;
    const module = result.right;
    if (pass === ENGINES.saturation) found = module;
    const ms = now() - start;
    const isChanged = !structuralEqual(module, best.optimized);
    const figures = figuresOf(module);
    if (isLeft(figures)) return figures;
    rows.push({ engine: engine as EngineRow['engine'], isChanged, ...figures.right, ms });
  }
  return right({ rows, found });
}
