/** U.12: patterns match payloads and bind them. */
import { mulberry32 } from '@baton/base';
import {
  applier,
  type ClassId,
  checkProof,
  countMatches,
  defineLanguage,
  EGraph,
  explain,
  flatProof,
  fromGraphData,
  multiRewrite,
  node,
  numberLeaf,
  orThrow,
  parseClauses,
  parsePattern,
  parseTerm,
  printFlatProof,
  printPattern,
  printProof,
  type RuleInput,
  rewrite,
  run,
  search,
  simpleScheduler,
  symbolLeaf,
  toGraphData,
  variable,
  when,
  whenEqual,
  whenPayload,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';

/** `(scale:2 x)` has the payload 2; numbers are leaves. */
const language = defineLanguage({
  operators: { scale: 1, '+': 2, f: 1 },
  leaves: { num: numberLeaf, sym: symbolLeaf },
  payloads: { scale: numberLeaf },
});

const graphOf = (...texts: ReadonlyArray<string>): EGraph => {
  const egraph = new EGraph({ language, explanations: true });
  for (const text of texts) orThrow(egraph.addExpr(text));
  return egraph;
};

const MODES = ['always', 'never'] as const;

/** The payloads that `?k` stands for, in order. */
const found = (egraph: EGraph, pattern: string): ReadonlyArray<unknown> =>
  search(egraph, orThrow(parsePattern(pattern))).map((match) => match.payload('?k'));

describe('U.12 a variable behind a colon stands for the payload', () => {
  it('of an operator, of a leaf, and anywhere in a pattern', () => {
    const egraph = graphOf('(+ (scale:2 x) (scale:3 (scale:-4 y)))', '(+ 5 (f 6))');
    expect(found(egraph, '(scale:?k ?x)')).toEqual([2, -4, 3]);
    expect(found(egraph, 'num:?k')).toEqual([5, 6]);
    expect(found(egraph, 'sym:?k')).toEqual(['x', 'y']);
    expect(found(egraph, '(+ ?a (scale:?k ?b))')).toEqual([3]);
    expect(found(egraph, '(f num:?k)')).toEqual([6]);
    expect(found(egraph, '(scale:?k sym:?n)')).toEqual([2, -4]);
    // An operator without a payload does not match.
    expect(found(egraph, '(f:?k ?x)')).toEqual([]);
    expect(found(egraph, '(+:?k ?x ?y)')).toEqual([]);
  });

  it('and a payload is matched by writing it', () => {
    const egraph = graphOf('(+ (scale:2 x) (scale:3 x))');
    expect(countMatches(egraph, orThrow(parsePattern('(scale:2 ?x)')))).toBe(1);
    expect(countMatches(egraph, orThrow(parsePattern('(scale:4 ?x)')))).toBe(0);
    const built = node('scale', [variable('?x')], 3);
    expect(countMatches(egraph, built)).toBe(1);
    expect(countMatches(egraph, node('scale', [variable('?x')], variable('?k')))).toBe(2);
  });

  it('that is one payload wherever the variable stands', () => {
    const egraph = graphOf(
      '(+ (scale:2 x) (scale:2 y))',
      '(+ (scale:2 x) (scale:3 y))',
      '(scale:7 7)',
    );
    expect(found(egraph, '(+ (scale:?k ?x) (scale:?k ?y))')).toEqual([2]);
    // Two operators, one payload.
    expect(found(egraph, '(scale:?k num:?k)')).toEqual([7]);
    const clauses = orThrow(parseClauses('?a = (scale:?k ?x), ?b = (scale:?k num:?n)'));
    expect(search(egraph, clauses).map((match) => match.payload('?k'))).toEqual([7]);
  });

  it('is written as it is read', () => {
    for (const text of ['(scale:?k ?x)', 'num:?k', '(+ (scale:?k ?x) num:?n)']) {
      expect(printPattern(orThrow(parsePattern(text)))).toBe(text);
    }
    const text = '(+ (scale:2 x) (scale:-0.5 3))';
    const egraph = graphOf(text);
    expect(egraph.print(orThrow(parseTerm(text, language)))).toBe(text);
    const data = toGraphData(egraph);
    expect(toGraphData(orThrow(fromGraphData(data, { language })).egraph)).toEqual(data);
    // A colon within a name still belongs to it.
    expect(orThrow(parseTerm('(ns:add a)')).name).toBe('ns:add');
    expect(parseTerm('(scale:two x)', language)).toMatchObject({
      left: [{ code: 'EGRAPH_UNKNOWN_OPERATOR' }],
    });
  });
});

describe('U.12 rules with payloads', () => {
  it.each(MODES)('build, ask conditions, and are explained (code: %s)', (codeGeneration) => {
    const rules: RuleInput<unknown> = [
      rewrite('flip', '(scale:?k (scale:?j ?x))', '(scale:?j (scale:?k ?x))'),
      rewrite('plain', '(scale:?k ?x)', '?x', { when: whenPayload('?k', (k: number) => k === 1) }),
      rewrite('name', '(scale:?k num:?n)', '(f num:?k)'),
    ];
    const egraph = graphOf('(scale:1 (scale:2 7))');
    const root = egraph.classes().at(-1) as ClassId;
    orThrow(run(egraph, rules, { codeGeneration }).outcome);
    expect(orThrow(egraph.lookupExpr('(f 2)'))).toBe(egraph.find(root));
    const term = (text: string) => orThrow(parseTerm(text, language));
    for (const text of ['(f 2)', '(scale:2 (scale:1 7))', '(scale:2 7)']) {
      const proof = orThrow(explain(egraph, term('(scale:1 (scale:2 7))'), term(text), rules));
      const checked = orThrow(checkProof(proof, rules, { language }));
      expect(checked.steps).toBeGreaterThan(0);
      const [first] = proof.steps;
      const wrong = { ...proof, steps: [{ ...first, substitution: {} }] } as typeof proof;
      expect(checkProof(wrong, rules, { language })._tag).toBe('Left');
    }
  });

  it.each(MODES)('of several patterns and of functions (code: %s)', (codeGeneration) => {
    const egraph = graphOf('(scale:2 x)', '(scale:3 x)', '(+ 4 5)');
    const rules = [
      multiRewrite(
        'same',
        '?a = (scale:?k ?x), ?b = (scale:?j ?x)',
        '?c = (scale:?k ?b), ?c = (scale:?j ?a)',
      ),
      rewrite(
        'add',
        '(+ num:?a num:?b)',
        applier(['?a', '?b'], ({ egraph: g, payload }) =>
          g.add('num', [], (payload('?a') as number) + (payload('?b') as number)),
        ),
      ),
    ];
    orThrow(
      run(egraph, rules, { codeGeneration, iterationLimit: 1, scheduler: simpleScheduler }).outcome,
    );
    expect(orThrow(egraph.lookupExpr('9'))).toBe(orThrow(egraph.lookupExpr('(+ 4 5)')));
    expect(orThrow(egraph.lookupExpr('(scale:2 (scale:3 x))'))).toBe(
      orThrow(egraph.lookupExpr('(scale:3 (scale:2 x))')),
    );
    const guarded = rewrite('guarded', '(scale:?k ?x)', '(f ?x)', {
      when: [
        whenEqual('(scale:?k ?x)', '(scale:2 ?x)'),
        when('?x', (g, x) => g.nodes(x).length > 0),
      ],
    });
    orThrow(run(egraph, [guarded], { codeGeneration, iterationLimit: 1 }).outcome);
    expect(orThrow(egraph.lookupExpr('(f x)'))).toBe(orThrow(egraph.lookupExpr('(scale:2 x)')));
  });

  it('refuse a variable that is a class and a payload, and one that nothing binds', () => {
    expect(rewrite('r', '(scale:?k ?k)', '?k')).toMatchObject({
      left: [{ code: 'EGRAPH_MIXED_VARIABLE', message: expect.stringContaining('`r`: `?k`') }],
    });
    expect(rewrite('r', '(scale:?k ?x)', '(f ?k)')).toMatchObject({
      left: [{ code: 'EGRAPH_MIXED_VARIABLE' }],
    });
    expect(multiRewrite('r', '?k = (scale:?k ?x)', '?k = (f ?x)')).toMatchObject({
      left: [{ code: 'EGRAPH_MIXED_VARIABLE' }],
    });
    // @ts-expect-error -- ?j is not bound on the left.
    expect(rewrite('r', '(scale:?k ?x)', '(scale:?j ?x)')).toMatchObject({
      left: [{ code: 'EGRAPH_UNBOUND_VARIABLE' }],
    });
    const arity = run(graphOf('x'), [rewrite('r', '(scale:?k ?x ?y)', '?x')]);
    expect(arity.outcome).toMatchObject({ left: [{ code: 'EGRAPH_ARITY_MISMATCH' }] });
  });

  it('find the same after push, pop and clone', () => {
    const egraph = graphOf('(scale:2 x)');
    egraph.push();
    orThrow(egraph.addExpr('(scale:3 x)'));
    orThrow(egraph.pop());
    orThrow(egraph.addExpr('(scale:4 x)'));
    for (const g of [egraph, egraph.clone()]) {
      expect(found(g, '(scale:?k ?x)')).toEqual([2, 4]);
      orThrow(g.addExpr('(scale:5 x)'));
      expect(found(g, '(scale:?k ?x)')).toEqual([2, 4, 5]);
    }
  });
});

/** The matches of `(+ (scale:?k ?x) (scale:?k num:?n))`, found by looking at everything. */
function naiveMatches(egraph: EGraph): ReadonlyArray<string> {
  const named = (id: ClassId, name: string) =>
    egraph.nodes(id).filter((n) => egraph.operatorOf(n).name === name);
  const matches: string[] = [];
  for (const root of egraph.classes()) {
    for (const sum of named(root, '+')) {
      for (const left of named(egraph.child(sum, 0), 'scale')) {
        for (const right of named(egraph.child(sum, 1), 'scale')) {
          const k = egraph.operatorOf(left).payload;
          if (k !== egraph.operatorOf(right).payload) continue;
          for (const leaf of named(egraph.child(right, 0), 'num')) {
            const n = egraph.operatorOf(leaf).payload;
            matches.push([root, k, egraph.child(left, 0), n].join(' '));
          }
        }
      }
    }
  }
  return matches.sort();
}

describe('U.12 matching payloads on random e-graphs', () => {
  const seeds = Array.from({ length: 60 }, (_, i) => i);

  it.each(seeds)('finds the matches of an exhaustive search: seed %i', (seed) => {
    const random = mulberry32(seed);
    const egraph = new EGraph({ language });
    const ids: ClassId[] = [egraph.add('sym', [], 'x'), egraph.add('num', [], 1)];
    const pick = (): ClassId => ids[Math.floor(random() * ids.length)] as ClassId;
    for (let i = 0; i < 40; i++) {
      const kind = random();
      if (kind < 0.2) ids.push(egraph.add('num', [], Math.floor(random() * 3)));
      else if (kind < 0.6) ids.push(egraph.add('scale', [pick()], Math.floor(random() * 3)));
      else if (kind < 0.85) ids.push(egraph.add('+', [pick(), pick()]));
      else egraph.union(pick(), pick());
    }
    egraph.rebuild();
    const pattern = orThrow(parsePattern('(+ (scale:?k ?x) (scale:?k num:?n))'));
    const matches = search(egraph, pattern).map(({ root, get, payload }) =>
      [root, payload('?k'), get('?x'), payload('?n')].join(' '),
    );
    expect([...matches].sort()).toEqual(naiveMatches(egraph));

    // Interpreted and generated matchers, of all matches and of those that are new.
    const rules = [
      rewrite('join', '(+ (scale:?k ?x) (scale:?k ?y))', '(scale:?k (+ ?x ?y))'),
      rewrite('fold', '(scale:?k num:?n)', '(+ num:?k num:?n)'),
      rewrite('flip', '(+ ?a ?b)', '(+ ?b ?a)'),
    ];
    const results = MODES.flatMap((codeGeneration) =>
      [true, false].map((delta) => {
        const copy = egraph.clone();
        const limits = { iterationLimit: 4, nodeLimit: 3000, scheduler: simpleScheduler };
        const report = run(copy, rules, { ...limits, codeGeneration, delta });
        return JSON.stringify([copy.nodeCount, copy.classCount, report.stopReason]);
      }),
    );
    expect(new Set(results).size).toBe(1);
  });
});

describe('U8: a proof knows the language of its e-graph', () => {
  const rules = [
    rewrite('flip', '(+ ?x ?y)', '(+ ?y ?x)'),
    rewrite('zero', '(+ ?x 0)', '?x'),
    rewrite('one', '(scale:1 ?x)', '?x'),
    rewrite('named', '(f a)', 'b'),
  ];
  it.each([
    ['(+ 0 x)', 'x'],
    ['(scale:1 (+ 0 7))', '7'],
    ['(f a)', 'b'],
    ['(scale:1 (f a))', 'b'],
    ['(f (+ 0 a))', 'b'],
    ['(+ 3 (f a))', '(+ b 3)'],
  ])('of %s = %s: it is checked, and its text is read again', (from, to) => {
    const egraph = graphOf(from);
    orThrow(run(egraph, rules).outcome);
    const term = (text: string) => orThrow(parseTerm(text, language));
    const proof = orThrow(explain(egraph, term(from), term(to), rules));
    expect(orThrow(checkProof(proof, rules)).steps).toBeGreaterThan(0);
    const steps = orThrow(flatProof(proof));
    for (const line of printFlatProof(proof, steps).split('\n')) {
      const text = line.replace(/^(=>|<=) /, '').replace(/ +;.*$/, '');
      expect(orThrow(parseTerm(text, language)).name).not.toBe('');
      expect(text).not.toMatch(/sym:|num:/);
    }
    expect(printProof(proof)).not.toMatch(/sym:|num:/);
  });
});
