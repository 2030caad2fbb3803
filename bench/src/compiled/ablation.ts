/**
 * What optimization is worth on the compiled executor: each model as it is, and on each level. Only
 * what `FuseOps` groups is computed in one pass, so that the times compare programs.
 */
import type { Subject } from '@baton/report';
import { type IRModule, optimize, orThrow, runPass, structuralEqual } from 'batonjs';
import { type EngineSpec, timesInTurn } from './engines.ts';
import type { OptimizationLevel } from './worker.ts';

/** The time of a program. */
export interface AblationTime {
  readonly name: 'as it is' | `level ${OptimizationLevel}`;
  readonly ms: number;
  /** The earlier program that it equals, with its time. */
  readonly sameAs?: string;
}

/** The times of a model's programs. **Units** ms. */
export interface Ablation {
  readonly name: string;
  readonly levels: ReadonlyArray<AblationTime>;
}

/** How often each program has its turn. */
const TURNS = 7;

/** A level may take this much longer than the one before: less cannot be told from noise. */
export const TOLERANCE = 1.02;

const LEVELS: ReadonlyArray<OptimizationLevel> = [0, 1, 2, 3];

/** A program to run, with those that equal it. */
interface Program {
  readonly name: AblationTime['name'];
  readonly level: OptimizationLevel | undefined;
  readonly module: IRModule;
  readonly same: Program | undefined;
}

/** Measures a model's programs in turn; a program that equals an earlier one is run once. */
export async function measureAblation(
  subject: Subject,
  choices: { readonly isSimd: boolean; readonly isPlain: boolean },
): Promise<Ablation> {
  const { module, inputs } = orThrow(await subject.load());
  const programs: Program[] = [{ name: 'as it is', level: undefined, module, same: undefined }];
  for (const level of LEVELS) {
    const better = orThrow(runPass(optimize({ level }))(module)).module;
    // The program as it is has no groups.
    const same = programs.slice(1).find((one) => structuralEqual(one.module, better));
    programs.push({ name: `level ${level}`, level, module: better, same: same?.same ?? same });
  }
  const own = programs.filter(({ same }) => same === undefined);
  const specs = own.map(({ level }): EngineSpec => {
    return { _tag: 'Baton', level, fusion: 'groups', threads: 1, ...choices };
  });
  const times = await timesInTurn(module, inputs, specs, TURNS);
  const msOf = (program: Program): number => times[own.indexOf(program)]?.ms ?? Number.NaN;
  return {
    name: subject.name,
    levels: programs.map((program) => {
      const { name, same } = program;
      const ms = msOf(same ?? program);
      return same === undefined ? { name, ms } : { name, ms, sameAs: same.name };
    }),
  };
}

/** The levels that take longer than the program before them. */
export const regressionsOf = ({ name, levels }: Ablation): ReadonlyArray<string> =>
  levels.flatMap((level, i) => {
    const before = levels[i - 1];
    return before === undefined || level.ms <= TOLERANCE * before.ms
      ? []
      : [
          `${name}: ${level.name} takes ${level.ms.toFixed(2)} ms, ${before.name} ${before.ms.toFixed(2)}`,
        ];
  });
