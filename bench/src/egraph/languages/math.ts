/** Arithmetic with derivatives and integrals, as in egg's benchmarks. */
import {
  type Analysis,
  type Condition,
  defineLanguage,
  type EGraph,
  type Language,
  numberLeaf,
  type RuleInput,
  rewrite,
  symbolLeaf,
  when,
  whenData,
} from '@baton/egraph';

/** Arithmetic with derivatives and integrals: the language of egg's `math` tests. */
export const math: Language = defineLanguage({
  operators: {
    d: 2,
    i: 2,
    '+': 2,
    '-': 2,
    '*': 2,
    '/': 2,
    pow: 2,
    ln: 1,
    sqrt: 1,
    sin: 1,
    cos: 1,
  },
  // 0 and −0 are one number here.
  leaves: { num: { ...numberLeaf, key: (x: number) => x + 0 }, sym: symbolLeaf },
});

/** The value of a class that is known to be constant. */
export type Constant = number | undefined;

/** Folds constants; a constant class keeps only its leaves. */
export const constantFolding: Analysis<Constant> = {
  name: 'constant-folding',
  make: (egraph, node) => {
    const { name, payload, arity } = egraph.operatorOf(node);
    if (name === 'num') return payload as number;
    if (arity !== 2) return undefined;
    const a = egraph.data(egraph.child(node, 0));
    const b = egraph.data(egraph.child(node, 1));
    if (a === undefined || b === undefined) return undefined;
    switch (name) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return b === 0 ? undefined : a / b;
      default:
        return undefined;
    }
  },
  merge: (a, b) => (a === undefined ? b : a),
  modify: (egraph, id) => {
    const value = egraph.data(id);
    if (value === undefined) return;
    egraph.union(id, egraph.add('num', [], value), 'constant-folding');
    egraph.prune(id, (node) => egraph.operatorOf(node).arity === 0);
  },
};

const isSymbolClass = (
  egraph: EGraph<Constant>,
  id: Parameters<typeof egraph.find>[0],
): boolean => {
  let found = false;
  egraph.forEachNode(id, (node) => {
    if (egraph.operatorOf(node).name === 'sym') found = true;
  });
  return found;
};

const notZero = (...names: ReadonlyArray<string>): ReadonlyArray<Condition<Constant>> =>
  names.map((name) => whenData<Constant>(name, (egraph, x) => egraph.data(x) !== 0));
const isConstant = (name: string): Condition<Constant> =>
  whenData<Constant>(name, (egraph, x) => egraph.data(x) !== undefined);
const isSymbol = (name: string): Condition<Constant> => when<Constant>(name, isSymbolClass);
const isConstantOrOther = (name: string, other: string): Condition<Constant> =>
  when<Constant>(
    name,
    other,
    (egraph, c, x) => c !== x && (egraph.data(c) !== undefined || isSymbolClass(egraph, c)),
  );

type Row = readonly [string, string, string, ReadonlyArray<Condition<Constant>>?];

/** The rules of the `micro` benchmarks: they have no conditions and need no analysis. */
const MICRO: ReadonlySet<string> = new Set(
  (
    'comm-add comm-mul assoc-add assoc-mul sub-canon zero-add zero-mul one-mul cancel-sub ' +
    'distribute factor pow-mul pow1 pow2 d-add d-mul d-sin d-cos i-one i-cos i-sin i-sum i-dif ' +
    'i-parts'
  ).split(' '),
);

