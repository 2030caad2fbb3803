import { textSpan } from '@baton/base';
import {
  call,
  clause,
  constant,
  dimOf,
  type Expr,
  func,
  funcType,
  type IRModule,
  irModule,
  letIn,
  match,
  multiplyDims,
  opRef,
  type Pattern,
  scalarType,
  structuralEqual,
  type Type,
  tempExpr,
  tensorType,
  tuple,
  tupleType,
  typeEqual,
  typeVar,
  variable,
  wellFormed,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { ops } from './infer-support.ts';

const f32 = scalarType('float32');
const one = constant(scalar(1, 'float32'));
const add = (a: Expr, b: Expr): Expr => call(opRef('add'), [a, b]);
const param = (name: string) => variable(name, f32);

describe('structural equality', () => {
  it('does not see the names of variables', () => {
    const build = (name: string) => {
      const x = param(name);
      const y = param(`${name}1`);
      return func([x], letIn(y, add(x, one), add(y, x)));
    };
    expect(structuralEqual(build('a'), build('b'))).toBe(true);
  });

  it('pairs variables one to one', () => {
    const [x, y, u, v] = [param('x'), param('y'), param('u'), param('v')];
    expect(structuralEqual(func([x, y], add(x, y)), func([u, v], add(v, u)))).toBe(false);
    expect(structuralEqual(func([x, y], add(x, x)), func([u, v], add(u, v)))).toBe(false);
  });

  it('sees sharing, unless told not to', () => {
    const x = param('x');
    const shared = add(x, one);
    const twice = tuple([shared, shared]);
    const apart = tuple([add(x, one), add(x, one)]);
    expect(structuralEqual(twice, apart)).toBe(false);
    expect(structuralEqual(apart, twice)).toBe(false);
    expect(structuralEqual(twice, apart, { compareSharing: false })).toBe(true);
  });

  it('compares constants by value and free variables by identity, unless they are mapped', () => {
    const again = constant(scalar(1, 'float32'));
    const [x, y] = [param('x'), param('y')];
    expect(structuralEqual(add(x, one), add(x, again))).toBe(true);
    expect(structuralEqual(add(x, one), add(x, constant(scalar(1, 'float64'))))).toBe(false);
    expect(structuralEqual(add(x, one), add(y, one))).toBe(false);
    expect(structuralEqual(add(x, one), add(y, one), { mapFreeVars: true })).toBe(true);
    expect(structuralEqual(add(x, y), add(x, x), { mapFreeVars: true })).toBe(false);
  });

  it('goes deeper than the stack, and a ladder costs its nodes, not its paths', () => {
    const chain = (): Expr => {
      let top: Expr = one;
      for (let i = 0; i < 8_000; i++) top = add(top, one);
      return top;
    };
    const ladder = (): Expr => {
      let top: Expr = one;
      for (let i = 0; i < 1_000; i++) top = add(top, top);
      return top;
    };
    expect(structuralEqual(chain(), chain())).toBe(true);
    expect(structuralEqual(ladder(), ladder())).toBe(true);
    expect(structuralEqual(ladder(), ladder(), { compareSharing: false })).toBe(true);
  });
});

describe('equality of types', () => {
  it('does not see the names of type parameters', () => {
    const identity = (name: string): Type => {
      const a = typeVar(name);
      return funcType([a], a, [a]);
    };
    expect(typeEqual(identity('a'), identity('b'))).toBe(true);
    const [a, b] = [typeVar('a'), typeVar('b')];
    expect(typeEqual(funcType([a, b], a, [a, b]), funcType([a, b], b, [a, b]))).toBe(false);
  });

  it('normalizes dimensions', () => {
    const shape = (name: string, swap: boolean): Type => {
      const n = typeVar(name, 'ShapeVar');
      const dim = swap ? multiplyDims(dimOf(n), 2) : multiplyDims(2, dimOf(n));
      return funcType([tensorType([dim], 'float32')], f32, [n]);
    };
    expect(typeEqual(shape('n', false), shape('m', true))).toBe(true);
  });

  it('costs the parts of a ladder, not its paths', () => {
    const ladder = (): Type => {
      let top: Type = f32;
      for (let i = 0; i < 1_000; i++) top = tupleType([top, top]);
      return top;
    };
    expect(typeEqual(ladder(), ladder())).toBe(true);
  });
});

describe('types along a chain of tuples', () => {
  const DEPTH = 8_000;

  it('are compared once, though each contains those before it', () => {
    const chain = (): Expr => {
      let type: Type = f32;
      const binders = Array.from({ length: DEPTH }, (_, i) => {
        type = tupleType([type, f32]);
        return variable(`x${i}`, type);
      });
      return binders.reduceRight((body: Expr, binder) => letIn(binder, one, body), one);
    };
    expect(structuralEqual(chain(), chain())).toBe(true);
  });
});

const shared = param('x');
const named: Pattern = { _tag: 'PatternVar', variable: shared, span: undefined };
const pair: Pattern = { _tag: 'PatternTuple', patterns: [named, named], span: undefined };
const identity = func([shared], shared);

describe('well-formedness', () => {
  it('holds for shadowing and for programs 50,000 lets deep', () => {
    let body: Expr = one;
    for (let i = 0; i < 8_000; i++) body = letIn(param('x'), one, body);
    expect(wellFormed(body)).toEqual([]);
  });

  it.each<[string, () => Expr, string]>([
    [
      'a variable bound twice',
      () => {
        const x = param('x');
        return tuple([letIn(x, one, x), letIn(x, one, x)]);
      },
      'IR_BOUND_TWICE',
    ],
    [
      'a use beside the binder',
      () => {
        const x = param('x');
        return tuple([letIn(x, one, x), x]);
      },
      'IR_ESCAPES',
    ],
    [
      'a shared node that takes a variable out of its scope',
      () => {
        const x = param('x');
        const shared = add(x, one);
        return tuple([letIn(x, one, shared), shared]);
      },
      'IR_ESCAPES',
    ],
    [
      'a variable of a pattern in another clause',
      () => {
        const x = param('x');
        const shared = add(x, one);
        const bind: Pattern = { _tag: 'PatternVar', variable: x, span: undefined };
        const any: Pattern = { _tag: 'PatternWildcard', span: undefined };
        return match(one, [clause(bind, shared), clause(any, shared)], true);
      },
      'IR_ESCAPES',
    ],
    [
      'a value that mentions its own variable',
      () => {
        const x = param('x');
        return letIn(x, add(x, one), x);
      },
      'IR_ESCAPES',
    ],
    ['a parameter twice', () => func([shared, shared], one), 'IR_BOUND_TWICE'],
    [
      'a parameter that is bound again',
      () => func([shared], letIn(shared, one, one)),
      'IR_BOUND_TWICE',
    ],
    [
      'a variable twice in a pattern',
      () => match(one, [clause(pair, one)], true),
      'IR_BOUND_TWICE',
    ],
    [
      'a variable of two patterns',
      () => match(one, [clause(named, one), clause(named, one)], true),
      'IR_BOUND_TWICE',
    ],
    ['a parameter beside its function', () => tuple([func([shared], one), shared]), 'IR_ESCAPES'],
    [
      'a variable of a pattern in what is matched',
      () => match(shared, [clause(named, one)], true),
      'IR_ESCAPES',
    ],
    [
      'a let beside its body',
      () => letIn(param('y'), letIn(shared, one, one), shared),
      'IR_ESCAPES',
    ],
    ['a use before the binder', () => tuple([shared, func([shared], one)]), 'IR_ESCAPES'],
  ])('refuses %s', (_, build, code) => {
    expect(wellFormed(build()).map((d) => d.code)).toEqual([code]);
  });

  it('tells of a variable outside its scope where its binder stands', () => {
    const span = textSpan({ name: 'f.rly', text: '' }, 2, 5, 2, 7);
    const x = variable('x', f32, span);
    const [found] = wellFormed(tuple([letIn(x, one, x), x]));
    expect(found).toMatchObject({ code: 'IR_ESCAPES', related: [{ message: 'its binder', span }] });
  });

  it.each<[string, () => Expr]>([
    ['a function that calls itself', () => letIn(shared, func([], call(shared, [])), shared)],
    ['a variable that nothing binds', () => tuple([shared, func([param('y')], shared)])],
    ['a parameter in functions inside', () => func([shared], func([param('y')], func([], shared)))],
    ['variables of patterns in their clauses', () => match(one, [clause(named, shared)], true)],
    ['functions that are used twice', () => tuple([identity, identity])],
  ])('holds for %s', (_, build) => {
    expect(wellFormed(build())).toEqual([]);
  });

  it('holds for the functions of a module together', () => {
    const f = func([shared], shared);
    const moduleOf = (...fs: ReadonlyArray<typeof f>): IRModule =>
      irModule({ ops, functions: new Map(fs.map((g, i) => [`f${i}`, g])) });
    expect(wellFormed(moduleOf(f, func([param('x')], one)))).toEqual([]);
    const twice = wellFormed(moduleOf(f, func([shared], one)));
    expect(twice.map((d) => d.code)).toEqual(['IR_BOUND_TWICE']);
  });

  it('holds where a shared node takes no variable out of its scope', () => {
    const [x, y] = [param('x'), param('y')];
    const shared = add(x, one);
    const f = func([x], tuple([letIn(y, one, shared), func([], shared), shared]));
    expect(wellFormed(f)).toEqual([]);
  });

  it('refuses a node that is private to a pass', () => {
    const temporary = tempExpr('a', () => one);
    expect(wellFormed(temporary).map((d) => d.code)).toEqual(['IR_TEMPORARY']);
    expect(wellFormed(tuple([one, temporary])).map((d) => d.code)).toEqual(['IR_TEMPORARY']);
  });

  it('points at the variable that is bound twice (E18)', () => {
    const span = textSpan({ name: 'a.rly', text: '' }, 1, 5, 1, 7);
    const x = variable('x', undefined, span);
    const twice = tuple([letIn(x, one, x), letIn(x, one, x)]);
    expect(wellFormed(twice).map((d) => d.span)).toContainEqual(span);
  });
});
