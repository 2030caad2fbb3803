import { mulberry32 } from '@baton/base';
import {
  binders,
  boundVars,
  call,
  constant,
  deDup,
  dimOf,
  type Expr,
  freeVars,
  func,
  funcType,
  letIn,
  opRef,
  type ParamKind,
  postOrderExprs,
  structuralEqual,
  type Type,
  type TypeVar,
  tensorType,
  tuple,
  tupleType,
  typeVar,
  type Var,
  variable,
  wellFormed,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expr, shown } from './text-support.ts';

const one = constant(scalar(1, 'int32'));
const add = (a: Expr, b: Expr): Expr => call(opRef('add'), [a, b], { attrs: {} });

/** No variable is bound twice, and none of the old ones is bound at all. */
function expectFresh(before: Expr): Expr {
  const after = deDup(before);
  expect(wellFormed(after)).toEqual([]);
  const old = new Set(boundVars(before));
  expect(boundVars(after).filter((v) => old.has(v))).toEqual([]);
  expect(freeVars(after)).toEqual(freeVars(before));
  return after;
}

describe('binders made anew', () => {
  it.each([
    'fn (%x, %y: int32) { let %z = %x + %y; %0 = (%z, %z); (%0, %0, fn () { %0 }) }',
    'let %f = fn (%n) { if (%n < 1) { 1 } else { %f(%n - 1) } }; (%f, %f(3))',
    'free_var %l: int32; match? %l { (%a, (%b, _)) => (%a, %b, fn (%c) { %a }), %w => %w }',
    'fn [A, n: ShapeVar](%x: A, %t: Tensor[(n, 2 * n), int8]) -> A where Identity(A, A) { let %g = fn [B](%y: (A, B)) -> A { %y.0 }; %g[A](%x) }',
    'free_var %a: int8; %0 = ref(%a); if (ref_read(%0)) { ref_write(%0, 1) } else { (%0, %0) }',
  ])('keep everything else, sharing too: %#', (text) => {
    const before = expr(text);
    const after = expectFresh(before);
    expect(structuralEqual(after, before), shown(after)).toBe(true);
  });

  it('share a closed node and copy one that depends on a binder', () => {
    const x = variable('x');
    const y = variable('y');
    const closed = func([y], add(y, one));
    const body = tuple([x, closed]);
    // The same variable is bound twice, and the body under both is the same node.
    const both = tuple([letIn(x, one, body), letIn(x, add(one, one), body)]);
    const after = expectFresh(both);
    const [left, right] = after._tag === 'Tuple' ? after.fields : [];
    if (left?._tag !== 'Let' || right?._tag !== 'Let') throw new Error('lets stay lets');
    expect(left.body).not.toBe(right.body);
    const parts = [left.body, right.body].map((b) => (b._tag === 'Tuple' ? b.fields : []));
    expect(parts[0]?.[0]).toBe(left.variable);
    expect(parts[1]?.[0]).toBe(right.variable);
    expect(parts[0]?.[1]).toBe(parts[1]?.[1]);
  });

  it('keep an inner binder of the same variable apart', () => {
    const x = variable('x');
    const before = letIn(x, one, tuple([x, letIn(x, add(x, x), x), x]));
    const after = expectFresh(before);
    const expected = expr('let %x = 1; (%x, let %y = add(%x, %x); %y, %x)');
    expect(structuralEqual(after, expected)).toBe(true);
  });

  it('rename type parameters with the functions that declare them', () => {
    const f = expr('fn [A](%x: A) -> A { %x }');
    const after = expectFresh(tuple([f, f]));
    const [g, h] = after._tag === 'Tuple' ? after.fields : [];
    expect(g).toBe(h);
    if (f._tag !== 'Function' || g?._tag !== 'Function') throw new Error('functions stay');
    expect(g.typeParams[0]).not.toBe(f.typeParams[0]);
    expect(g.params[0]?.typeAnnotation).toBe(g.typeParams[0]);
    expect(g.retType).toBe(g.typeParams[0]);
  });

  it('keep well-formed expressions equal, at random', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 60 }), (seed, size) => {
        const random = mulberry32(seed);
        const before = randomTerm(random, [variable('free')], size);
        fc.pre(wellFormed(before).length === 0);
        const after = expectFresh(before);
        expect(structuralEqual(after, before), shown(before)).toBe(true);
        const nodes = (e: Expr) => postOrderExprs([e]).filter((n) => n._tag !== 'Var').length;
        expect(nodes(after)).toBe(nodes(before));
      }),
      { seed: 20_271_150, numRuns: 400 },
    );
  });

  it('make expressions that bind variables twice well-formed, at random', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), (seed, size) => {
        const random = mulberry32(seed);
        const pool = [variable('a'), variable('b')];
        expectFresh(randomTerm(random, [variable('free')], size, pool));
      }),
      { seed: 20_271_151, numRuns: 400 },
    );
  });

  it.each<[ParamKind, (v: TypeVar) => Type]>([
    ['Type', (v) => v],
    ['Shape', (v) => tensorType(v, 'int8')],
    ['BaseType', (v) => tensorType([], v)],
    ['ShapeVar', (v) => tensorType([dimOf(v)], 'int8')],
  ])('rename a parameter of kind %s in a type that binds it again', (kind, at) => {
    const v = typeVar('a', kind);
    const x = variable('x', tupleType([at(v), funcType([at(v)], at(v), [v])]));
    const before = func([x], x, { typeParams: [v] });
    const after = deDup(before);
    expect(structuralEqual(after, before)).toBe(true);
    const [own] = after._tag === 'Function' ? after.typeParams : [];
    expect(own).not.toBe(v);
    expect(after).toMatchObject({ params: [{ typeAnnotation: { fields: [{}, {}] } }] });
    const type = after._tag === 'Function' ? after.params[0]?.typeAnnotation : undefined;
    const inner = type?._tag === 'TupleType' ? type.fields[1] : undefined;
    expect(inner?._tag === 'FuncType' && inner.typeParams[0]).toBe(own);
  });

  it('go deeper than the stack, in linear time', () => {
    const vars = Array.from({ length: 50_000 }, () => variable('x'));
    let e: Expr = one;
    for (const [i, v] of vars.entries()) e = letIn(v, i % 2 === 0 ? one : func([], v), e);
    expect(binders(deDup(e))).toHaveLength(1);
    let nested: Expr = one;
    for (const v of vars) nested = func([v], tuple([v, nested]));
    expect(structuralEqual(deDup(nested), nested)).toBe(true);
  });
});

/** A term whose nodes are shared at random within their scopes; `reused` are bound repeatedly. */
function randomTerm(
  random: () => number,
  scope: ReadonlyArray<Expr>,
  size: number,
  reused: ReadonlyArray<Var> = [],
): Expr {
  const below = (n: number): number => Math.floor(random() * n);
  const nodes: Expr[] = [...scope];
  const pick = (): Expr => nodes[below(nodes.length)] ?? one;
  const bind = (): Var =>
    reused.length > 0 && below(2) === 0 ? (reused[below(reused.length)] as Var) : variable('v');
  for (let i = 0; i < size; i++) {
    const kind = below(5);
    if (kind === 0) {
      const v = bind();
      nodes.push(letIn(v, pick(), randomTerm(random, [...nodes, v], below(size / 2), reused)));
    } else if (kind === 1) {
      const v = bind();
      nodes.push(func([v], randomTerm(random, [...nodes, v], below(size / 2), reused)));
    } else if (kind === 2) nodes.push(tuple([pick(), pick(), pick()]));
    else nodes.push(add(pick(), pick()));
  }
  return nodes.at(-1) ?? one;
}
