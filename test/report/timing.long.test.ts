/** The bench's measurements in processes of their own: U.14. */
import { fileURLToPath } from 'node:url';
import { inProcesses } from '@baton/cli';
import { describe, expect, it } from 'vitest';

const WORKER = fileURLToPath(new URL('../../bench/dist/timing/worker.js', import.meta.url));

/** Compiled code does not tell its operators apart. */
const INTERPRETED = ['--executor', 'interpreter'];

describe('U.14 each variant is measured in a process of its own', () => {
  it('warm, several times, the operators told apart', async () => {
    const times = await inProcesses(WORKER, ['--model', 'mlp', ...INTERPRETED])(0, [
      { name: 'fused', runs: true },
      { name: 'level3', runs: true },
      { name: 'level0', runs: false },
    ]);
    const [base, best, none] = [...times.values()];
    expect([...times.keys()]).toEqual(['fused', 'level3', 'level0']);
    for (const run of [base?.run, best?.run]) {
      expect(run?.timed.samples).toBeGreaterThan(2);
      expect(run?.timed.low).toBeGreaterThan(0);
      expect(run?.operators.map(([op]) => op)).toContain('nn.dense');
      // Calls of one run, for any number of runs in a sample.
      expect(run?.operators.find(([op]) => op === 'nn.dense')?.[2]).toBe(3);
    }
    expect([base?.optimize, none?.run]).toEqual([undefined, undefined]);
    expect(best?.optimize?.samples).toBeGreaterThan(2);
  }, 60_000);

  it('and its process goes from one model to the next', async () => {
    const timing = inProcesses(WORKER, ['--model', 'lstm', '--model', 'mlp', ...INTERPRETED]);
    const operatorsAt = async (position: number): Promise<ReadonlyArray<string> | undefined> => {
      const times = await timing(position, [{ name: 'fused', runs: true }]);
      return times.get('fused')?.run?.operators.map(([op]) => op);
    };
    const [first, second] = [await operatorsAt(0), await operatorsAt(1)];
    expect([first?.includes('tanh'), second?.includes('tanh')]).toEqual([true, false]);
    expect(await operatorsAt(0)).toEqual(first);
  }, 120_000);

  it('and reports the error of the process', async () => {
    const timing = inProcesses(WORKER, ['--model', 'mlp']);
    await expect(timing(7, [{ name: 'fused', runs: true }])).rejects.toThrow(
      'fused: no such model',
    );
  }, 60_000);
});
