/** The report of a run: the effect of each rule, the time of each phase, and the stop reason. */
import { orThrow } from '@baton/base';
import {
  type Analysis,
  applier,
  backoffScheduler,
  EGraph,
  type Iteration,
  printStopReason,
  type Report,
  repeat,
  rewrite,
  ruleset,
  run,
  runAsync,
  runSchedule,
  type StopReason,
  saturate,
  sequence,
  simpleScheduler,
  when,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';

const graph = (text: string): EGraph => {
  const egraph = new EGraph();
  orThrow(egraph.addExpr(text));
  return egraph;
};
const comm = rewrite('comm', '(+ ?a ?b)', '(+ ?b ?a)');
const grow = rewrite('grow', '(n ?a)', '(n (s ?a))');
const isNever = rewrite('never', '(nothing ?a)', '?a');

describe('the report of a run', () => {
  it('counts matches and their changes, by rule and iteration', () => {
    const report = run(graph('(+ (+ a b) (n z))'), [comm, isNever], {
      scheduler: simpleScheduler,
      delta: false,
    });
    const rows = report.iterations.map((it) => [
      it.nodes,
      it.classes,
      it.applied,
      it.congruences,
      ...it.rules.map((rule) => [rule.name, rule.matches, rule.applied, rule.held]),
    ]);
    expect(rows).toEqual([
      [8, 6, 2, 0, ['comm', 2, 2, 0], ['never', 0, 0, 0]],
      [8, 6, 0, 0, ['comm', 4, 0, 0], ['never', 0, 0, 0]],
    ]);
    expect(report.rules).toEqual([
      { name: 'comm', matches: 6, applied: 2, held: 0, searchMs: 0, applyMs: 0 },
      { name: 'never', matches: 0, applied: 0, held: 0, searchMs: 0, applyMs: 0 },
    ]);
    expect([report.nodes, report.classes, report.elapsedMs, report.closingRebuildMs]).toEqual([
      8, 6, 0, 0,
    ]);
    expect(report.outcome).toEqual({ _tag: 'Right', right: { _tag: 'Saturated' } });
  });

  it('counts the unions that congruence forced', () => {
    const egraph = graph('(pair (f (f (f a))) (f (f (f b))))');
    const { iterations } = run(egraph, [rewrite('same', 'a', 'b')]);
    expect(iterations.map((it) => [it.applied, it.congruences])).toEqual([
      [1, 3],
      [0, 0],
    ]);
  });

  it('is passed to hooks as it grows', () => {
    const seen: [number, Iteration][] = [];
    const report = run(graph('(+ a b)'), [comm], {
      onIteration: (iteration, index) => {
        seen.push([index, iteration]);
      },
    });
    expect(seen.map(([index]) => index)).toEqual([0, 1]);
    expect(seen.map(([, iteration]) => iteration)).toEqual(report.iterations);
  });
});

describe('the time of a run', () => {
  /** A clock that work moves: appliers, conditions and an analysis take time. */
  function timed(): { readonly report: Report; readonly egraph: EGraph<number> } {
    let time = 100;
    const analysis: Analysis<number> = {
      name: 'slow',
      make: () => 0,
      merge: () => {
        time += 1;
        return 0;
      },
      remake: () => {
        time += 7;
        return 0;
      },
    };
    const egraph = new EGraph<number>({ analysis });
    for (const name of ['a', 'b', 'c']) orThrow(egraph.addExpr(`(f (g ${name}))`));
    const report = run(
      egraph,
      [
        rewrite<number>(
          'slow',
          '(g ?a)',
          applier<number>(['?a'], ({ egraph: e }) => {
            time += 10;
            return e.add('same');
          }),
        ),
        rewrite<number>('slower', '(f ?a)', '(h ?a)', {
          when: when<number>('?a', () => {
            time += 100;
            return false;
          }),
        }),
      ],
      { now: () => time, scheduler: simpleScheduler },
    );
    return { report, egraph };
  }

  it('is the sum of its phases, and of its rules', () => {
    const { report } = timed();
    for (const it of report.iterations) {
      const applied = it.rules.reduce((sum, rule) => sum + rule.applyMs, 0);
      expect(it.applyMs).toBe(applied);
      expect(it.searchMs).toBe(it.rules.reduce((sum, rule) => sum + rule.searchMs, 0));
    }
    expect(report.iterations.map((it) => [it.searchMs, it.applyMs])).toEqual([
      [0, 330],
      [0, 130],
    ]);
    expect(report.rules.map((rule) => [rule.name, rule.applyMs])).toEqual([
      ['slow', 60],
      ['slower', 400],
    ]);
    expect([report.searchMs, report.applyMs]).toEqual([0, 460]);
    expect(report.rebuildMs).toBe(report.iterations.reduce((sum, it) => sum + it.rebuildMs, 0));
    expect(report.elapsedMs).toBe(report.applyMs + report.rebuildMs);
    expect(report.closingRebuildMs).toBe(0);
  });

  it('ends when its limit is exceeded, not when it is reached', () => {
    for (const [timeLimitMs, iterations] of [
      [2, 2],
      [3, 3],
      [7, 7],
    ] as const) {
      let time = 50;
      const hook = (): undefined => {
        time += 1;
      };
      const report = run(graph('(n z)'), [grow], {
        timeLimitMs,
        now: () => time,
        hooks: [hook],
        iterationLimit: 100,
      });
      expect(report.stopReason).toEqual({ _tag: 'TimeLimit', elapsedMs: timeLimitMs + 1 });
      expect(report.iterations).toHaveLength(iterations + 1);
      expect(report.iterations.map((it) => it.applied)).toEqual([
        ...Array.from({ length: iterations }, () => 1),
        0,
      ]);
    }
  });
});

describe('a run ends', () => {
  const reasonOf = (options: Parameters<typeof run>[2]): StopReason =>
    run(graph('(n z)'), [grow], options).stopReason;

  it('after so many iterations', () => {
    for (const iterationLimit of [0, 1, 3]) {
      const egraph = graph('(n z)');
      const report = run(egraph, [grow], { iterationLimit });
      expect(report.stopReason).toEqual({ _tag: 'IterationLimit', iterations: iterationLimit });
      expect(report.iterations).toHaveLength(iterationLimit);
      expect(egraph.nodeCount).toBe(2 + 2 * iterationLimit);
    }
    expect(run(graph('(n z)'), [grow]).iterations).toHaveLength(30);
  });

  it('at a limit of nodes, which holds for that run alone', () => {
    const egraph = graph('(n z)');
    const { stopReason } = run(egraph, [grow], { nodeLimit: 10 });
    expect(stopReason).toEqual({ _tag: 'NodeLimit', nodes: 10, limit: 10 });
    expect(egraph.nodeCount).toBe(10);
    egraph.add('more');
    expect(egraph.nodeCount).toBe(11);
    expect(run(egraph, [grow], { nodeLimit: 15 }).stopReason).toEqual({
      _tag: 'NodeLimit',
      nodes: 15,
      limit: 15,
    });
  });

  it('when the caller or a hook says so, and does nothing more', () => {
    expect(reasonOf({ shouldStop: () => true })).toEqual({ _tag: 'Stopped' });
    const egraph = graph('(n z)');
    const asked: string[] = [];
    const hooks = [
      (_: unknown, i: number): undefined => {
        asked.push(`first ${i}`);
      },
      (_: unknown, i: number): string | undefined => {
        asked.push(`second ${i}`);
        return i === 2 ? 'enough' : undefined;
      },
      (_: unknown, i: number): undefined => {
        asked.push(`third ${i}`);
      },
    ];
    const report = run(egraph, [grow], { hooks });
    expect(report.stopReason).toEqual({ _tag: 'Hook', message: 'enough' });
    expect(asked).toEqual([
      ...['first 0', 'second 0', 'third 0'],
      ...['first 1', 'second 1', 'third 1'],
      ...['first 2', 'second 2'],
    ]);
    expect(report.iterations.map((it) => it.applied)).toEqual([1, 1, 0]);
  });

  it('in the middle of many matches, without applying the rest', () => {
    const egraph = new EGraph();
    for (let i = 0; i < 3_000; i++) egraph.add('f', [egraph.add(`x${i}`)]);
    const before = egraph.nodeCount;
    const report = run(
      egraph,
      [rewrite('r', '(f ?a)', '(g ?a)'), rewrite('q', '(f ?a)', '(h ?a)')],
      {
        scheduler: simpleScheduler,
        shouldStop: () => egraph.nodeCount > before,
      },
    );
    expect(report.stopReason).toEqual({ _tag: 'Stopped' });
    const [first, second] = report.rules;
    expect(first?.matches).toBe(3_000);
    expect(first?.applied).toBeLessThan(1_000);
    expect(second?.applied).toBe(0);
    expect(egraph.nodeCount).toBe(before + (first?.applied ?? 0));
  });

  it('sees changes that a hook made to the e-graph', () => {
    const egraph = graph('(pair (f a) (f b))');
    const report = run(egraph, [rewrite('found', '(pair ?a ?a)', 'found')], {
      hooks: [
        (e, i) => {
          if (i === 0) e.union(e.add('a'), e.add('b'));
          return undefined;
        },
      ],
    });
    expect(report.iterations.map((it) => it.applied)).toEqual([1, 0]);
    expect(report.iterations[0]?.congruences).toBe(1);
  });

  it.each<[StopReason, string]>([
    [{ _tag: 'Saturated' }, 'saturated'],
    [{ _tag: 'IterationLimit', iterations: 3 }, 'iteration limit of 3 reached'],
    [{ _tag: 'NodeLimit', nodes: 9, limit: 10 }, 'node limit of 10 reached'],
    [{ _tag: 'TimeLimit', elapsedMs: 2.25 }, 'time limit reached after 2.3 ms'],
    [{ _tag: 'MemoryLimit', bytes: 70 }, 'memory limit reached at 70 bytes'],
    [{ _tag: 'Stopped' }, 'stopped from outside'],
    [{ _tag: 'Hook', message: 'enough' }, 'enough'],
    [{ _tag: 'ScheduleEnd' }, 'end of the schedule'],
  ])('and says why: %o', (reason, text) => {
    expect(printStopReason(reason)).toBe(text);
  });

  it('and names the failure', () => {
    const broken = [rewrite('one', '(f', 'x'), rewrite('two', ')', 'x')];
    const report = run(new EGraph(), broken);
    expect(report.stopReason._tag).toBe('Failed');
    expect(report.outcome._tag).toBe('Left');
    const messages =
      report.outcome._tag === 'Left' ? report.outcome.left.map((d) => d.message) : [];
    expect(printStopReason(report.stopReason)).toBe(messages.join('; '));
  });
});

describe('a schedule', () => {
  const fold = rewrite('fold', '(s (s ?a))', '(t ?a)');
  const rows = ({ iterations }: Report): ReadonlyArray<string> =>
    iterations.map((it) => it.rules.map((r) => `${r.name} ${r.applied}`).join());

  it('repeats a part so many times, or until it changes nothing', () => {
    const twice = runSchedule(graph('(n z)'), repeat(2, ruleset([grow])));
    expect(rows(twice)).toEqual(['grow 1', 'grow 1']);
    expect(twice.stopReason._tag).toBe('ScheduleEnd');
    const still = runSchedule(graph('(s (s z))'), repeat(9, ruleset([fold])));
    expect(rows(still)).toEqual(['fold 1', 'fold 0']);
    expect(still.stopReason._tag).toBe('ScheduleEnd');
    const none = runSchedule(graph('(n z)'), repeat(0, ruleset([grow])));
    expect(rows(none)).toEqual([]);
    expect(none.stopReason._tag).toBe('Saturated');
  });

  it('goes through its parts in order, and says whether it changed anything', () => {
    const parts = sequence(ruleset([fold]), ruleset([isNever]));
    expect(rows(runSchedule(graph('(s (s z))'), parts))).toEqual(['fold 1', 'never 0']);
    expect(runSchedule(graph('(s (s z))'), parts).stopReason._tag).toBe('ScheduleEnd');
    expect(runSchedule(graph('(s z)'), parts).stopReason._tag).toBe('Saturated');
    const saturated = runSchedule(graph('(s (s z))'), saturate(parts));
    expect(rows(saturated)).toEqual(['fold 1', 'never 0', 'fold 0', 'never 0']);
    expect(saturated.stopReason._tag).toBe('Saturated');
  });

  it('ends at a limit wherever it is, and begins no further part', () => {
    const parts = sequence(
      repeat(2, ruleset([grow])),
      saturate(sequence(ruleset([grow]), ruleset([fold]))),
    );
    const report = runSchedule(graph('(n z)'), parts, { iterationLimit: 4 });
    expect(rows(report)).toEqual(['grow 1', 'grow 1', 'grow 1', 'fold 2']);
    expect(report.stopReason).toEqual({ _tag: 'IterationLimit', iterations: 4 });
    const stopped = runSchedule(graph('(n z)'), parts, {
      hooks: [(_, i) => (i === 1 ? 'enough' : undefined)],
    });
    expect(rows(stopped)).toEqual(['grow 1', 'grow 0']);
    expect(stopped.stopReason).toEqual({ _tag: 'Hook', message: 'enough' });
  });

  it('ends at rules that do not fit, and does nothing after them', () => {
    const broken = ruleset([rewrite('broken', '(f', 'x')]);
    const report = runSchedule(graph('(n z)'), sequence(ruleset([grow]), broken, ruleset([grow])));
    expect(rows(report)).toEqual(['grow 1']);
    expect(report.stopReason).toMatchObject({
      _tag: 'Failed',
      diagnostics: [{ code: 'EGRAPH_UNEXPECTED_END' }],
    });
  });
});

describe('a backoff scheduler', () => {
  const wide = (count: number): EGraph => {
    const egraph = new EGraph();
    for (let i = 0; i < count; i++) egraph.add('f', [egraph.add(`x${i}`)]);
    return egraph;
  };
  const rule = rewrite('r', '(f ?a)', '(g ?a)');
  const held = (
    count: number,
    options: Parameters<typeof backoffScheduler>[0],
  ): ReadonlyArray<string> =>
    run(wide(count), [rule, isNever], { scheduler: backoffScheduler(options) }).iterations.map(
      (it) => {
        const [own] = it.rules;
        return own?.held === 1 ? 'held' : `${own?.matches} ${own?.applied}`;
      },
    );

  it('holds a rule back that has more matches than its limit, twice as many each time', () => {
    expect(held(4, { matchLimit: 4 })).toEqual(['4 4', '4 0']);
    expect(held(5, { matchLimit: 4 })).toEqual(['held', '5 5', '5 0']);
    expect(held(8, { matchLimit: 4 })).toEqual(['held', '8 8', '8 0']);
    expect(held(9, { matchLimit: 4 })).toEqual(['held', 'held', '9 9', '9 0']);
    expect(held(1_001, {})).toEqual(['held', '1001 1001', '1001 0']);
    expect(held(1_000, {})).toEqual(['1000 1000', '1000 0']);
  });

  it('has other numbers for single rules, and none for some', () => {
    expect(held(9, { matchLimit: 4, rules: { r: { matchLimit: 9 } } })).toEqual(['9 9', '9 0']);
    expect(held(9, { matchLimit: 4, rules: { never: { matchLimit: 9 } } })).toHaveLength(4);
    expect(held(9, { matchLimit: 4, doNotBan: ['r'] })).toEqual(['9 9', '9 0']);
    expect(held(9, { matchLimit: 4, doNotBan: ['never'] })).toHaveLength(4);
  });

  it('lets a rule rest for so many iterations, twice as many each time', () => {
    const busy = rewrite('busy', '(n ?a)', '(n (s ?a))');
    const restOf = (banLength: number, iterationLimit: number): string => {
      const egraph = wide(9);
      orThrow(egraph.addExpr('(n z)'));
      return run(egraph, [rule, busy], {
        iterationLimit,
        scheduler: backoffScheduler({ matchLimit: 4, banLength, doNotBan: ['busy'] }),
      })
        .iterations.map((it) => (it.rules[0]?.held === 1 ? '-' : `${it.rules[0]?.applied}`))
        .join(' ');
    };
    // Searched in iterations 0, 1 and 3; in 0, 3 and 9.
    expect(restOf(1, 6)).toBe('- - - 9 0 0');
    expect(restOf(3, 12)).toBe('- - - - - - - - - 9 0 0');
  });
});

describe('an asynchronous run', () => {
  it('says how far it is, whenever others may work', async () => {
    let time = 0;
    const told: unknown[] = [];
    const report = await runAsync(graph('(n z)'), [grow], {
      iterationLimit: 3,
      now: () => time++,
      yieldNow: () => Promise.resolve(),
      onProgress: ({ iteration, nodes, classes }) => told.push([iteration, nodes, classes]),
    });
    expect(report.iterations).toHaveLength(3);
    expect(told.length).toBeGreaterThan(3);
    for (const [i, one] of told.entries()) {
      const [iteration = 0, nodes = 0] = one as number[];
      const [before = 0, nodesBefore = 0] = (told[i - 1] ?? []) as number[];
      expect(iteration).toBeGreaterThanOrEqual(before);
      expect(nodes).toBeGreaterThanOrEqual(nodesBefore);
    }
  });

  it('does not wait while its slice of time lasts', async () => {
    let waits = 0;
    await runAsync(graph('(n z)'), [grow], {
      iterationLimit: 9,
      now: () => 5,
      yieldNow: () => {
        waits++;
        return Promise.resolve();
      },
    });
    expect(waits).toBe(0);
  });

  it('is stopped by its caller too', async () => {
    const options = { now: () => 0, shouldStop: () => true };
    expect((await runAsync(graph('(n z)'), [grow], options)).stopReason).toEqual({
      _tag: 'Stopped',
    });
  });
});
