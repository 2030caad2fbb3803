import { orThrow } from '@baton/base';
import {
  type Analysis,
  applier,
  backoffScheduler,
  composeAnalyses,
  countMatches,
  defineLanguage,
  EGraph,
  multiRewrite,
  node,
  numberLeaf,
  parseClauses,
  parsePattern,
  repeat,
  rewrite,
  rewriteBoth,
  rules,
  ruleset,
  run,
  runSchedule,
  saturate,
  search,
  sequence,
  simpleScheduler,
  symbolLeaf,
  variable,
  when,
  whenData,
  whenEqual,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './invariants.ts';

const codes = (result: { _tag: string; left?: ReadonlyArray<{ code: string }> }): unknown =>
  result._tag === 'Left' ? result.left?.map((d) => d.code) : 'success';

const isEqual = <D>(egraph: EGraph<D>, a: string, b: string): boolean => {
  const [x, y] = [orThrow(egraph.lookupExpr(a)), orThrow(egraph.lookupExpr(b))];
  return x !== undefined && x === y;
};

describe('the e-graph', () => {
  it('shares equal terms and closes unions under congruence', () => {
    const egraph = new EGraph();
    const [fa, fb] = [orThrow(egraph.addExpr('(f a)')), orThrow(egraph.addExpr('(f b)'))];
    expect(orThrow(egraph.addExpr('(f a)'))).toBe(fa);
    expect(egraph.classCount).toBe(4);
    egraph.union(egraph.add('a'), egraph.add('b'));
    expect(egraph.rebuild()).toBe(1);
    expect(egraph.find(fa)).toBe(egraph.find(fb));
    expect([egraph.nodeCount, egraph.classCount]).toEqual([3, 2]);
    expect(checkInvariants(egraph)).toEqual([]);
  });

  it('tells operators apart by payload and number of children', () => {
    const egraph = new EGraph();
    const a = egraph.add('a');
    const ids = [
      egraph.add('conv', [a], 1),
      egraph.add('conv', [a], 2),
      egraph.add('conv', [a, a], 1),
      egraph.add('conv', [a], 0),
      egraph.add('conv', [a], -0),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(egraph.add('conv', [a], 2)).toBe(ids[1]);
    expect(egraph.lookup('conv', [a], 3)).toBeUndefined();
    expect(egraph.operatorOf(egraph.nodes(ids[0] as never)[0] as never).payload).toBe(1);
  });

  it('repairs operators of every arity', () => {
    for (let arity = 1; arity <= 6; arity++) {
      const egraph = new EGraph();
      const left = egraph.add(
        'f',
        Array.from({ length: arity }, (_, i) => egraph.add(`a${i}`)),
      );
      const right = egraph.add(
        'f',
        Array.from({ length: arity }, (_, i) => egraph.add(`b${i}`)),
      );
      for (let i = 0; i < arity; i++) egraph.union(egraph.add(`a${i}`), egraph.add(`b${i}`));
      egraph.rebuild();
      expect(egraph.find(left)).toBe(egraph.find(right));
      expect(checkInvariants(egraph)).toEqual([]);
    }
  });

  it('takes terms of any depth', () => {
    const egraph = new EGraph();
    const depth = 50_000;
    const text = `${'(f '.repeat(depth)}x${')'.repeat(depth)}`;
    orThrow(egraph.addExpr(text));
    expect(egraph.nodeCount).toBe(depth + 1);
    egraph.union(egraph.add('x'), egraph.add('f', [egraph.add('x')]));
    egraph.rebuild();
    expect(egraph.classCount).toBe(1);
  });

  it('lists the classes of an operator', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(+ (f a) (f b))'));
    expect(egraph.classesForOp('f').length).toBe(2);
    expect(egraph.classesForOp('f', 2)).toEqual([]);
    expect(egraph.classesForOp('g')).toEqual([]);
  });

  it('answers wrong texts with diagnostics', () => {
    const egraph = new EGraph({
      language: defineLanguage({
        operators: { '+': 2, max: 'any' },
        leaves: { num: numberLeaf },
      }),
    });
    const rows: ReadonlyArray<readonly [string, string]> = [
      ['(+ 1', 'EGRAPH_UNEXPECTED_END'],
      ['', 'EGRAPH_UNEXPECTED_END'],
      ['1 2', 'EGRAPH_TRAILING_TEXT'],
      [')', 'EGRAPH_TRAILING_TEXT'],
      ['()', 'EGRAPH_MISSING_OPERATOR'],
      ['(+ 1 ?x)', 'EGRAPH_VARIABLE_IN_TERM'],
      ['(+ 1)', 'EGRAPH_ARITY_MISMATCH'],
      ['(* 1 2)', 'EGRAPH_UNKNOWN_OPERATOR'],
      ['x', 'EGRAPH_UNKNOWN_OPERATOR'],
    ];
    for (const [text, code] of rows) expect(codes(egraph.addExpr(text))).toEqual([code]);
    expect(codes(egraph.addExpr('(max 1 2 3 4 5)'))).toBe('success');
  });

  it('checks terms of a typed language at compile time', () => {
    const typed = defineLanguage({
      operators: { '+': 2, neg: 1 },
      leaves: { num: numberLeaf, sym: symbolLeaf },
    });
    const two = typed.leaf('num', 2);
    const egraph = new EGraph({ language: typed });
    orThrow(egraph.addChecked(typed.node('+', two, typed.node('neg', two))));
    // @ts-expect-error -- `neg` takes one child.
    expect(codes(egraph.addChecked(typed.node('neg', two, two)))).toEqual([
      'EGRAPH_ARITY_MISMATCH',
    ]);
    // @ts-expect-error -- the payload of `num` is a number.
    typed.leaf('num', 'two');
    expect(isEqual(egraph, '(+ 2 (neg 2))', '(+ 2 (neg 2))')).toBe(true);
  });
});

describe('patterns', () => {
  const egraph = new EGraph();
  for (const text of ['(f a a)', '(f a b)', '(g a a)', '(g a b)', '(h (f a b) a b c d)']) {
    orThrow(egraph.addExpr(text));
  }
  it.each([
    ['?x', 9],
    ['a', 1],
    ['(f ?x ?y)', 2],
    ['(f ?x ?x)', 1],
    ['(f a ?x)', 2],
    ['(f a b)', 1],
    ['(f b ?x)', 0],
    ['(h (f ?x ?y) ?x ?y ?z ?w)', 1],
    ['(h (f ?x ?y) ?y ?x ?z ?w)', 0],
    ['(nothing ?x)', 0],
  ] as const)('%s has %i matches', (text, count) => {
    expect(countMatches(egraph, orThrow(parsePattern(text)))).toBe(count);
  });

  it('join over several clauses', () => {
    const both = orThrow(parseClauses('?v = (f ?x ?y), ?w = (g ?x ?y)'));
    expect(countMatches(egraph, both)).toBe(2);
    const chained = orThrow(parseClauses('?v = (f ?x ?y), ?h = (h ?v ?x ?y ?z ?w)'));
    expect(search(egraph, chained)[0]?.get('?z')).toBe(egraph.lookup('c'));
    expect(codes(parseClauses('?v'))).toEqual(['EGRAPH_BAD_CLAUSE']);
    expect(codes(parseClauses('?v = ?w'))).toEqual(['EGRAPH_BAD_CLAUSE']);
  });

  it('are searched with a limit and within a class', () => {
    const pattern = orThrow(parsePattern('(f ?x ?y)'));
    expect(search(egraph, pattern, { limit: 1 }).length).toBe(1);
    expect(search(egraph, pattern, { limit: 0 }).length).toBe(0);
    const within = orThrow(egraph.addExpr('(f a b)'));
    expect(search(egraph, pattern, { within }).map((m) => m.root)).toEqual([within]);
    expect(search(egraph, pattern, { within: egraph.add('a') })).toEqual([]);
  });

  it('may carry payloads', () => {
    const own = new EGraph();
    own.add('conv', [own.add('x')], 3);
    expect(countMatches(own, node('conv', [variable('?x')], 3))).toBe(1);
    expect(countMatches(own, node('conv', [variable('?x')], 4))).toBe(0);
  });
});

describe('rules', () => {
  it('with unbound variables are refused, by the compiler as well', () => {
    // @ts-expect-error -- `?c` is not bound.
    const right = rewrite('r', '(+ ?a ?b)', '(+ ?b ?c)');
    expect(codes(right)).toEqual(['EGRAPH_UNBOUND_VARIABLE']);
    const condition = rewrite('r', '(+ ?a ?b)', '?a', { when: when('?z', () => true) });
    expect(codes(condition)).toEqual(['EGRAPH_UNBOUND_VARIABLE']);
    const fn = rewrite(
      'r',
      '?a',
      applier(['?b'], () => undefined),
    );
    expect(codes(fn)).toEqual(['EGRAPH_UNBOUND_VARIABLE']);
    expect(codes(rewriteBoth('r', '(f ?a ?b)', '(g ?a)'))).toEqual(['EGRAPH_UNBOUND_VARIABLE']);
    expect(codes(rules([rewrite('r', '?a', '?a'), rewrite('r', '?b', '?b')]))).toEqual([
      'EGRAPH_DUPLICATE_RULE',
    ]);
  });

  it('that do not fit the language end the run with diagnostics', () => {
    const egraph = new EGraph({ language: defineLanguage({ operators: { f: 1 } }) });
    const report = run(egraph, [rewrite('r', '(f ?a ?b)', '?a')]);
    expect(report.stopReason._tag).toBe('Failed');
    expect(report.iterations).toEqual([]);
    expect(run(egraph, [rewrite('r', '(f', 'x')]).stopReason._tag).toBe('Failed');
  });

  it('work both ways, with conditions, functions, and over several patterns', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(p (double x) (half y) (twice z))'));
    orThrow(egraph.addExpr('(pair (left q) (right q))'));
    const report = run(egraph, [
      rewriteBoth('double', '(double ?a)', '(+ ?a ?a)'),
      rewrite('half', '(half ?a)', '(/ ?a 2)', {
        when: when('?a', (e, a) => e.lookup('y') === a),
      }),
      rewrite(
        'twice',
        '(twice ?a)',
        applier(['?a'], ({ egraph: e, get }) => e.add('*', [e.add('2'), get('?a')])),
      ),
      multiRewrite('join', '?l = (left ?a), ?r = (right ?a)', '?l = (both ?a), ?r = (both ?a)'),
    ]);
    expect(report.stopReason._tag).toBe('Saturated');
    expect(isEqual(egraph, '(double x)', '(+ x x)')).toBe(true);
    expect(isEqual(egraph, '(half y)', '(/ y 2)')).toBe(true);
    expect(isEqual(egraph, '(twice z)', '(* 2 z)')).toBe(true);
    expect(isEqual(egraph, '(left q)', '(right q)')).toBe(true);
    expect(report.rules.find((r) => r.name === 'join')).toMatchObject({ matches: 2, applied: 1 });
  });

  it('may be chosen by a function, which is asked at each iteration', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(f x)'));
    const steps = ['f', 'g', 'h'].map((name, i) =>
      rewrite(name, `(${name} ?a)`, `(${'ghk'[i]} ?a)`),
    );
    const asked: number[] = [];
    const report = run(egraph, () => {
      asked.push(egraph.nodeCount);
      return steps.filter((_, i) => egraph.classesForOp('fgh'[i] ?? '').length > 0);
    });
    expect(report.stopReason._tag).toBe('Saturated');
    expect(asked).toEqual([2, 3, 4, 5]);
    expect(report.iterations.map((it) => it.rules.map(({ name }) => name).join(''))).toEqual([
      'f',
      'fg',
      'fgh',
      'fgh',
    ]);
    expect(isEqual(egraph, '(f x)', '(k x)')).toBe(true);
  });

  it.each([
    ['anything', backoffScheduler(), [1, 2, 3, 4], [1, 1, 1, 1], [1, 1, 1, 1]],
    ['data', backoffScheduler(), [1, 2, 3, 4], [1, 0, 0, 0], [1, 1, 1, 1]],
    ['anything', simpleScheduler, [1, 2, 3, 4], [1, 1, 1, 1], [1, 1, 1, 1]],
    ['data', simpleScheduler, [1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0]],
  ] as const)('with a function that reads %s', (reads, scheduler, grown, still, matches) => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(pair (f a) (g a))'));
    const tries = { f: 0, g: 0 };
    const trying = (name: 'f' | 'g'): ReturnType<typeof rewrite> =>
      rewrite(
        name,
        `(${name} ?a)`,
        applier(
          ['?a'],
          ({ egraph: e, root }) => {
            tries[name]++;
            // A match for the next iteration, three times.
            if (name === 'f' && e.nodeCount < 7) e.add('f', [root]);
            return undefined;
          },
          reads,
        ),
      );
    const found: (readonly number[])[] = [];
    const onIteration = (): void => {
      found.push(Object.values(tries));
      Object.assign(tries, { f: 0, g: 0 });
    };
    const report = run(egraph, [trying('f'), trying('g')], { onIteration, scheduler });
    expect(found).toEqual(grown.map((count, i) => [count, still[i]]));
    expect(report.iterations.map(({ rules: [, g] }) => g?.matches)).toEqual(matches);
  });

  it('wait for two patterns to be equal', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(if c (f a) (f b))'));
    const rule = rewrite('same', '(if ?c ?x ?y)', '?x', { when: whenEqual('?x', '?y') });
    run(egraph, [rule]);
    expect(isEqual(egraph, '(if c (f a) (f b))', '(f a)')).toBe(false);
    egraph.union(egraph.add('a'), egraph.add('b'));
    run(egraph, [rule]);
    expect(isEqual(egraph, '(if c (f a) (f b))', '(f a)')).toBe(true);
  });
});

