/** The most that one core computes: multiplications and additions of vectors, without memory. */
import { emit, type SimdLevel } from '@baton/wasm';
import { runnable, timesOf } from './kernel-run.ts';

const TURNS = 200_000;

/**
 * The factors of the sums, which do not wait for each other: each sum has a product of its own, since V8
 * computes equal products once.
 */
const [LEFT, RIGHT] = [2, 4];

/** **Units** GFLOP/s. The measured peak of a level: the best run. */
export async function peakOf(level: SimdLevel): Promise<number> {
  const { f32x4, v128 } = emit;
  const { run } = runnable(
    (module) =>
      module.procedure(['i32'], (f, address) => {
        const loaded = (count: number, at: number) =>
          Array.from({ length: count }, (_, i) => f.let(v128.load(address, 16 * (at + i))));
        const [left, right] = [loaded(LEFT, 0), loaded(RIGHT, LEFT)];
        const factors = left.flatMap((a) => right.map((b) => [a, b] as const));
        const sums = loaded(factors.length, LEFT + RIGHT);
        f.repeat(TURNS, () => {
          for (const [i, [a, b]] of factors.entries()) {
            const sum = sums[i] as (typeof sums)[number];
            const next =
              level === 'relaxed' ? f32x4.relaxedMadd(a, b, sum) : f32x4.add(sum, f32x4.mul(a, b));
            f.set(sum, next);
          }
        });
        for (const sum of sums) f.do(v128.store(address, sum));
      }),
    65536,
  );
  const [best = Number.POSITIVE_INFINITY] = await timesOf(() => void run(0), 200);
  return (TURNS * LEFT * RIGHT * 8) / best / 1e6;
}
