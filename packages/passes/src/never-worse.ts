/** A pass whose result is taken only where no figure of the program grows. */
import { andThen, atCaller, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { countNodes, measureModule } from '@baton/ops';
import {
  type Count,
  isPass,
  notAPass,
  type Pass,
  pass,
  refusedPass,
  runPass,
} from '@baton/pass-manager';
import { estimatedSeconds } from '@baton/rewrites';
import { kernelFusion } from './fuse-ops/fuse-ops.ts';

/** What must not grow: figures of the program and of its kernels after fusion, or its estimated time. */
const WORK = ['nodes', 'kernels', 'flops', 'bytesMoved'] as const;
const TIME = ['seconds'] as const;

type Figure = (typeof WORK)[number] | (typeof TIME)[number];

/** The figures of a program. */
export type Figures = Readonly<Record<(typeof WORK)[number], number>>;

const TAKEN = 'taken';

/** The remark of a refused result. */
const refused = (figure: Figure) => `refused: more ${figure}` as const;

/**
 * The pass, whose result is taken unless it has more nodes, kernels, FLOPs or bytes moved than what
 * came in: then that stays, and the report says why. Kernels are those of {@link kernelFusion}. With
 * `{ by: 'time' }` only the estimate of `estimatedSeconds` may not grow: one product of many rows may be
 * faster than many of one row, with more nodes.
 *
 * ```ts
 * sequential([optimize({ level: 3 }), neverWorse(saturate(commonSets))]);
 * ```
 *
 * **Errors** of the pass, when it is run: `PASS_NOT_A_PASS`, and those of the inner one.
 *
 * **Complexity** two fusions besides the inner pass.
 */
export const neverWorse = (
  inner: Pass,
  { by = 'work' }: { readonly by?: 'work' | 'time' } = {},
): Pass =>
  isPass(inner)
    ? pass({
        name: `NeverWorse(${inner.name})`,
        doc: `Runs ${inner.name}, and keeps its result unless that does more work.`,
        level: inner.level,
        passes: [inner],
        needs: inner.needs,
        counters: [TAKEN],
        remarks: (by === 'time' ? TIME : WORK).map(refused),
        run: (m, { apply, count }) =>
          andThen(apply(inner, m), (made) =>
            made === m ? right(m) : better(m, made, by === 'time' ? secondsOf : figuresOf, count),
          ),
      })
    : refusedPass(
        'neverWorse',
        atCaller([notAPass('to keep from getting worse', inner)], 'neverWorse', neverWorse),
      );

/** The result of a pass; what came in if a figure grew. */
const better = (
  m: IRModule,
  made: IRModule,
  measure: (m: IRModule) => Result<Partial<Record<Figure, number>>>,
  count: Count<typeof TAKEN | ReturnType<typeof refused>>,
): Result<IRModule> =>
  andThen(measure(m), (before) =>
    andThen(measure(made), (after) => {
      const names = Object.keys(after) as ReadonlyArray<Figure>;
      const grown = names.filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
      for (const name of grown) count(refused(name));
      if (grown.length > 0) return right(m);
      count(TAKEN);
      return right(made);
    }),
  );

const secondsOf = (m: IRModule): Result<{ readonly seconds: number }> =>
  right({ seconds: estimatedSeconds(m) });

/** The figures of a program: its own nodes, and the rest of its kernels. */
export const figuresOf = (m: IRModule): Result<Figures> =>
  andThen(runPass(kernelFusion)(m), ({ module }) => {
    const { kernels, flops, bytesMoved } = measureModule(module);
    return right({ nodes: countNodes(m), kernels, flops, bytesMoved });
  });