// biome-ignore format: a table reads best in columns
const rows: ReadonlyArray<Row> = [
  ['comm-add',      '(+ ?a ?b)',                    '(+ ?b ?a)'],
  ['comm-mul',      '(* ?a ?b)',                    '(* ?b ?a)'],
  ['assoc-add',     '(+ ?a (+ ?b ?c))',             '(+ (+ ?a ?b) ?c)'],
  ['assoc-mul',     '(* ?a (* ?b ?c))',             '(* (* ?a ?b) ?c)'],
  ['sub-canon',     '(- ?a ?b)',                    '(+ ?a (* -1 ?b))'],
  ['div-canon',     '(/ ?a ?b)',                    '(* ?a (pow ?b -1))', notZero('?b')],
  ['zero-add',      '(+ ?a 0)',                     '?a'],
  ['zero-mul',      '(* ?a 0)',                     '0'],
  ['one-mul',       '(* ?a 1)',                     '?a'],
  ['add-zero',      '?a',                           '(+ ?a 0)'],
  ['mul-one',       '?a',                           '(* ?a 1)'],
  ['cancel-sub',    '(- ?a ?a)',                    '0'],
  ['cancel-div',    '(/ ?a ?a)',                    '1', notZero('?a')],
  ['distribute',    '(* ?a (+ ?b ?c))',             '(+ (* ?a ?b) (* ?a ?c))'],
  ['factor',        '(+ (* ?a ?b) (* ?a ?c))',      '(* ?a (+ ?b ?c))'],
  ['pow-mul',       '(* (pow ?a ?b) (pow ?a ?c))',  '(pow ?a (+ ?b ?c))'],
  ['pow0',          '(pow ?x 0)',                   '1', notZero('?x')],
  ['pow1',          '(pow ?x 1)',                   '?x'],
  ['pow2',          '(pow ?x 2)',                   '(* ?x ?x)'],
  ['pow-recip',     '(pow ?x -1)',                  '(/ 1 ?x)', notZero('?x')],
  ['recip-mul-div', '(* ?x (/ 1 ?x))',              '1', notZero('?x')],
  ['d-variable',    '(d ?x ?x)',                    '1', [isSymbol('?x')]],
  ['d-constant',    '(d ?x ?c)',                    '0', [isSymbol('?x'), isConstantOrOther('?c', '?x')]],
  ['d-add',         '(d ?x (+ ?a ?b))',             '(+ (d ?x ?a) (d ?x ?b))'],
  ['d-mul',         '(d ?x (* ?a ?b))',             '(+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))'],
  ['d-sin',         '(d ?x (sin ?x))',              '(cos ?x)'],
  ['d-cos',         '(d ?x (cos ?x))',              '(* -1 (sin ?x))'],
  ['d-ln',          '(d ?x (ln ?x))',               '(/ 1 ?x)', notZero('?x')],
  ['d-power',       '(d ?x (pow ?f ?g))',
    '(* (pow ?f ?g) (+ (* (d ?x ?f) (/ ?g ?f)) (* (d ?x ?g) (ln ?f))))', notZero('?f', '?g')],
  ['i-one',         '(i 1 ?x)',                     '?x'],
  ['i-power-const', '(i (pow ?x ?c) ?x)',           '(/ (pow ?x (+ ?c 1)) (+ ?c 1))', [isConstant('?c')]],
  ['i-cos',         '(i (cos ?x) ?x)',              '(sin ?x)'],
  ['i-sin',         '(i (sin ?x) ?x)',              '(* -1 (cos ?x))'],
  ['i-sum',         '(i (+ ?f ?g) ?x)',             '(+ (i ?f ?x) (i ?g ?x))'],
  ['i-dif',         '(i (- ?f ?g) ?x)',             '(- (i ?f ?x) (i ?g ?x))'],
  ['i-parts',       '(i (* ?a ?b) ?x)',             '(- (* ?a (i ?b ?x)) (i (* (d ?x ?a) (i ?b ?x)) ?x))'],
];

/** All 36 rules. */
export const mathRules: RuleInput<Constant> = rows.map(([name, left, right, conditions]) =>
  rewrite<Constant>(name, left, right, { when: conditions ?? [] }),
);

/** The 24 rules of the `micro` benchmarks, which run without an analysis. */
export const microRules: RuleInput<undefined> = rows
  .filter(([name]) => MICRO.has(name))
  .map(([name, left, right]) => rewrite<undefined>(name, left, right));

/** The start terms of the `micro` and `math7` benchmarks, in this order. */
export const MATH7: ReadonlyArray<string> = [
  '(i (ln x) x)',
  '(i (+ x (cos x)) x)',
  '(i (* (cos x) x) x)',
  '(d x (+ 1 (* 2 x)))',
  '(d x (- (pow x 3) (* 7 (pow x 2))))',
  '(+ (* y (+ x y)) (- (+ x 2) (+ x x)))',
  '(/ 1 (- (/ (+ 1 (sqrt five)) 2) (/ (- 1 (sqrt five)) 2)))',
];

/** Commutativity and associativity of addition. */
export const acRules: RuleInput<undefined> = rows
  .filter(([name]) => name === 'comm-add' || name === 'assoc-add')
  .map(([name, left, right]) => rewrite<undefined>(name, left, right));

/** The start term of `ac-n`: `(+ 1 (+ 2 … n))`. */
export function acTerm(n: number): string {
  let text = String(n);
  for (let i = n - 1; i >= 1; i--) text = `(+ ${i} ${text})`;
  return text;
}
