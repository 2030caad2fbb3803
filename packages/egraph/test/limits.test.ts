import { orThrow } from '@baton/base';
import { EGraph, rewrite, run, runAsync, simpleScheduler } from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import {
  acRules,
  acTerm,
  constantFolding,
  MATH7,
  math,
  mathRules,
} from '../../../bench/src/egraph/languages/math.ts';
import { checkInvariants, stateOf } from './invariants.ts';

const mathGraph = (): EGraph<number | undefined> => {
  const egraph = new EGraph({ language: math, analysis: constantFolding });
  for (const text of MATH7) orThrow(egraph.addExpr(text));
  return egraph;
};

/** A clock that moves by `step` each time it is read. */
function steppingClock(step: number): () => number {
  let time = 0;
  return () => {
    time += step;
    return time;
  };
}

/** Rules whose matchers have not been made. */
const freshRules = () =>
  Array.from({ length: 20 }, (_, i) => rewrite(`comm-${i}`, '(+ ?a ?b)', '(+ ?b ?a)'));

describe('limits', () => {
  it.each([100, 101, 137, 500, 1234, 5000])('%i nodes are never exceeded', (nodeLimit) => {
    for (const codeGeneration of ['always', 'never'] as const) {
      const egraph = mathGraph();
      let most = 0;
      const report = run(egraph, mathRules, {
        nodeLimit,
        codeGeneration,
        scheduler: simpleScheduler,
        shouldStop: () => {
          most = Math.max(most, egraph.nodeCount);
          return false;
        },
      });
      expect(report.stopReason).toMatchObject({ _tag: 'NodeLimit', limit: nodeLimit });
      expect(Math.max(most, egraph.nodeCount)).toBeLessThanOrEqual(nodeLimit);
      expect(checkInvariants(egraph).filter((w) => !w.startsWith('work'))).toEqual([]);
    }
  });

  it('on iterations, time and memory say so', () => {
    expect(run(mathGraph(), mathRules, { iterationLimit: 2 }).stopReason).toEqual({
      _tag: 'IterationLimit',
      iterations: 2,
    });
    const now = steppingClock(1);
    expect(run(mathGraph(), mathRules, { timeLimitMs: 50, now }).stopReason._tag).toBe('TimeLimit');
    expect(run(mathGraph(), mathRules, { memoryLimitBytes: 1000 }).stopReason._tag).toBe(
      'MemoryLimit',
    );
    // @ts-expect-error -- a time limit needs a clock.
    run(mathGraph(), mathRules, { timeLimitMs: 50, iterationLimit: 1 });
  });

  it.each([200_000, 400_000, 1_000_000, 3_000_000, 10_000_000])(
    'U.12 %i bytes of memory are held within a fifth',
    (memoryLimitBytes) => {
      for (const explanations of [false, true]) {
        const egraph = new EGraph({ language: math, analysis: constantFolding, explanations });
        for (const text of MATH7) orThrow(egraph.addExpr(text));
        const { stopReason } = run(egraph, mathRules, {
          memoryLimitBytes,
          nodeLimit: 1e7,
          iterationLimit: 1000,
        });
        expect(stopReason._tag).toBe('MemoryLimit');
        const bytes = stopReason._tag === 'MemoryLimit' ? stopReason.bytes : 0;
        expect(Math.max(bytes, egraph.byteSize)).toBeLessThanOrEqual(memoryLimitBytes * 1.2);
        expect(bytes).toBeGreaterThanOrEqual(memoryLimitBytes * 0.75);
        expect(checkInvariants(egraph).filter((w) => !w.startsWith('work'))).toEqual([]);
        // Memory is free again for the next run.
        const made = egraph.store.size;
        const more = rewrite('more', '?a', '(sqrt ?a)');
        run(egraph, [more], { nodeLimit: 1e7, iterationLimit: 1, scheduler: simpleScheduler });
        expect(egraph.store.size).toBeGreaterThan(made);
      }
    },
  );

  it('U.12 a short time limit neither reserves much memory nor makes matchers after its end', () => {
    let time = 0;
    let made = 0;
    const { Function: maker } = globalThis;
    // Making a matcher takes 3 ms here, and nothing else any time.
    globalThis.Function = new Proxy(maker, {
      construct: (target, args) => {
        made++;
        time += 3;
        return Reflect.construct(target, args);
      },
    });
    try {
      const egraph = mathGraph();
      const { stopReason } = run(egraph, freshRules(), {
        timeLimitMs: 5,
        now: () => time,
        nodeLimit: 1e7,
        codeGeneration: 'always',
      });
      expect(stopReason).toEqual({ _tag: 'TimeLimit', elapsedMs: 6 });
      expect(made).toBe(2);
      expect(egraph.byteSize).toBeLessThan(20e6);
    } finally {
      globalThis.Function = maker;
    }
  });

  it('can be put in by the caller', () => {
    let asked = 0;
    const stopped = run(mathGraph(), mathRules, { shouldStop: () => ++asked > 40 });
    expect(stopped.stopReason._tag).toBe('Stopped');
    const hook = (_: unknown, i: number): string | undefined => (i === 3 ? 'enough' : undefined);
    const hooked = run(mathGraph(), mathRules, { hooks: [hook] });
    expect(hooked.stopReason).toEqual({ _tag: 'Hook', message: 'enough' });
  });

  it('leave an e-graph that a later run continues to the same end', () => {
    const whole = new EGraph({ language: math });
    orThrow(whole.addExpr(acTerm(6)));
    run(whole, acRules, { scheduler: simpleScheduler });
    const parts = new EGraph({ language: math });
    orThrow(parts.addExpr(acTerm(6)));
    for (let nodeLimit = 20; nodeLimit < 2000; nodeLimit += 37) {
      run(parts, acRules, { scheduler: simpleScheduler, nodeLimit });
    }
    expect([parts.nodeCount, parts.classCount]).toEqual([whole.nodeCount, whole.classCount]);
    expect(checkInvariants(parts)).toEqual([]);
  });
});

