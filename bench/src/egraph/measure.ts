/** Measures one benchmark on all sides, interleaved. */
import type { Answer } from './answer.ts';
import { askFresh, type Side, type SideProcess, start } from './side.ts';

/** The measurements of one side for one benchmark. */
export interface Figures {
  /** The best of several runs in a process that has run the benchmark before. */
  readonly warmMs: number;
  /** The best first run of a fresh process. */
  readonly coldMs: number;
  /** The highest resident size of a fresh process after its first run. */
  readonly peakBytes: number;
  /** The best warm run. */
  readonly best: Answer;
}

/** Fresh processes for each side. */
const COLD_RUNS = 3;

/** Warm-up ends after this many runs, or this much time. */
const WARM_UP_RUNS = 12;
const WARM_UP_MS = 4_000;

/** The approximate length of a turn: short benchmarks run several times in it. */
const TURN_MS = 60;
const MOST_RUNS_A_TURN = 25;

/**
 * Each pair is one turn of every side, one after the other, so that a drift of the machine affects
 * all sides alike.
 */
export async function measure(
  benchmark: string,
  sides: ReadonlyArray<Side>,
  pairs: number,
  step: (text: string) => void,
): Promise<ReadonlyMap<string, Figures>> {
  const cold = new Map<string, Answer[]>(sides.map((side) => [side.name, []]));
  for (let i = 0; i < COLD_RUNS; i++) {
    for (const side of sides) {
      step(`${benchmark}: ${side.name}, cold ${i + 1} of ${COLD_RUNS}`);
      cold.get(side.name)?.push(await askFresh(side, benchmark));
    }
  }
  const running = sides.map((side) => ({ side, process: start(side), warm: [] as Answer[] }));
  try {
    const turns = new Map<string, number>();
    for (const { side, process } of running) {
      step(`${benchmark}: ${side.name}, warming up`);
      turns.set(side.name, await warmUp(process, benchmark));
    }
    for (let pair = 0; pair < pairs; pair++) {
      for (const { side, process, warm } of running) {
        step(`${benchmark}: ${side.name}, pair ${pair + 1} of ${pairs}`);
        const runs = turns.get(side.name) ?? 1;
        for (let i = 0; i < runs; i++) warm.push(await process.ask(benchmark));
      }
    }
  } finally {
    for (const { process } of running) process.close();
  }
  return new Map(
    running.map(({ side, warm }) => {
      const first = cold.get(side.name) ?? [];
      const best = fastest(warm);
      const peakBytes = Math.min(...first.map((answer) => answer.peakBytes));
      return [side.name, { warmMs: best.ms, coldMs: fastest(first).ms, peakBytes, best }];
    }),
  );
}

/** Runs until the time stops falling, and returns the number of runs in a turn. */
async function warmUp(process: SideProcess, benchmark: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  let total = 0;
  for (let i = 0, idle = 0; i < WARM_UP_RUNS && idle < 4 && total < WARM_UP_MS; i++) {
    const { ms } = await process.ask(benchmark);
    total += ms;
    idle = ms < best * 0.95 ? 0 : idle + 1;
    best = Math.min(best, ms);
  }
  return Math.max(1, Math.min(MOST_RUNS_A_TURN, Math.round(TURN_MS / best)));
}

function fastest(answers: ReadonlyArray<Answer>): Answer {
  const [first, ...rest] = answers;
  if (first === undefined) throw new Error('a benchmark is run at least once');
  return rest.reduce((best, answer) => (answer.ms < best.ms ? answer : best), first);
}
