import { evaluate, foldValue, interpreter, oracle, printValue, type Value } from '@baton/executor';
import {
  type Expr,
  freeVars,
  type IRModule,
  postOrderExprs,
  structuralEqual,
  substitute,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { toNested } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { orFail, parseSeed, seedNamed, seeds, withCall } from './fixture.ts';

/** Fills a tensor of shape (10, 10), or (100, 100). */
const t = (value: number): string => `Constant(${value}, (10, 10), float32)`;
const u = (value: number): string => `Constant(${value}, (100, 100), float32)`;

/**
 * The results of calls of each program; `@program` is the program itself if it is an expression.
 */
const VALUES: Readonly<Record<string, ReadonlyArray<readonly [call: string, value: string]>>> = {
  's01-triple': [['@program(1f, True, 2i8)', '(1f, True, 2i8)']],
  's02-sum-and-d': [[`@program(${t(1)}, ${t(2)}, ${t(3)}, ${u(7)})`, `(${t(6)}, ${u(7)})`]],
  's03-add-scalars': [['@program(2f, 3f)', '5f']],
  's04-local-factorial': [['@program()', '0f']],
  's05-identifiers': [['@program(2f)', '2f']],
  's06-one-let': [['@program(1f, 2f)', '3f']],
  's07-global-name': [['@program()()', '()']],
  's07-local-name': [['@program(2f)', '2f']],
  's08-smallest-definition': [['@id()', '()']],
  's09-plain-addition': [['@add(1f, 2f)', '3f']],
  's10-annotated-addition': [[`@add(${t(1)}, ${t(2)})`, t(3)]],
  's11-identity-of-tensors': [
    ['@id(Constant(3, (2, 3), int8))', 'Constant(3, (2, 3), int8)'],
    ['@id(True)', 'True'],
  ],
  's12-attribute-block': [['@id_real(3f)', '3f']],
  's13-two-logarithms': [['@program([2f, 3f, 4f])', '2f * log([2f, 3f, 4f])']],
  's14-multiply-add': [
    ['@myfunc(5)', '17'],
    ['@muladd(2f, 3, 4)', '10f'],
  ],
  's15-recursive-global': [
    ['@myfunc(1)', '1'],
    ['@myfunc(4)', '8'],
  ],
  's16-log-and-y': [['@program(2f, 3f)', 'log(2f) + 3f']],
  's17-closure-over-a-node': [['@program(2f)(3f)', 'add(3f, log(2f))']],
  's18-closure-over-a-let': [['@program(2f)(3f)', 'add(3f, log(2f))']],
  's19-smallest-definition': [['@id()', '()']],
  's20-plain-addition': [['@plus([1f, 2f], 2f)', '[3f, 4f]']],
  's21-annotated-addition': [[`@add(${t(1)}, ${t(2)})`, t(3)]],
  's22-identity-of-tensors': [['@id([1i8, 2i8])', '[1i8, 2i8]']],
  's23-addition-under-a-relation': [['@plus([1f, 2f], 2f)', '[3f, 4f]']],
  's24-triple': [['@program(1f, True, 2i8)', '(1f, True, 2i8)']],
  's25-sum-and-d': [[`@program(${t(1)}, ${t(2)}, ${t(3)}, ${u(7)})`, `(${t(6)}, ${u(7)})`]],
  's26-middle-of-a-triple': [['@program(1, 2f, True)', '2f']],
  's27-function-literal': [[`@program(${t(1)}, ${t(2)})`, t(3)]],
  's28-closure-keeps-its-environment': [['@program()', t(0)]],
  's29-recursive-over-tensors': [['@program()', t(0)]],
  's30-annotated-let': [['@program()', t(2)]],
  's31-two-lets': [['@program(1f, 2f, 3f, 4f)', '21f']],
  's32-call-of-a-let': [['@program()', t(0)]],
  's33-conditional-with-return': [
    ['@program([1f, 2f, 3f], [0f, 2f, 0f], 8f, 9f)', '8f'],
    ['@program([1f, 2f, 3f], [0f, 0f, 0f], 8f, 9f)', '9f'],
  ],
  's34-shadowing': [['@program()', '4']],
  's35-smallest-function': [['@program()', '()']],
  's36-plain-addition': [['@program([1f, 2f], 2f)', '[3f, 4f]']],
  's37-annotated-addition': [[`@program(${t(1)}, ${t(2)})`, t(3)]],
  's38-recursive-over-tensors': [['@program()', t(3628800)]],
  's39-closure-keeps-its-environment': [['@program()', t(0)]],
  's40-polymorphic-identity': [
    ['@program(5i8)', '5i8'],
    ['@program((1f, ()))', '(1f, ())'],
  ],
  's41-identity-of-tensors': [['@program([1i8, 2i8])', '[1i8, 2i8]']],
  's42-addition-under-a-relation': [['@program([1f, 2f], 2f)', '[3f, 4f]']],
  's44-captured-constant': [['@program()', '22f']],
  's46-call-under-a-relation': [
    [
      '@program(Constant(1, (100, 1, 100), float32), Constant(2, (100, 1), float32), add)',
      'Constant(3, (100, 100, 100), float32)',
    ],
  ],
  's47-ackermann': [['@ackermann(2, 3)', '9']],
  's48-tuple-and-projections': [[`@program(${t(2)}, 1f, ${u(4)})`, `(${t(3)}, ${u(4)})`]],
  's49-middle-of-a-triple': [['@program(1, 2f, True)', '2f']],
  's50-annotated-let': [['@program()', t(2)]],
  's51-two-lets': [['@program(1f, 2f, 3f, 4f)', '21f']],
  's52-graph-bindings': [['@program(1f, 2f)', '36f']],
  's54-conditional-on-equality': [
    ['@program(2f, 3f)', '3f'],
    ['@program(3f, 3f)', '3f'],
  ],
  's56-predecessor': [
    ['@program(S(S(Z)))', 'S(Z)'],
    ['@program(Z)', 'Z'],
  ],
  's57-minus-two': [
    ['@program(S(S(S(Z))))', 'S(Z)'],
    ['@program(S(Z))', 'S(Z)'],
    ['@program(Z)', 'Z'],
  ],
  's58-unreachable-clauses': [
    ['@program(S(S(Z)))', 'S(S(Z))'],
    ['@program(Z)', 'Z'],
  ],
};

/** The value of a program, the same on every executor. */
const run = (m: IRModule, text: string): Value => {
  const value = orFail(evaluate(m, [], { executor: interpreter }), text);
  const other = orFail(evaluate(m, [], { executor: oracle }), text);
  expect(printValue(other)).toBe(printValue(value));
  return value;
};

/** A value with the type and the elements in place of each tensor, however it is stored. */
const plain = (value: Value): unknown =>
  foldValue<unknown>(value, {
    leaf: (leaf) =>
      leaf._tag === 'Tensor' ? { dtype: leaf.dtype, elements: toNested(leaf) } : leaf,
    compound: (whole, fields) => ({ ...whole, fields }),
    cell: (cell) => ({ result: cell, fill: () => undefined }),
  });

/** Types are programs without values; the function that S45 calls cannot terminate. */
const WITHOUT_VALUE = ['s43-first-constructor-type', 's43-second-constructor-type'].concat(
  's45-type-arguments',
  's55-natural-numbers',
);

describe('the seeds', () => {
  it('have their values stated', () => {
    const missing = seeds.map((s) => s.file).filter((file) => VALUES[file] === undefined);
    expect(missing).toEqual(WITHOUT_VALUE);
  });

  const rows = Object.entries(VALUES).flatMap(([file, calls]) =>
    calls.map(([call, value]) => [file, call, value] as const),
  );

  it.each(rows)('%s: %s is %s', (file, call, value) => {
    const parsed = parseSeed(seedNamed(file));
    const found = run(withCall(parsed, call), call);
    const expected = run(withCall(parsed, value), value);
    expect(plain(found)).toEqual(plain(expected));
  });
});

/** The number of calls of an operator in a program. */
const callsOf = (expr: Expr | undefined, name: string): number =>
  expr === undefined
    ? 0
    : postOrderExprs([expr]).filter(
        (e) => e._tag === 'Call' && e.op._tag === 'Op' && e.op.name === name,
      ).length;

/** Bindings of these values to the free variables of an expression, in order. */
const bindings =
  (expr: Expr | undefined) =>
  (...vars: ReadonlyArray<Expr>): ReadonlyMap<Var, Expr> =>
    new Map((expr === undefined ? [] : freeVars(expr)).map((v, i) => [v, vars[i] ?? v]));

describe("the documents' statements on sharing", () => {
  it('S13 has two logarithms, and S17 one', () => {
    expect(callsOf(parseSeed(seedNamed('s13')).expr, 'log')).toBe(2);
    expect(callsOf(parseSeed(seedNamed('s17')).expr, 'log')).toBe(1);
  });

  it('S53, a host that gives each node a name, builds the graph of S52', () => {
    const { expr } = parseSeed(seedNamed('s52'));
    const [a, b] = [variable('a'), variable('b')];
    const sum1 = callOp(standardOps, 'add', [a, b]);
    const sum2 = callOp(standardOps, 'add', [sum1, sum1]);
    const product = callOp(standardOps, 'multiply', [sum2, sum2]);
    const untyped = bindings(expr);
    expect(structuralEqual(substitute(expr as Expr, untyped(a, b)), product)).toBe(true);
  });

  it('S52 has three nodes, each of them once', () => {
    const { expr } = parseSeed(seedNamed('s52'));
    expect(callsOf(expr, 'add') + callsOf(expr, 'multiply')).toBe(3);
  });
});
