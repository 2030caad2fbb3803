import { isLeft, isRight } from '@baton/base';
import {
  allVars,
  bind,
  bindByName,
  boundVars,
  call,
  callGraph,
  clause,
  detectFeatures,
  type Expr,
  freeVars,
  func,
  globalVar,
  ifElse,
  letIn,
  match,
  nodeScopes,
  postOrderExprs,
  referenceCounts,
  rewriteExpr,
  type Step,
  structuralEqual,
  substitute,
  tuple,
  variable,
} from '@baton/ir';
import { describe, expect, it, test } from 'vitest';
import { add, f32, lit, log, num, yes } from './infer-support.ts';

const x = variable('x', f32);
const y = variable('y', f32);
const z = variable('z', f32);

describe('variables', () => {
  const v = variable('v');
  const p = variable('p');
  const pattern = { _tag: 'PatternVar', variable: p, span: undefined } as const;
  test.each<[string, Expr, ReadonlyArray<Expr>, ReadonlyArray<Expr>]>([
    ['a variable', x, [x], []],
    ['a sum, in order of first use', add(y, add(x, y)), [y, x], []],
    ['a let', letIn(v, x, add(v, y)), [x, y], [v]],
    ['a function', func([x], add(x, y)), [y], [x]],
    ['a clause', match(x, [clause(pattern, add(p, y))], true), [x, y], [p]],
    ['a closure in a let', letIn(v, func([x], z), call(v, [y])), [z, y], [v, x]],
  ])('of %s', (_title, expr, free, bound) => {
    expect(freeVars(expr)).toStrictEqual(free);
    expect(boundVars(expr)).toStrictEqual(bound);
    expect(new Set(allVars(expr))).toStrictEqual(new Set([...free, ...bound]));
  });
});

describe('rewriting', () => {
  it('gives the same with and without the uses of nodes, which it takes out', () => {
    const shared = log(x);
    const root = tuple([add(shared, x), shared, func([y], add(shared, y)), shared]);
    const step: Step = (node) => (node === x ? z : undefined);
    const order = postOrderExprs([root]);
    const uses = referenceCounts([root]);
    const made = rewriteExpr(root, step, order, uses);
    expect(structuralEqual(made, rewriteExpr(root, step, order))).toBe(true);
    const fields = made._tag === 'Tuple' ? made.fields : [];
    expect(fields[1]).toBe(fields[3]);
    expect([...uses.keys()]).toEqual([root]);
  });
});

describe('substitution', () => {
  it('keeps untouched nodes, and sharing', () => {
    const kept = log(y);
    const shared = log(x);
    const expr = tuple([shared, shared, kept]);
    expect(substitute(expr, new Map([[z, lit(1)]]))).toBe(expr);
    const one = lit(1);
    const result = substitute(expr, new Map([[x, one]]));
    const fields = result._tag === 'Tuple' ? result.fields : [];
    expect(fields[0]).toBe(fields[1]);
    expect(fields[2]).toBe(kept);
    expect(fields[0]).toMatchObject({ args: [one] });
  });

  it('takes bound parameters away and adds the variables that come in', () => {
    const f = func([x, y], add(x, y), { retType: f32 });
    const result = bind(f, new Map([[x, log(z)]]));
    expect(result.params).toStrictEqual([y, z]);
    expect(freeVars(result)).toStrictEqual([]);
    expect(result.retType).toBe(f32);
    expect(bind(f, new Map())).toBe(f);
    expect(bind(f, new Map([[x, y]])).params).toStrictEqual([y]);
  });

  it('binds by name', () => {
    const f = func([x, variable('x', f32), y], add(x, y));
    const named = (name: string) => bindByName(f, new Map([[name, num(1, 'float32')]]));
    const bound = named('y');
    expect(isRight(bound) && bound.right.params).toHaveLength(2);
    for (const [name, code] of [
      ['x', 'BIND_AMBIGUOUS'],
      ['w', 'BIND_UNKNOWN'],
    ] as const) {
      const result = named(name);
      expect(isLeft(result) && result.left[0].code).toBe(code);
    }
  });
});

it('references are counted by place, and roots once', () => {
  const shared = log(x);
  const sum = add(shared, shared);
  const counts = referenceCounts([sum, shared]);
  expect([counts.get(sum), counts.get(shared), counts.get(x)]).toStrictEqual([1, 3, 1]);
});

describe('scopes', () => {
  it('are the innermost that hold all uses', () => {
    const both = log(x);
    const left = log(log(y));
    const branch = ifElse(yes, add(both, left), log(both));
    const root = func([x, y], branch);
    const scopes = nodeScopes(root);
    expect(scopes.placeOf(scopes.scopeOf(both) ?? scopes.root)).toStrictEqual({
      node: root,
      index: 0,
    });
    expect(scopes.placeOf(scopes.scopeOf(left) ?? scopes.root)).toStrictEqual({
      node: branch,
      index: 1,
    });
    expect(scopes.scopeOf(root)).toBe(scopes.root);
    expect(scopes.scopeOf(lit(1))).toBeUndefined();
  });

  it('nest 50,000 deep', () => {
    const shared = log(x);
    const first = log(shared);
    let body: Expr = log(shared);
    for (let i = 0; i < 50_000; i++) body = letIn(variable(`v${i}`), i === 7 ? shared : x, body);
    const scopes = nodeScopes(tuple([body, first]));
    expect(scopes.scopeOf(shared)).toBe(scopes.root);
  });
});

describe('the call graph', () => {
  const calling = (...names: ReadonlyArray<string>) =>
    func([], tuple(names.map((name) => call(globalVar(name), []))));
  it('groups functions that reach each other, callees first', () => {
    const graph = callGraph(
      new Map([
        ['main', calling('a', 'leaf')],
        ['a', calling('b', 'leaf')],
        ['b', calling('a', 'nowhere')],
        ['leaf', calling()],
        ['self', calling('self')],
      ]),
    );
    expect(graph.groups).toStrictEqual([['leaf'], ['a', 'b'], ['main'], ['self']]);
    expect([...graph.recursive].sort()).toStrictEqual(['a', 'b', 'self']);
    expect(graph.callees.get('b')).toStrictEqual(['a']);
    expect(graph.callers.get('leaf')).toStrictEqual(['main', 'a']);
  });

  it('of 20,000 functions in a chain and a ring', () => {
    const count = 20_000;
    const chain = new Map(
      Array.from({ length: count }, (_, i) => [`f${i}`, calling(`f${i + 1}`)] as const),
    );
    expect(callGraph(chain).groups).toHaveLength(count);
    const ring = new Map([...chain, [`f${count - 1}`, calling('f0')] as const]);
    expect(callGraph(ring).groups).toHaveLength(1);
  });
});

it('features are the kinds of nodes that occur', () => {
  const shared = log(x);
  const found = (e: Expr): ReadonlyArray<string> => [...detectFeatures(e)].sort();
  expect(found(add(shared, shared))).toStrictEqual(['Call', 'Graph', 'Op', 'Var']);
  expect(found(letIn(y, x, tuple([y, y])))).toStrictEqual(['Let', 'Tuple', 'Var']);
});
