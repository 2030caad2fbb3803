/** U8, U10: mistakes in the options of runs, and results used as classes. */
import { EGraph, type RunOptions, ruleset, run, runAsync, runSchedule } from '@baton/egraph';
import { describe, expect, it } from 'vitest';

const graph = () => new EGraph();

/** Options that the types refuse: JavaScript has no types. */
const untyped = (options: unknown) => options as RunOptions<undefined>;

describe('U8: options of a run', () => {
  it.each([
    [{ nodeLimt: 5 }, 'OPTION_UNKNOWN', 'did you mean `nodeLimit`?'],
    [{ iterations: 5 }, 'OPTION_UNKNOWN', 'iterationLimit'],
    [{ nodeLimit: '5' }, 'OPTION_TYPE', ''],
    [{ shouldStop: true }, 'OPTION_TYPE', ''],
    [{ timeLimitMs: 5 }, 'OPTION_MISSING', '`now: () => performance.now()`'],
  ])('%j are refused with %s', (options, code, hint) => {
    const reports = [
      run(graph(), [], untyped(options)),
      runSchedule(graph(), ruleset([]), untyped(options)),
    ];
    for (const report of reports) {
      expect(report.stopReason).toMatchObject({ _tag: 'Failed', diagnostics: [{ code }] });
      expect(report.iterations).toEqual([]);
      const found = report.outcome._tag === 'Left' ? report.outcome.left[0].hint : undefined;
      expect(found ?? '').toContain(hint);
    }
  });

  it('of a run beside other work are refused, too', async () => {
    const options = { now: () => 0, nodeLimt: 5 };
    const report = await runAsync(graph(), [], options);
    expect(report.stopReason).toMatchObject({ diagnostics: [{ code: 'OPTION_UNKNOWN' }] });
  });

  it('that are right are taken', () => {
    const report = run(graph(), [], { nodeLimit: 5, timeLimitMs: 5, now: () => 0 });
    expect(report.stopReason._tag).toBe('Saturated');
  });
});

it('U10: a result in the place of a class says how to take the class out', () => {
  const g = graph();
  const result = g.addExpr('(f x)') as unknown as Parameters<typeof g.find>[0];
  expect(() => g.find(result)).toThrow('`orThrow` takes the id out of it');
  expect(() => g.union(result, result)).toThrow('found a Right');
});
