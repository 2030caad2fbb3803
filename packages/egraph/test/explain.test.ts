import { orThrow } from '@baton/base';
import {
  type CodeGeneration,
  checkProof,
  EGraph,
  explain,
  flatProof,
  multiRewrite,
  type Proof,
  parseTerm,
  printFlatProof,
  printProof,
  type RuleInput,
  rewrite,
  run,
  simpleScheduler,
  type Term,
  term,
  when,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import {
  constantFolding,
  MATH7,
  math,
  mathRules,
} from '../../../bench/src/egraph/languages/math.ts';

const arithmetic: RuleInput<undefined> = [
  rewrite('comm-add', '(+ ?a ?b)', '(+ ?b ?a)'),
  rewrite('assoc-add', '(+ ?a (+ ?b ?c))', '(+ (+ ?a ?b) ?c)'),
  rewrite('add-zero', '(+ ?a 0)', '?a'),
  rewrite('mul-two', '(* 2 ?a)', '(+ ?a ?a)'),
];

const parse = (text: string): Term => orThrow(parseTerm(text));

/** The proof that two terms are equal after a run, checked. */
function proofOf(
  left: string,
  right: string,
  rules: RuleInput<undefined>,
  codeGeneration: CodeGeneration = 'auto',
): Proof {
  const egraph = new EGraph({ explanations: true });
  orThrow(egraph.addExpr(left));
  orThrow(egraph.addExpr(right));
  const options = { scheduler: simpleScheduler, iterationLimit: 6, nodeLimit: 5000 };
  run(egraph, rules, { ...options, codeGeneration });
  const proof = orThrow(explain(egraph, parse(left), parse(right), rules));
  orThrow(checkProof(proof, rules));
  return proof;
}

describe('explanations', () => {
  it.each([
    ['(+ a 0)', 'a'],
    ['(+ 0 a)', 'a'],
    ['(f (+ a b))', '(f (+ b a))'],
    ['(+ a (+ b (+ c d)))', '(+ (+ d c) (+ b a))'],
    ['(f (* 2 x) (g (+ y 0)))', '(f (+ x x) (g y))'],
    ['(+ (f (+ a 0)) (g (+ 0 b)))', '(+ (g b) (f a))'],
  ])('of %s = %s replay in the checker', (left, right) => {
    for (const codeGeneration of ['always', 'never'] as const) {
      const proof = proofOf(left, right, arithmetic, codeGeneration);
      expect(proof.left).toEqual(parse(left));
      expect(proof.right).toEqual(parse(right));
      const flat = orThrow(flatProof(proof));
      expect(flat.at(-1)?.term).toEqual(parse(right));
      expect(printProof(proof)).toContain(left);
    }
  });

  it('read as chains of rewritings', () => {
    const proof = proofOf('(f (+ 0 a))', '(f a)', arithmetic);
    expect(printFlatProof(proof, orThrow(flatProof(proof)))).toBe(
      ['(f (+ 0 a))', '=> (f (+ a 0))    ; comm-add', '=> (f a)    ; add-zero'].join('\n'),
    );
  });

  it.each<[title: string, left: string, right: string, tree: string, flat: string]>([
    [
      'steps in several children',
      '(f (+ 0 a) (* 2 b))',
      '(f a (+ b b))',
      `1. (+ 0 a)
  = (+ a 0)    ; comm-add [?a = 0, ?b = a]
  = a    ; add-zero [?a = a]
2. (* 2 b)
  = (+ b b)    ; mul-two [?a = b]
3. (f (+ 0 a) (* 2 b))
  = (f a (+ b b))    ; by 1, 2`,
      `(f (+ 0 a) (* 2 b))
=> (f (+ a 0) (* 2 b))    ; comm-add
=> (f a (* 2 b))    ; add-zero
=> (f a (+ b b))    ; mul-two`,
    ],
    [
      'a rule that is used backward, after one lemma for two places',
      '(+ (+ a 0) (+ a 0))',
      '(* 2 a)',
      `1. (+ a 0)
  = a    ; add-zero [?a = a]
2. (+ a 0)
  = a    ; add-zero [?a = a]
3. (+ (+ a 0) (+ a 0))
  = (+ a a)    ; by 1, 2
  = (* 2 a)    ; mul-two backward [?a = a]`,
      `(+ (+ a 0) (+ a 0))
=> (+ a (+ a 0))    ; add-zero
=> (+ a a)    ; add-zero
<= (* 2 a)    ; mul-two`,
    ],
    ['nothing to prove', '(f a)', '(f a)', '', '(f a)'],
  ])('are printed as lemmas and as a chain: %s', (_, left, right, tree, flat) => {
    const proof = proofOf(left, right, arithmetic);
    expect(printProof(proof)).toBe(tree);
    expect(printFlatProof(proof, orThrow(flatProof(proof)))).toBe(flat);
  });

  it('are printed with conditions, given equalities, and several patterns', () => {
    const printed = (egraph: EGraph, left: string, right: string, rules: RuleInput<undefined>) => {
      run(egraph, rules, { scheduler: simpleScheduler, iterationLimit: 4 });
      const proof = orThrow(explain(egraph, parse(left), parse(right), rules));
      return printProof(proof);
    };
    const graph = (...texts: ReadonlyArray<string>): EGraph => {
      const egraph = new EGraph({ explanations: true });
      for (const text of texts) orThrow(egraph.addExpr(text));
      return egraph;
    };
    const half = rewrite<undefined>('half', '(half ?a)', '(/ ?a 2)', {
      when: when('?a', function small() {
        return true;
      }),
    });
    expect(printed(graph('(half x)'), '(half x)', '(/ x 2)', [half])).toBe(
      '1. (half x)\n  = (/ x 2)    ; half [?a = x, if small(?a)]',
    );
    const given = graph('(f a)', '(f b)');
    given.union(given.add('a'), given.add('b'), 'axiom');
    expect(printed(given, '(f a)', '(f b)', [])).toBe(
      '1. a\n  = b    ; axiom\n2. (f a)\n  = (f b)    ; by 1',
    );
    const join = multiRewrite<undefined>(
      'join',
      '?l = (left ?a), ?r = (right ?a)',
      '?l = (both ?a), ?r = (both ?a)',
    );
    expect(printed(graph('(pair (left q) (right q))'), '(left q)', '(right q)', [join])).toBe(
      `1. (left q)
  = (both q)    ; join [?a = q, ?l = (left q), ?r = (right q)]
  = (right q)    ; join backward [?a = q, ?l = (left q), ?r = (right q)]`,
    );
  });

  it('are refused as a chain that would be too long', () => {
    let shared: Proof = {
      left: term('a'),
      right: term('b'),
      steps: [{ _tag: 'Given', reason: 'axiom', from: term('a'), to: term('b') }],
    };
    const doubled = (): Proof => {
      const { left, right } = shared;
      const [from, to] = [term('f', [left, left]), term('f', [right, right])];
      const children = [shared, shared];
      return { left: from, right: to, steps: [{ _tag: 'Congruence', from, to, children }] };
    };
    for (let steps = 1; steps <= 100_000 / 2; steps *= 2) {
      expect(orThrow(flatProof(shared))).toHaveLength(steps);
      shared = doubled();
    }
    expect(orThrow(flatProof(shared))).toHaveLength(65_536);
    expect(flatProof(doubled())).toMatchObject({ left: [{ code: 'EGRAPH_PROOF_TOO_LONG' }] });
  });

  it('cover unions that are given, congruence and conditions', () => {
    const egraph = new EGraph({ explanations: true });
    const [a, b] = [orThrow(egraph.addExpr('(f (g a))')), orThrow(egraph.addExpr('(f (g b))'))];
    egraph.union(egraph.add('a'), egraph.add('b'), 'axiom');
    const rules = [
      rewrite<undefined>('strip', '(f ?x)', '?x', {
        when: when('?x', function always() {
          return true;
        }),
      }),
    ];
    run(egraph, rules);
    expect(egraph.find(a)).toBe(egraph.find(b));
    const proof = orThrow(explain(egraph, parse('(f (g a))'), parse('(g b)'), rules));
    expect(checkProof(proof, rules)._tag).toBe('Left');
    const checked = orThrow(checkProof(proof, rules, { given: ['axiom'] }));
    expect(checked.assumptions).toEqual(['axiom', 'strip: always(?x)'].sort());
    expect(checkProof(proof, rules, { given: ['axiom'], holds: () => false })._tag).toBe('Left');
  });

  it('cover multi-patterns', () => {
    for (const codeGeneration of ['always', 'never'] as const) {
      const rules = [
        multiRewrite<undefined>(
          'join',
          '?l = (left ?a), ?r = (right ?a)',
          '?l = (both ?a), ?r = (both ?a)',
        ),
        rewrite<undefined>('id', '(id ?a)', '?a'),
      ];
      const egraph = new EGraph({ explanations: true });
      orThrow(egraph.addExpr('(pair (left (id q)) (right q))'));
      run(egraph, rules, { codeGeneration });
      const proof = orThrow(explain(egraph, parse('(left (id q))'), parse('(right q)'), rules));
      orThrow(checkProof(proof, rules));
    }
  });

  it.each([
    ['?m = (mid ?a), ?l = (wrap ?m)', '(left q)', '(wrap (mid q))'],
    ['?n = (g ?a), ?n = (h ?a), ?r = (both ?a)', '(right q)', '(both q)'],
    ['?n = (g ?a), ?n = (h ?a), ?r = (both ?a)', '(g q)', '(h q)'],
    ['?n = (g ?a), ?n = (h ?n), ?l = ?n', '(left q)', '(h (g q))'],
  ])('cover classes that the right-hand side names: %s', (right, from, to) => {
    for (const codeGeneration of ['always', 'never'] as const) {
      const rules = [multiRewrite<undefined>('x', '?l = (left ?a), ?r = (right ?a)', right)];
      const egraph = new EGraph({ explanations: true });
      orThrow(egraph.addExpr('(pair (left q) (right q))'));
      run(egraph, rules, { codeGeneration, iterationLimit: 3 });
      const proof = orThrow(explain(egraph, parse(from), parse(to), rules));
      orThrow(checkProof(proof, rules));
      // The new variable is determined by the rule, and not by the proof.
      const elsewhere = parse(to.replace('q', 'z'));
      const lie = proof.steps.map((step) =>
        step._tag === 'Rule'
          ? {
              ...step,
              to: elsewhere,
              substitution: { ...step.substitution, '?m': parse('(mid z)') },
            }
          : step,
      );
      expect(checkProof({ ...proof, right: elsewhere, steps: lie }, rules)._tag).toBe('Left');
    }
  });

  it('after a pop know the children of the nodes made since', () => {
    const egraph = new EGraph({ explanations: true });
    for (const name of ['a', 'b', 'c']) egraph.add(name);
    egraph.push();
    orThrow(egraph.addExpr('(f c c c c)'));
    orThrow(egraph.pop());
    orThrow(egraph.addExpr('(g a a)'));
    orThrow(egraph.addExpr('(g b b)'));
    egraph.union(egraph.add('a'), egraph.add('b'), 'axiom');
    const proof = orThrow(explain(egraph, parse('(g a a)'), parse('(g b b)'), []));
    orThrow(checkProof(proof, [], { given: ['axiom'] }));
  });

  it('of arithmetic with constant folding replay, at every size', () => {
    const egraph = new EGraph({ language: math, analysis: constantFolding, explanations: true });
    for (const text of MATH7) orThrow(egraph.addExpr(text));
    run(egraph, mathRules, { iterationLimit: 5, scheduler: simpleScheduler, nodeLimit: 1e6 });
    expect([egraph.nodeCount, egraph.classCount]).toEqual([3_643, 1_176]);
    const pairs = [
      ['(+ y (+ x y))', '(+ (+ y x) y)'],
      ['(d x (+ 1 (* 2 x)))', '(+ (d x 1) (d x (* 2 x)))'],
      ['(- (+ x 2) (+ x x))', '(+ (+ x 2) (* -1 (+ x x)))'],
      ['(d x (* 2 x))', '(+ (* 2 (d x x)) (* x (d x 2)))'],
      ['(+ (* 2 (d x x)) (* x (d x 2)))', '2'],
    ] as const;
    let proved = 0;
    for (const [l, r] of pairs) {
      const [left, right] = [orThrow(parseTerm(l, math)), orThrow(parseTerm(r, math))];
      const proof = explain(egraph, left, right, mathRules);
      if (proof._tag === 'Left') continue;
      proved++;
      orThrow(checkProof(proof.right, mathRules, { language: math, given: ['constant-folding'] }));
    }
    expect(proved).toBeGreaterThanOrEqual(3);
  });

  it('accept steps by rules outside the list without proof', () => {
    const egraph = new EGraph({ explanations: true });
    orThrow(egraph.addExpr('(f (+ a 0))'));
    run(egraph, arithmetic);
    const proof = orThrow(explain(egraph, parse('(f (+ a 0))'), parse('(f a)'), []));
    expect(checkProof(proof, arithmetic)._tag).toBe('Left');
    expect(orThrow(checkProof(proof, [], { given: ['add-zero'] })).assumptions).toEqual([
      'add-zero',
    ]);
  });

  it('that are corrupted are refused', () => {
    const proof = proofOf('(+ (f (+ a 0)) (g (+ 0 b)))', '(+ (g b) (f a))', arithmetic);
    const refused = (bad: Proof): boolean => checkProof(bad, arithmetic)._tag === 'Left';
    expect(refused({ ...proof, right: parse('z') })).toBe(true);
    expect(refused({ ...proof, steps: proof.steps.slice(1) })).toBe(true);
    let corrupted = 0;
    proof.steps.forEach((step, i) => {
      const withStep = (bad: typeof step): Proof => ({
        ...proof,
        steps: proof.steps.map((s, j) => (i === j ? bad : s)),
      });
      expect(refused(withStep({ ...step, to: term('z') }))).toBe(true);
      if (step._tag === 'Rule') {
        expect(refused(withStep({ ...step, rule: 'no-such-rule' }))).toBe(true);
        const [name] = Object.keys(step.substitution);
        const substitution = { ...step.substitution, [name ?? '']: term('z') };
        expect(refused(withStep({ ...step, substitution }))).toBe(true);
        corrupted++;
      }
      if (step._tag === 'Congruence') {
        const children = step.children.map((child) => ({ ...child, steps: [] }));
        const isTrivial = step.children.every((child) => child.steps.length === 0);
        expect(refused(withStep({ ...step, children }))).toBe(!isTrivial);
        corrupted++;
      }
    });
    expect(corrupted).toBeGreaterThan(1);
  });

  it('of congruence are one operator above the proofs about its children', () => {
    const [a, b] = [term('a'), term('b')];
    const given = (left: Term, right: Term): Proof => ({
      left,
      right,
      steps: [{ _tag: 'Given', reason: 'axiom', from: left, to: right }],
    });
    const congruent = (from: Term, to: Term, ...children: Proof[]): Proof => ({
      left: from,
      right: to,
      steps: [{ _tag: 'Congruence', from, to, children }],
    });
    const f = (child: Term, payload?: unknown): Term => term('f', [child], payload);
    const holds = (proof: Proof): boolean =>
      checkProof(proof, [], { given: ['axiom'] })._tag === 'Right';
    expect(holds(congruent(f(a), f(b), given(a, b)))).toBe(true);
    expect(holds(congruent(f(a, 1), f(b, 1), given(a, b)))).toBe(true);
    expect(holds(congruent(f(a), term('g', [b]), given(a, b)))).toBe(false);
    expect(holds(congruent(f(a), f(b, 1), given(a, b)))).toBe(false);
    expect(holds(congruent(f(a), f(a), given(a, b)))).toBe(false);
    expect(holds(congruent(f(b), f(b), given(a, b)))).toBe(false);
    expect(holds(congruent(f(a), term('f', [b, b]), given(a, b)))).toBe(false);
    expect(holds(congruent(f(a), f(b)))).toBe(false);
    // Unproved equalities are not taken from elsewhere.
    expect(holds(congruent(f(a), f(b), { left: a, right: b, steps: [] }))).toBe(false);
    const result = checkProof(congruent(f(a), f(b), given(a, b)), []);
    expect(result._tag === 'Left' && result.left[0].message).toContain('`axiom`');
  });

  it('are refused with a reason where there is none', () => {
    const off = new EGraph();
    expect(explain(off, term('a'), term('b'), [])).toMatchObject({
      left: [{ code: 'EGRAPH_EXPLANATIONS_OFF' }],
    });
    const on = new EGraph({ explanations: true });
    on.add('a');
    on.add('b');
    expect(
      explain(on, term('a'), term('b'), [rewrite('broken', '(' as string, 'a')]),
    ).toMatchObject({ left: [{ code: 'EGRAPH_UNEXPECTED_END' }] });
    expect(explain(on, term('c'), term('a'), [])).toMatchObject({
      left: [{ code: 'EGRAPH_TERM_NOT_FOUND', message: expect.stringContaining('c') as string }],
    });
    expect(explain(on, term('f', [term('a')]), term('a'), [])).toMatchObject({
      left: [{ code: 'EGRAPH_TERM_NOT_FOUND' }],
    });
    expect(explain(on, term('a'), term('b'), [])).toMatchObject({
      left: [{ code: 'EGRAPH_NOT_EQUAL' }],
    });
    expect(explain(on, term('a'), term('c'), [])).toMatchObject({
      left: [{ code: 'EGRAPH_TERM_NOT_FOUND' }],
    });
  });
});
