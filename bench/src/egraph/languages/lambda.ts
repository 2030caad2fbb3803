/** Lambda calculus with explicit substitution, as in egg's benchmarks. */
import { orThrow } from '@baton/base';
import {
  type Analysis,
  applier,
  backoffScheduler,
  booleanLeaf,
  type ClassId,
  defineLanguage,
  EGraph,
  type EGraphOptions,
  type Language,
  numberLeaf,
  parsePattern,
  type Report,
  type RuleInput,
  type RunOptions,
  rewrite,
  run,
  search,
  symbolLeaf,
  when,
  whenEqual,
} from '@baton/egraph';

/** Lambda calculus with explicit substitution: the language of egg's `lambda` tests. */
export const lambda: Language = defineLanguage({
  operators: { var: 1, '+': 2, '=': 2, app: 2, lam: 2, let: 3, fix: 2, if: 3 },
  leaves: { bool: booleanLeaf, num: numberLeaf, sym: symbolLeaf },
});

/** The data of a class: variables that are free in all its terms, and its constant value. */
export interface LambdaData {
  readonly free: ReadonlySet<ClassId>;
  readonly constant: number | boolean | undefined;
}

const NONE: ReadonlySet<ClassId> = new Set();

function without(free: ReadonlySet<ClassId>, id: ClassId): ReadonlySet<ClassId> {
  if (!free.has(id)) return free;
  const rest = new Set(free);
  rest.delete(id);
  return rest;
}

function together(a: ReadonlySet<ClassId>, b: ReadonlySet<ClassId>): ReadonlySet<ClassId> {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  const all = new Set(a);
  for (const id of b) all.add(id);
  return all;
}

/** The analysis of free variables (intersected on merge) and constants. */
export const lambdaAnalysis: Analysis<LambdaData> = {
  name: 'lambda',
  make: (egraph, node) => {
    const { name, payload, arity } = egraph.operatorOf(node);
    const id = (i: number): ClassId => egraph.child(node, i);
    const free = (i: number): ReadonlySet<ClassId> => egraph.data(id(i)).free;
    const constant = (i: number): number | boolean | undefined => egraph.data(id(i)).constant;
    switch (name) {
      case 'num':
      case 'bool':
        return { free: NONE, constant: payload as number | boolean };
      case 'sym':
        return { free: NONE, constant: undefined };
      case 'var':
        return { free: new Set([id(0)]), constant: undefined };
      case 'let':
        return { free: together(without(free(2), id(0)), free(1)), constant: undefined };
      case 'lam':
      case 'fix':
        return { free: without(free(1), id(0)), constant: undefined };
      default: {
        let all = NONE;
        for (let i = 0; i < arity; i++) all = together(all, free(i));
        if (arity !== 2 || name === 'app') return { free: all, constant: undefined };
        const [a, b] = [constant(0), constant(1)];
        if (a === undefined || b === undefined) return { free: all, constant: undefined };
        if (name === '=') return { free: all, constant: a === b };
        const sum = typeof a === 'number' && typeof b === 'number' ? a + b : undefined;
        return { free: all, constant: sum };
      }
    }
  },
  merge: (a, b) => {
    let free = a.free;
    if (a.free !== b.free) {
      for (const id of a.free) if (!b.free.has(id)) free = without(free, id);
      if (free.size === b.free.size && free.size < a.free.size) free = b.free;
    }
    const constant = a.constant ?? b.constant;
    if (free === a.free && constant === a.constant) return a;
    return free === b.free && constant === b.constant ? b : { free, constant };
  },
  equal: (a, b) => a === b || (a.free.size === b.free.size && a.constant === b.constant),
  modify: (egraph, id) => {
    const { constant } = egraph.data(id);
    if (constant === undefined) return;
    const kind = typeof constant === 'number' ? 'num' : 'bool';
    egraph.union(id, egraph.add(kind, [], constant), 'constant-folding');
  },
};

const differ = when<LambdaData>('?v1', '?v2', (_, a, b) => a !== b);
const isConstant = when<LambdaData>('?c', (egraph, c) => egraph.data(c).constant !== undefined);

/** Builds `(let ?v1 ?e (lam ?v2 ?body))`, and renames `?v2` where `?e` would capture it. */
const captureAvoid = applier<LambdaData>(['?v1', '?e', '?v2', '?body'], (match) => {
  const { egraph, root } = match;
  const [v1, e] = [match.get('?v1'), match.get('?e')];
  const [v2, body] = [match.get('?v2'), match.get('?body')];
  if (!egraph.data(e).free.has(v2))
    return egraph.add('lam', [v2, egraph.add('let', [v1, e, body])]);
  const fresh = egraph.add('sym', [], `_${root}`);
  const renamed = egraph.add('let', [v2, egraph.add('var', [fresh]), body]);
  return egraph.add('lam', [fresh, egraph.add('let', [v1, e, renamed])]);
});

