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
import { kernelFusion } from './fuse-ops/fuse-ops.ts';

/** The figures that must not grow, of the program and of its kernels after fusion. */
const FIGURES = ['nodes', 'kernels', 'flops', 'bytesMoved'] as const;

/** The figures of a program. */
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

const TAKEN = 'taken';

/** The remark of a refused result. */
const refused = (figure: (typeof FIGURES)[number]) => `refused: more ${figure}` as const;

/**
 * The pass, whose result is taken unless it has more nodes, kernels, FLOPs or bytes moved than what
 * came in: then that stays, and the report says why. Kernels are those of {@link kernelFusion}.
 *
 * ```ts
 * sequential([optimize({ level: 3 }), neverWorse(saturate(commonSets))]);
 * ```
 *
 * **Errors** of the pass, when it is run: `PASS_NOT_A_PASS`, and those of the inner one.
 *
 * **Complexity** two fusions besides the inner pass.
 */
export const neverWorse = (inner: Pass): Pass =>
  isPass(inner)
    ? pass({
        name: `NeverWorse(${inner.name})`,
        doc: `Runs ${inner.name}, and keeps its result unless that does more work.`,
        level: inner.level,
        passes: [inner],
        needs: inner.needs,
        counters: [TAKEN],
        remarks: FIGURES.map(refused),
        run: (m, { apply, count }) =>
          andThen(apply(inner, m), (made) => (made === m ? right(m) : better(m, made, count))),
      })
    : refusedPass(
        'neverWorse',
        atCaller([notAPass('to keep from getting worse', inner)], 'neverWorse', neverWorse),
      );

/** The result of a pass; what came in if a figure grew. */
const better = (
  m: IRModule,
  made: IRModule,
  count: Count<typeof TAKEN | ReturnType<typeof refused>>,
): Result<IRModule> =>
  andThen(figuresOf(m), (before) =>
    andThen(figuresOf(made), (after) => {
      const grown = FIGURES.filter((name) => after[name] > before[name]);
      for (const name of grown) count(refused(name));
      if (grown.length > 0) return right(m);
      count(TAKEN);
      return right(made);
    }),
  );

/** The figures of a program: its own nodes, and the rest of its kernels. */
export const figuresOf = (m: IRModule): Result<Figures> =>
  andThen(runPass(kernelFusion)(m), ({ module }) => {
    const { kernels, flops, bytesMoved } = measureModule(module);
    return right({ nodes: countNodes(m), kernels, flops, bytesMoved });
  });
