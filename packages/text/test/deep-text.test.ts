import {
  call,
  constant,
  type Expr,
  func,
  irModule,
  letIn,
  opRef,
  scalarType,
  structuralEqual,
  type Type,
  tuple,
  tupleType,
  type Var,
  variable,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import { MAX_NESTING, printExpr, printType } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { errors, expr, mod, shown, shownModule } from './text-support.ts';

const DEPTH = 8_000;
const add = (a: Expr, b: Expr): Expr => call(opRef('add'), [a, b], { attrs: {} });

describe(`programs ${DEPTH} deep`, () => {
  it('C073 as chains of calls print and parse', () => {
    const x = variable('x', scalarType('float32'));
    const one = constant(scalar(1, 'float32'));
    let e: Expr = x;
    for (let i = 0; i < DEPTH; i++) e = add(e, one);
    const m = irModule({ ops, functions: new Map([['main', func([x], e)]]) });
    const text = shownModule(m);
    expect(structuralEqual(mod(text), m)).toBe(true);
  });

  it('as nested lets print and parse', () => {
    const vars = Array.from({ length: DEPTH }, () => variable('x'));
    const one = constant(scalar(1, 'int32'));
    let e: Expr = vars.at(-1) ?? one;
    for (let i = DEPTH - 1; i >= 0; i--) {
      const v = vars[i] ?? variable('');
      e = letIn(v, i === 0 ? one : add(vars[i - 1] ?? one, one), e);
    }
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as lets in the values of lets print and parse', () => {
    let e: Expr = constant(scalar(1, 'int32'));
    for (let i = 0; i < DEPTH; i++) {
      const x = variable('x');
      e = letIn(x, e, x);
    }
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as functions in functions print and parse', () => {
    let e: Expr = constant(scalar(1, 'int32'));
    for (let i = 0; i < DEPTH; i++) e = func([], e);
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as a ladder of diamonds print a line for each node', () => {
    let e: Expr = variable('x', scalarType('float32'));
    for (let i = 0; i < 1000; i++) e = add(e, e);
    const text = shown(e);
    expect(text.split('\n')).toHaveLength(1001);
    expect(structuralEqual(expr(text), e, { mapFreeVars: true })).toBe(true);
  });

  it('as branches that share across all levels print and parse', () => {
    const c = variable('c');
    const shared = tuple([c]);
    const branches = (n: number) =>
      `${'if (%c) { '.repeat(n)}(%0, %0)${' } else { %0 }'.repeat(n)}`;
    const text = `fn (%c) { %0 = (%c,); ${branches(2_000)} }`;
    const e = expr(text);
    expect(shown(e).split('\n')[1]).toBe('  %0 = (%c,);');
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
    expect(structuralEqual(e, shared)).toBe(false);
  });

  it('as types print and parse', () => {
    let type: Type = scalarType('int8');
    for (let i = 0; i < DEPTH; i++) type = tupleType([type]);
    const x = variable('x', type);
    expect(printType(type)).toHaveLength(4 + 3 * DEPTH);
    const e = func([x], x);
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as annotations along a chain of lets print in linear size, and parse', () => {
    const vars = [variable('x', scalarType('int8'))];
    for (let i = 1; i < DEPTH; i++) {
      const last = vars[i - 1]?.typeAnnotation ?? scalarType('int8');
      vars.push(variable('x', tupleType([last])));
    }
    let e: Expr = vars.at(-1) ?? constant(scalar(1, 'int32'));
    for (let i = DEPTH - 1; i > 0; i--) {
      e = letIn(vars[i] as Var, tuple([vars[i - 1] as Var]), e);
    }
    const text = shown(func([vars[0] as Var], e));
    expect(text.length).toBeLessThan(300 * DEPTH);
    expect(text).toContain('let %x10: ((((((((((int8,),),),),),),),),),) = (%x9,);');
    expect(text).toContain(`let %x${DEPTH - 1}: _ = (%x${DEPTH - 2},);`);
    expect(shown(expr(text))).toBe(text);
  });

  it.each([
    ['parentheses', '(', '1', ')'],
    ['tuples', '(', '1', ',)'],
    ['blocks', '{', '1', '}'],
    ['calls', 'exp(', '1', ')'],
    ['type arguments', 'fn (%x: ref(', 'int8', ')'],
    ['tensor literals', '[', '1', ']'],
    ['operators', '(1 + ', '1', ')'],
  ])('nest in brackets: %s', (_, open, middle, close) => {
    const isType = open.startsWith('fn');
    const inner = isType ? 'ref(' : open;
    const text = `${open}${inner.repeat(DEPTH - 1)}${middle}${close.repeat(DEPTH)}`;
    expect(expr(isType ? `${text}) { %x }` : text)).toBeDefined();
  });

  it('nest no deeper than the limit', () => {
    const text = '('.repeat(MAX_NESTING + 1);
    const found = errors(text);
    expect(found.map((d) => d.code)).toContain('PARSE_NESTING');
    expect(errors('{'.repeat(DEPTH)).length).toBeLessThan(5);
  });

  it('measure the types in their comments once', () => {
    const f32 = scalarType('float32');
    const one = constant(scalar(1, 'float32'));
    const types = new Map<Expr, Type>();
    let type: Type = f32;
    let top: Expr = one;
    for (let i = 0; i < DEPTH; i++) {
      type = tupleType([type, f32]);
      top = tuple([top, one]);
      types.set(top, type);
    }
    expect(printExpr(top, { typeOf: (e) => types.get(e) })).toContain('/* ty=.. */');
  });

  it('end in operators without end', () => {
    expect(expr(`1${' + 1'.repeat(DEPTH)}`)).toBeDefined();
    expect(expr(`1${'; 1'.repeat(DEPTH)}`)).toBeDefined();
    const chain = 'if (True) { 1 } else '.repeat(DEPTH);
    expect(expr(`${chain}{ 2 }`)).toBeDefined();
    expect(expr(`fn (%f) { %f${'(1)'.repeat(DEPTH)}${'.0'.repeat(DEPTH)} }`)).toBeDefined();
  });
});