type Row = readonly [string, string, string];

// biome-ignore format: a table reads best in columns
const rows: ReadonlyArray<Row> = [
  ['if-true',      '(if  true ?then ?else)', '?then'],
  ['if-false',     '(if false ?then ?else)', '?else'],
  ['if-elim',      '(if (= (var ?x) ?e) ?then ?else)', '?else'],
  ['add-comm',     '(+ ?a ?b)',              '(+ ?b ?a)'],
  ['add-assoc',    '(+ (+ ?a ?b) ?c)',       '(+ ?a (+ ?b ?c))'],
  ['eq-comm',      '(= ?a ?b)',              '(= ?b ?a)'],
  ['fix',          '(fix ?v ?e)',            '(let ?v (fix ?v ?e) ?e)'],
  ['beta',         '(app (lam ?v ?body) ?e)', '(let ?v ?e ?body)'],
  ['let-app',      '(let ?v ?e (app ?a ?b))', '(app (let ?v ?e ?a) (let ?v ?e ?b))'],
  ['let-add',      '(let ?v ?e (+ ?a ?b))',  '(+ (let ?v ?e ?a) (let ?v ?e ?b))'],
  ['let-eq',       '(let ?v ?e (= ?a ?b))',  '(= (let ?v ?e ?a) (let ?v ?e ?b))'],
  ['let-const',    '(let ?v ?e ?c)',         '?c'],
  ['let-if',       '(let ?v ?e (if ?cond ?then ?else))',
    '(if (let ?v ?e ?cond) (let ?v ?e ?then) (let ?v ?e ?else))'],
  ['let-var-same', '(let ?v1 ?e (var ?v1))', '?e'],
  ['let-var-diff', '(let ?v1 ?e (var ?v2))', '(var ?v2)'],
  ['let-lam-same', '(let ?v1 ?e (lam ?v1 ?body))', '(lam ?v1 ?body)'],
];

const conditions = {
  'if-elim': whenEqual<LambdaData>('(let ?x ?e ?then)', '(let ?x ?e ?else)', { add: true }),
  'let-const': isConstant,
  'let-var-diff': differ,
};

/** The 17 rules. */
export const lambdaRules: RuleInput<LambdaData> = [
  ...rows.map(([name, left, right]) =>
    rewrite<LambdaData>(name, left, right, {
      when: name in conditions ? conditions[name as keyof typeof conditions] : [],
    }),
  ),
  rewrite<LambdaData>('let-lam-diff', '(let ?v1 ?e (lam ?v2 ?body))', captureAvoid, {
    when: differ,
  }),
];

/** A start term, its goals, and limits. */
export interface LambdaProblem {
  readonly start: string;
  readonly goals: ReadonlyArray<string>;
  readonly nodeLimit: number;
}

const COMPOSE = '(lam f (lam g (lam x (app (var f) (app (var g) (var x))))))';

/** The two problems that are benchmarks. */
export const lambdaProblems: Readonly<Record<'lambda-fib' | 'lambda-repeat', LambdaProblem>> = {
  'lambda-fib': {
    start: `(let fib (fix fib (lam n
        (if (= (var n) 0) 0
        (if (= (var n) 1) 1
        (+ (app (var fib) (+ (var n) -1)) (app (var fib) (+ (var n) -2)))))))
      (app (var fib) 4))`,
    goals: ['3'],
    nodeLimit: 500_000,
  },
  'lambda-repeat': {
    start: `(let compose ${COMPOSE}
      (let repeat (fix repeat (lam fun (lam n
        (if (= (var n) 0) (lam i (var i))
          (app (app (var compose) (var fun)) (app (app (var repeat) (var fun)) (+ (var n) -1)))))))
      (let add1 (lam y (+ (var y) 1))
      (app (app (var repeat) (var add1)) 2))))`,
    goals: ['(lam ?x (+ (var ?x) 2))'],
    nodeLimit: 150_000,
  },
};

/** Runs a problem until its goals are in the class of its start term. */
export function proveLambda(
  problem: LambdaProblem,
  options: RunOptions<LambdaData> = {},
  egraphOptions: EGraphOptions<LambdaData> = {},
): readonly [EGraph<LambdaData>, Report] {
  const egraph = new EGraph<LambdaData>({
    language: lambda,
    analysis: lambdaAnalysis,
    ...egraphOptions,
  });
  const root = orThrow(egraph.addExpr(problem.start));
  const goals = problem.goals.map((goal) => orThrow(parsePattern(goal)));
  const report = run(egraph, lambdaRules, {
    iterationLimit: 60,
    nodeLimit: problem.nodeLimit,
    scheduler: backoffScheduler(),
    ...options,
    hooks: [
      () =>
        goals.every((goal) => search(egraph, goal, { within: root, limit: 1 }).length > 0)
          ? 'proved all goals'
          : undefined,
    ],
  });
  return [egraph, report];
}