/** The largest known lower bound of a class. */
const atLeast: Analysis<number> = {
  name: 'at-least',
  make: (egraph, n) => {
    const { name, arity } = egraph.operatorOf(n);
    if (arity === 0) return Number(/\d+/.exec(name)?.[0] ?? 0);
    return Math.max(...egraph.childrenOf(n).map((child) => egraph.data(child)));
  },
  merge: Math.max,
};

describe('analyses', () => {
  it('carry data up and across unions', () => {
    const egraph = new EGraph({ analysis: atLeast });
    const root = orThrow(egraph.addExpr('(f (g a) 3)'));
    expect(egraph.data(root)).toBe(3);
    egraph.union(egraph.add('a'), egraph.add('7'));
    egraph.rebuild();
    expect(egraph.data(root)).toBe(7);
    egraph.setData(egraph.add('a'), 9);
    egraph.rebuild();
    expect(egraph.data(root)).toBe(9);
  });

  it('compose', () => {
    const size: Analysis<number> = {
      name: 'size',
      make: (egraph, n) => egraph.childrenOf(n).reduce((sum, c) => sum + egraph.data(c), 1),
      merge: Math.min,
    };
    const egraph = new EGraph({
      analysis: composeAnalyses<{ size: number; atLeast: number }>({ size, atLeast }),
    });
    const root = orThrow(egraph.addExpr('(f (g 5) a)'));
    expect(egraph.data(root)).toEqual({ size: 4, atLeast: 5 });
    egraph.union(orThrow(egraph.addExpr('(g 5)')), egraph.add('8'));
    egraph.rebuild();
    expect(egraph.data(root)).toEqual({ size: 3, atLeast: 8 });
  });

  it('that do not converge are reported', () => {
    const egraph = new EGraph<number>({
      analysis: {
        name: 'runaway',
        make: (e, n) => 1 + Math.max(0, ...e.childrenOf(n).map((child) => e.data(child))),
        merge: Math.max,
      },
    });
    orThrow(egraph.addExpr('(f a)'));
    const report = run(egraph, [rewrite('loop', '(f ?a)', '?a')]);
    expect(report.stopReason).toMatchObject({
      _tag: 'Failed',
      diagnostics: [{ code: 'EGRAPH_ANALYSIS_DIVERGES' }],
    });
  });

  it('that turn a guard true late are not missed by delta matching', () => {
    for (const delta of [true, false]) {
      const egraph = new EGraph({ analysis: atLeast });
      orThrow(egraph.addExpr('(start a)'));
      orThrow(egraph.addExpr('(probe a)'));
      // Takes several rounds to make `a` at least 9, without ever touching `(probe a)`.
      const chain = [1, 2, 3, 4].map((i) =>
        rewrite<number>(`step-${i}`, `(${i === 1 ? 'start' : `s${i}`} ?a)`, `(s${i + 1} ?a)`),
      );
      const finish = rewrite<number>(
        'finish',
        '(s5 ?a)',
        applier<number>(['?a'], ({ egraph: e, get }) => {
          if (e.data(get('?a')) < 9) e.setData(get('?a'), 9);
          return undefined;
        }),
      );
      const guarded = rewrite<number>('guarded', '(probe ?a)', 'found', {
        when: whenData<number>('?a', (e, a) => e.data(a) >= 9),
      });
      run(egraph, [guarded, ...chain, finish], { delta, scheduler: simpleScheduler });
      expect(isEqual(egraph, '(probe a)', 'found')).toBe(true);
    }
  });
});

