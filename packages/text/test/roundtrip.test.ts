import { mulberry32, type Random } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Expr,
  func,
  globalVar,
  type IRModule,
  ifElse,
  irModule,
  letIn,
  opRef,
  refCreate,
  refRead,
  refWrite,
  scalarType,
  structuralEqual,
  tensorType,
  tuple,
  tupleGetItem,
  type Var,
  variable,
} from '@baton/ir';
import { DTYPES, type DType, fromNumbers, scalar } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { expr, mod, shown, shownModule } from './text-support.ts';

/** The parts of random programs. */
interface Source {
  readonly random: Random;
  readonly below: (n: number) => number;
}

const pick = <A>(s: Source, items: ReadonlyArray<A>): A => items[s.below(items.length)] as A;

const HINTS = ['x', 'x', 'y', '', '1', 'a/b', 'conv.1', '_', 'x1', 'let'];

const binder = (s: Source): Var =>
  variable(pick(s, HINTS), s.below(3) === 0 ? undefined : tensorType([2, s.below(5)], 'float32'));

const SPECIAL = [0, -0, 1, -1, 0.1, 1e30, -1e-30, Number.NaN, Number.POSITIVE_INFINITY, 65504];

function randomConstant(s: Source): Expr {
  const dtype: DType = pick(s, DTYPES);
  const value = s.below(2) === 0 ? pick(s, SPECIAL) : (s.random() - 0.5) * 1e4;
  if (s.below(4) === 0) return constant(fromNumbers([value, s.below(9)], [2, 1], dtype));
  if (s.below(3) > 0) return constant(scalar(value, dtype));
  const isFloat = s.below(2) === 0;
  const finite = Number.isFinite(value) ? value : 2.5;
  return isFloat
    ? constant(scalar(finite, 'float32'), undefined, 'float')
    : constant(scalar(Math.trunc(finite % 1e9), 'int32'), undefined, 'int');
}

const OPS: ReadonlyArray<readonly [string, number, (s: Source) => Attrs]> = [
  ['add', 2, () => ({})],
  ['multiply', 2, () => ({})],
  ['exp', 1, () => ({})],
  ['nn.softmax', 1, (s) => ({ axis: s.below(4) - 1 })],
  ['nn.dropout', 1, (s) => ({ rate: pick(s, [0.5, 0.3, 1e-5, 1, 1e300]) })],
  ['cast', 1, (s) => ({ dtype: pick(s, DTYPES) })],
];

/** An expression over `scope`, for later expressions to use again: nodes are shared at random. */
function randomExpr(s: Source, scope: ReadonlyArray<Expr>, size: number): Expr {
  const pool: Expr[] = [...scope];
  const operand = (): Expr =>
    pool.length > 0 && s.below(5) > 0 ? pick(s, pool) : randomConstant(s);
  for (let i = 0; i < size; i++) pool.push(randomNode(s, pool, operand, size));
  return operand();
}

function randomNode(s: Source, pool: ReadonlyArray<Expr>, operand: () => Expr, size: number): Expr {
  const smaller = Math.floor(size / 3);
  switch (s.below(12)) {
    case 0:
      return tuple(Array.from({ length: s.below(4) }, operand));
    case 1:
      return tupleGetItem(operand(), s.below(3));
    case 2: {
      const x = binder(s);
      const value = operand();
      return letIn(x, value, randomExpr(s, [...pool, x], smaller));
    }
    case 3: {
      const params = [binder(s), binder(s)];
      const attrs = s.below(2) === 0 ? {} : { Primitive: 1, Name: 'a "b"', List: [1, [0.5]] };
      const retType = s.below(2) === 0 ? undefined : scalarType('int8');
      return func(params, randomExpr(s, [...pool, ...params], smaller), { attrs, retType });
    }
    case 4:
      return ifElse(operand(), randomExpr(s, pool, smaller), randomExpr(s, pool, smaller));
    case 5:
      return call(globalVar(pick(s, ['main', 'other'])), [operand()]);
    case 6:
      return call(operand(), [operand(), operand()]);
    case 7:
      return pick(s, [
        () => refCreate(operand()),
        () => refRead(operand()),
        () => refWrite(operand(), operand()),
      ])();
    case 8: {
      const f = binder(s);
      const n = binder(s);
      const value = func([n], randomExpr(s, [...pool, f, n], smaller));
      return letIn(f, value, randomExpr(s, [...pool, f], smaller));
    }
    default: {
      const [name, arity, attrs] = pick(s, OPS);
      return call(opRef(name), Array.from({ length: arity }, operand), { attrs: attrs(s) });
    }
  }
}

function randomModule(seed: number, size: number): IRModule {
  const random = mulberry32(seed);
  const s: Source = { random, below: (n) => Math.floor(random() * n) };
  const define = () => {
    const params = [binder(s), binder(s)];
    return func(params, randomExpr(s, params, size));
  };
  return irModule({
    ops,
    functions: new Map([
      ['main', define()],
      ['other', define()],
    ]),
  });
}

describe('print, then parse', () => {
  it('gives the same module, sharing included, and printing again the same text', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 40 }), (seed, size) => {
        const m = randomModule(seed, size);
        const text = shownModule(m);
        const again = mod(text);
        expect(structuralEqual(again, m), text).toBe(true);
        expect(shownModule(again)).toBe(text);
      }),
      { seed: 20_271_120, numRuns: 600 },
    );
  });

  it('gives the same expression with its free variables', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 25 }), (seed, size) => {
        const random = mulberry32(seed);
        const s: Source = { random, below: (n) => Math.floor(random() * n) };
        const e = randomExpr(s, [binder(s), binder(s)], size);
        const text = shown(e);
        const again = expr(text);
        expect(structuralEqual(again, e, { mapFreeVars: true }), text).toBe(true);
        expect(shown(again)).toBe(text);
      }),
      { seed: 20_271_121, numRuns: 300 },
    );
  });

  it('C074 keeps a suffix that inference could not find again', () => {
    expect(shown(expr('fn (%x) { add(%x, 1i32) }'))).toContain('1i32');
  });

  it.each([
    'type List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\n\ndef @f[A1](%l: List[A1]) -> int32 {\n' +
      '  match (%l) {\n    Cons(_, %t) => {\n      %0 = @f(%t);\n      add(1, %0)\n    },\n' +
      '    Nil => {\n      0\n    },\n  }\n}\n',
    'extern type Storage\n\ndef @g(%s: Storage[]) -> ref(Storage[]) {\n  ref(%s)\n}\n',
    'def @h(%x: Tensor[(n, 2 * m + 1), float32], %f) {\n  %0 = %f[int32, (bool,)](%x);\n  %0.0\n}\n',
    'def @r(%x: _, %y: _) -> _ where Broadcast {\n  add(%x, %y)\n}\n',
    'def @w[A, B](%f: (fn [C](C) -> A where Identity(C, A)), %x: B) -> fn (A) -> (B,) ' +
      'where Broadcast(A, B, A) {\n  %f(%x)\n}\n',
  ])('keeps programs of the whole language: %#', (text) => {
    const m = mod(text);
    const printed = shownModule(m);
    const again = mod(printed);
    expect(structuralEqual(again, m), printed).toBe(true);
    expect(shownModule(again)).toBe(printed);
  });
});
