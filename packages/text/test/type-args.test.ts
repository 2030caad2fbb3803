/**
 * Type arguments in text: read by the kind of the parameter, or by their form (decision
 * [D3](https://batonjs.github.io/baton/spec/decisions#D3)).
 */
import type { IRModule, TypeArg } from '@baton/ir';
import { type ParseOptions, parseExpr } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { errors, expr, mod, shown } from './text-support.ts';

const argsOf = (text: string): ReadonlyArray<TypeArg> => {
  const e = expr(`fn [A, s: Shape, d: BaseType, n: ShapeVar](%f) { %f[${text}](1) }`);
  const body = e._tag === 'Function' ? e.body : e;
  return body._tag === 'Call' ? body.typeArgs : [];
};

describe('type arguments of a call', () => {
  it.each([
    ['float32, (int8, (bool,)), A', ['Type', 'Type', 'Type']],
    ['fn (A) -> A, ref(A), (fn () -> A, A)', ['Type', 'Type', 'Type']],
    ['2, n, n + 1, 2 * n, ?', ['ShapeVar', 'ShapeVar', 'ShapeVar', 'ShapeVar', 'ShapeVar']],
    ['(n + 1) * 2, ((n) + 1) / 2', ['ShapeVar', 'ShapeVar']],
    ['(2, 3), (n, 4), (n), (?,), s', ['Shape', 'Shape', 'Shape', 'Shape', 'Shape']],
    ['d', ['BaseType']],
    ['Tensor[(2, 3), int8], (Tensor[(2), int8], int8)', ['Type', 'Type']],
    ['_', ['Type']],
  ])('%s', (text, kinds) => {
    expect(argsOf(text).map((arg) => arg.kind)).toEqual(kinds);
    const call = `fn [A, s: Shape, d: BaseType, n: ShapeVar](%f) {\n  %f[${text}](1)\n}`;
    expect(shown(expr(shown(expr(call))))).toBe(shown(expr(call)));
  });

  it('may stand in angle brackets, and comparisons still may', () => {
    const e = expr('fn (%f, %x) { (%f<int8, (2, 3)>(%x), %x < 3, %x < %f(%x) && %x > (1)) }');
    const fields = e._tag === 'Function' && e.body._tag === 'Tuple' ? e.body.fields : [];
    const [first, second, third] = fields;
    expect(first?._tag === 'Call' && first.typeArgs.length).toBe(2);
    expect(second?._tag === 'Call' && second.op._tag === 'Op' && second.op.name).toBe('less');
    expect(third?._tag === 'Call' && third.op._tag === 'Op' && third.op.name).toBe('logical_and');
  });
});

const BOX = 'type Box[A, s: Shape, d: BaseType, n: ShapeVar] { }';

describe('type arguments of a data type', () => {
  it('have the kinds of its parameters', () => {
    const m = mod(
      `${BOX} def @f(%x: Box[(int8, int8), (2, k), int8, 2 * k], %y: Box[_, _, _, _]) { %x }`,
    );
    const type = m.functions.get('f')?.params[0]?.typeAnnotation;
    expect(type?._tag === 'TypeCall' && type.args.map((arg) => arg.kind)).toEqual([
      'Type',
      'Shape',
      'BaseType',
      'ShapeVar',
    ]);
  });

  it.each([
    ['2, (2), int8, 2', 'ShapeVar'],
    ['int8, 2, int8, 2', 'ShapeVar'],
    ['int8, (2), (2, 3), 2', 'Shape'],
    ['int8, (2), (), 2', 'Type'],
    ['int8, (2), int8, ()', 'Type'],
    ['int8, (2), int8, fn () -> ()', 'Type'],
    ['int8, (2), int8, (2, 3)', 'Shape'],
  ])('of another kind are one error: %s', (args, found) => {
    const text = `fn (%x: Box[${args}]) { %x }`;
    const context = mod(BOX);
    const result = errors(text, (t, options) => parseWith(t, options, context));
    expect(result.map((d) => d.code)).toEqual(['NAME_KIND']);
    expect(result[0]?.message).toContain(`found one of ${found}`);
  });
});

const parseWith = (text: string, options: ParseOptions, context: IRModule) =>
  parseExpr(text, { ...options, context });