describe('schedules', () => {
  const grow = rewrite('grow', '(n ?a)', '(n (s ?a))');
  const fold = rewrite('fold', '(s (s ?a))', '(t ?a)');

  it('run rulesets in phases', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(n z)'));
    const report = runSchedule(
      egraph,
      sequence(repeat(3, ruleset([grow])), saturate(ruleset([fold]))),
    );
    expect(report.iterations.map((i) => i.applied)).toEqual([1, 1, 1, 2, 0]);
    expect(report.stopReason._tag).toBe('ScheduleEnd');
    expect(isEqual(egraph, '(s (s z))', '(t z)')).toBe(true);
  });

  it('keep to the limits of the whole', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(n z)'));
    const report = runSchedule(egraph, saturate(ruleset([grow])), { iterationLimit: 7 });
    expect(report.stopReason).toEqual({ _tag: 'IterationLimit', iterations: 7 });
    expect(report.iterations.length).toBe(7);
  });

  it('back off from rules that match too often, and come back to them', () => {
    const egraph = new EGraph();
    for (let i = 0; i < 10; i++) egraph.add('f', [egraph.add(`x${i}`)]);
    const rule = rewrite('r', '(f ?a)', '(g ?a)');
    const scheduler = backoffScheduler({ matchLimit: 4, banLength: 2 });
    const report = run(egraph, [rule], { scheduler });
    expect(report.stopReason._tag).toBe('Saturated');
    expect(report.rules[0]).toMatchObject({ applied: 10 });
    // Banned at 4 and again at 8 matches; 16 suffice.
    expect(report.iterations.map((i) => i.rules[0]?.held)).toEqual([1, 1, 0, 0]);
    const never = run(new EGraph(), [rule], {
      scheduler: backoffScheduler({ doNotBan: ['r'], rules: { r: { matchLimit: 1 } } }),
    });
    expect(never.stopReason._tag).toBe('Saturated');
  });
});
