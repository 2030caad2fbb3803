/** The costs that a level adds to a program. */
import {
  figuresOf,
  type IRModule,
  measureModule,
  optimize,
  orThrow,
  type Pass,
  passes,
  rewrites,
  runPass,
  saturate,
} from 'batonjs';

/** Every level of optimization. */
export const LEVELS = [0, 1, 2, 3] as const;

/** The cost of a run of the program, unfused and fused. */
function costs(m: IRModule): Readonly<Record<string, number>> {
  const fused = orThrow(runPass(passes.fuseOps, { level: 4 })(m)).module;
  const [whole, kernels] = [measureModule(m), measureModule(fused)];
  return {
    FLOPs: whole.flops,
    'bytes moved': whole.bytesMoved,
    'fused FLOPs': kernels.flops,
    'fused bytes moved': kernels.bytesMoved,
    kernels: kernels.kernels,
  };
}

/** The program at a level of optimization. */
export const atLevel = (level: 0 | 1 | 2 | 3, m: IRModule): IRModule =>
  orThrow(runPass(optimize({ level }))(m)).module;

/** The costs that a level adds to the original program, unfused and fused. */
export function worse(m: IRModule): ReadonlyArray<string> {
  const before = costs(m);
  return LEVELS.flatMap((level) =>
    Object.entries(costs(atLevel(level, m))).flatMap(([what, count]) =>
      count > (before[what] ?? 0) ? [`level ${level}: ${what} ${before[what]} → ${count}`] : [],
    ),
  );
}

/**
 * The figures of which saturation by all rules leaves more than the ordered passes of level 3; but for
 * BubbleUpSlices, which no rule says: it looks at all users of a value.
 */
export function moreThanLevel3(m: IRModule): ReadonlyArray<string> {
  const after = (
    pass: Pass,
    disabledPasses: ReadonlyArray<string> = [],
  ): Readonly<Record<string, number>> =>
    orThrow(figuresOf(orThrow(runPass(pass, { disabledPasses })(m)).module));
  const ordered = after(optimize({ level: 3 }), ['BubbleUpSlices']);
  return Object.entries(after(saturate(rewrites.ruleSets))).flatMap(([what, count]) =>
    count > (ordered[what] ?? 0) ? [`${what}: ${ordered[what]} → ${count}`] : [],
  );
}
