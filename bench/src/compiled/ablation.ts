/**
 * What optimization is worth on the compiled executor: each model as it is, and on each level. Only
 * what `FuseOps` groups is computed in one pass, so that the times compare programs.
 */
import type { Subject } from '@baton/report';
import { type IRModule, optimize, orThrow, runPass, structuralEqual } from 'batonjs';
import { type EngineSpec, type EngineTimes, type Turns, timesInTurn } from './engines.ts';
import type { OptimizationLevel } from './worker.ts';

/** The time of a program. */
export interface AblationTime {
  readonly name: 'as it is' | `level ${OptimizationLevel}`;
  readonly ms: number;
  /** The time over the time of the program before. */
  readonly ratio: number;
  /** The earlier program that it equals, with its time. */
  readonly sameAs?: string;
}

/** The processor's times for a model's programs. **Units** ms. */
export interface Ablation {
  readonly name: string;
  readonly levels: ReadonlyArray<AblationTime>;
}

/** Many short turns: programs of one turn see the same machine. */
const TURNS: Turns = { count: 25, ms: 100 };

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

/** Measures a model's programs, interleaved; a program that equals an earlier one is run once. */
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
  const timesOf = (program: Program): EngineTimes =>
    times[own.indexOf(program.same ?? program)] as EngineTimes;
  return {
    name: subject.name,
    levels: programs.map((program, i) => {
      const { name, same } = program;
      const found = timesOf(program);
      const ratio = found.cpuMs / timesOf(programs[i - 1] ?? program).cpuMs;
      const level = { name, ms: found.cpuMs, ratio };
      return same === undefined ? level : { ...level, sameAs: same.name };
    }),
  };
}

/** The levels that take longer than the program before them. */
export const regressionsOf = ({ name, levels }: Ablation): ReadonlyArray<string> =>
  levels.flatMap((level, i) =>
    level.ratio <= TOLERANCE
      ? []
      : [
          `${name}: ${level.name} takes ${level.ratio.toFixed(3)} times as long as ${levels[i - 1]?.name}`,
        ],
  );