describe('an asynchronous run', () => {
  it('agrees with a synchronous run, and lets other work proceed', async () => {
    const [a, b] = [mathGraph(), mathGraph()];
    run(a, mathRules, { iterationLimit: 12, nodeLimit: 1e6 });
    let turns = 0;
    const report = await runAsync(b, mathRules, {
      iterationLimit: 12,
      nodeLimit: 1e6,
      now: steppingClock(1),
      onProgress: () => {
        turns++;
      },
    });
    expect(report.stopReason._tag).toBe('IterationLimit');
    expect(turns).toBeGreaterThan(10);
    expect(stateOf(b, false) === stateOf(a, false)).toBe(true);
  });

  it('stops when the signal is aborted', async () => {
    const controller = new AbortController();
    const report = await runAsync(mathGraph(), mathRules, {
      nodeLimit: 1e6,
      now: steppingClock(1),
      signal: controller.signal,
      yieldNow: () => {
        controller.abort();
        return Promise.resolve();
      },
    });
    expect(report.stopReason._tag).toBe('Stopped');
  });

  it('that is aborted leaves an e-graph that a rebuild completes', async () => {
    const egraph = mathGraph();
    let turns = 0;
    const signal = { aborted: false };
    await runAsync(egraph, mathRules, {
      nodeLimit: 1e6,
      scheduler: simpleScheduler,
      now: steppingClock(2),
      signal,
      yieldNow: () => {
        signal.aborted = ++turns > 200;
        return Promise.resolve();
      },
    });
    egraph.rebuild();
    expect(checkInvariants(egraph)).toEqual([]);
  });
});

describe('the same input', () => {
  it('gives the same e-graph, byte for byte', () => {
    const state = (): string => {
      const egraph = mathGraph();
      run(egraph, mathRules, { iterationLimit: 15, nodeLimit: 1e6 });
      return stateOf(egraph);
    };
    const first = state();
    expect(first === state()).toBe(true);
  });

  it('gives the same counts with new rules, cold', () => {
    const make = (): readonly [number, number] => {
      const egraph = new EGraph();
      orThrow(egraph.addExpr('(+ a (+ b (+ c (+ d (+ e f)))))'));
      run(egraph, [
        rewrite('comm', '(+ ?a ?b)', '(+ ?b ?a)'),
        rewrite('assoc', '(+ ?a (+ ?b ?c))', '(+ (+ ?a ?b) ?c)'),
      ]);
      return [egraph.nodeCount, egraph.classCount];
    };
    expect(make()).toEqual([608, 63]);
  });
});
