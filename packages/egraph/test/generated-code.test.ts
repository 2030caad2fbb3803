/** Generated matchers and appliers compile, and agree with interpreted ones. */
import { orThrow } from '@baton/base';
import {
  type CodeGeneration,
  defineLanguage,
  EGraph,
  multiRewrite,
  numberLeaf,
  type RuleInput,
  rewrite,
  run,
  simpleScheduler,
  symbolLeaf,
  when,
  whenEqual,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';

const language = defineLanguage({
  leaves: { num: numberLeaf, sym: symbolLeaf },
  payloads: { scale: numberLeaf },
});

// Rules are made again, since generated code is kept with the rule.
const cases: Readonly<Record<string, () => RuleInput<undefined>>> = {
  'a variable': () => [rewrite<undefined>('r', '(f ?a)', '?a')],
  'any class': () => [rewrite<undefined>('r', '?a', '(id ?a)')],
  'a variable twice': () => [rewrite<undefined>('r', '(+ ?a ?a)', '(* 2 ?a)')],
  'a variable three times': () => [rewrite<undefined>('r', '(w ?a ?b ?a ?a)', '(g ?b)')],
  'a leaf': () => [rewrite<undefined>('r', '(+ ?a 0)', '?a'), rewrite<undefined>('s', 'x', 'y')],
  'a whole term': () => [rewrite<undefined>('r', '(+ (f x) 0)', '(f x)')],
  'patterns inside each other': () => [
    rewrite<undefined>('r', '(+ (+ ?a ?b) ?c)', '(+ ?a (+ ?b ?c))'),
    rewrite<undefined>('s', '(+ (f ?a) (f ?b))', '(f (+ ?a ?b))'),
    rewrite<undefined>('t', '(f (f (f ?a)))', '?a'),
  ],
  'more than three children': () => [
    rewrite<undefined>('r', '(w ?a ?b ?c ?d)', '(w ?d ?c ?b ?a)'),
    rewrite<undefined>('s', '(w (f ?a) ?b (+ ?c ?d) ?e)', '(w ?a ?b ?c (+ ?d ?e) x)'),
  ],
  payloads: () => [
    rewrite<undefined>('r', '(scale:?k ?x)', '(* num:?k ?x)'),
    rewrite<undefined>('s', '(scale:?k (scale:?k ?x))', '(scale:?k ?x)'),
    rewrite<undefined>('t', '(f num:?n)', '(scale:?n num:?n)'),
    rewrite<undefined>('u', '(scale:2 ?x)', '(+ ?x ?x)'),
  ],
  conditions: () => [
    rewrite<undefined>('r', '(+ ?a ?b)', '(+ ?b ?a)', {
      when: when('?a', '?b', (e, a, b) => e.find(a) !== e.find(b)),
    }),
    rewrite<undefined>('s', '(+ ?a ?b)', '(g ?a)', { when: whenEqual('?a', '?b') }),
  ],
  'several patterns': () => [
    multiRewrite<undefined>('r', '?x = (+ ?a ?b), ?y = (f ?a)', '?y = (pair ?x ?b)'),
    multiRewrite<undefined>(
      's',
      '?x = (+ ?a ?b), ?y = (* ?a ?b)',
      '?x = (both ?a), ?y = (both ?b)',
    ),
    multiRewrite<undefined>('t', '?x = (f ?a) = (g ?b)', '?x = (h ?a ?b)'),
    multiRewrite<undefined>('u', '?x = (+ ?a ?b), ?a = (f ?b)', '?n = (g ?b), ?x = ?n'),
  ],
};

const TEXTS = [
  '(+ (+ (f x) 0) (+ (f (f (f x))) (f y)))',
  '(+ (+ x x) (* x x))',
  '(w (f x) y (+ x y) x)',
  '(w x y x x)',
  '(scale:2 (scale:2 (scale:3 x)))',
  '(pair (f 3) (+ (f 0) 0))',
  '(pair (+ x y) (* x y))',
];

interface Outcome {
  readonly made: number;
  readonly failed: number;
  readonly report: unknown;
}

/** A run, with the number of functions made from text, and of texts that did not compile. */
function outcome(
  rules: RuleInput<undefined>,
  codeGeneration: CodeGeneration,
  explanations: boolean,
  delta: boolean,
): Outcome {
  let made = 0;
  let failed = 0;
  const { Function: maker } = globalThis;
  globalThis.Function = new Proxy(maker, {
    construct: (target, args) => {
      try {
        const result = Reflect.construct(target, args) as object;
        made++;
        return result;
      } catch (error) {
        failed++;
        throw error;
      }
    },
  });
  try {
    const egraph = new EGraph({ language, explanations });
    for (const text of TEXTS) orThrow(egraph.addExpr(text));
    const { iterations, stopReason } = run(egraph, rules, {
      codeGeneration,
      delta,
      iterationLimit: 3,
      nodeLimit: 400,
      scheduler: simpleScheduler,
    });
    const rows = iterations.map((it) => [
      it.nodes,
      it.classes,
      // Generated code skips more of the matches that are not new.
      ...it.rules.map((rule) => [delta ? 0 : rule.matches, rule.applied]),
    ]);
    return { made, failed, report: [stopReason._tag, rows] };
  } finally {
    globalThis.Function = maker;
  }
}

describe.each(Object.entries(cases))('code for %s', (_, rules) => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('compiles and does what is written (explanations %s, delta %s)', (explanations, delta) => {
    const generated = outcome(rules(), 'always', explanations, delta);
    const interpreted = outcome(rules(), 'never', explanations, delta);
    expect(generated.report).toEqual(interpreted.report);
    expect([interpreted.made, interpreted.failed, generated.failed]).toEqual([0, 0, 0]);
    // At least a matcher and an applier.
    expect(generated.made).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(generated.report)).toMatch(/\[\d+,[1-9]\d*\]/);
  });
});
