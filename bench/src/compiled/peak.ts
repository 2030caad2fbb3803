/** The most that one core computes: multiplications and additions of vectors, without memory. */
import { emit, type SimdLevel } from '@baton/wasm';
import { runnable, timesOf } from './kernel-run.ts';

const TURNS = 200_000;

/** Sums that do not wait for each other. */
const SUMS = 10;

/** **Units** GFLOP/s. The measured peak of a level: the best run. */
export async function peakOf(level: SimdLevel): Promise<number> {
  const { f32x4, v128 } = emit;
  const { run } = runnable(
    (module) =>
      module.procedure(['i32'], (f, address) => {
        const sums = Array.from({ length: SUMS }, () => f.let(v128.load(address)));
        const factor = f.let(v128.load(address));
        f.repeat(TURNS, () => {
          for (const sum of sums) {
            const next =
              level === 'relaxed'
                ? f32x4.relaxedMadd(factor, factor, sum)
                : f32x4.add(sum, f32x4.mul(factor, factor));
            f.set(sum, next);
          }
        });
        for (const sum of sums) f.do(v128.store(address, sum));
      }),
    65536,
  );
  const [best = Number.POSITIVE_INFINITY] = await timesOf(() => void run(0), 200);
  return (TURNS * SUMS * 8) / best / 1e6;
}
