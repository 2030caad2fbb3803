import { DiagnosticsError } from '@baton/base';
import { tensorType, variable } from '@baton/ir';
import { buildPattern, type Formula, formula, instantiate, standardOps as ops } from '@baton/ops';
import { printExpr } from '@baton/text';
import { expect, test } from 'vitest';

const x = variable('x', tensorType([2, 3], 'float32'));
const softplus = formula('log(exp(?x * ?beta) + 1) / ?beta');

test('a formula on arguments is a program', () => {
  expect(printExpr(instantiate(ops, softplus, { x }, { beta: 2 }))).toMatchInlineSnapshot(`
    "#[version = "0.0.5"]
    free_var %x: Tensor[(2, 3), float32];
    %0 = multiply(%x, 2f);
    %1 = exp(%0);
    %2 = add(%1, 1f);
    %3 = log(%2);
    divide(%3, 2f)"
  `);
});

test('a part that the text binds is one expression', () => {
  const both = instantiate(ops, formula('%0 = exp(?x); %0 * %0'), { x }, {});
  expect(both).toMatchObject({ _tag: 'Call' });
  if (both._tag === 'Call') expect(both.args[0]).toBe(both.args[1]);
});

test('holes stand for attributes, all of them, and fields', () => {
  const kept = formula('(sum(?x, axis=?a, attrs=?r), ?x).0');
  const attrs = { a: [1], r: { keepdims: true, exclude: false } };
  expect(printExpr(instantiate(ops, kept, { x }, attrs))).toMatchInlineSnapshot(`
    "#[version = "0.0.5"]
    free_var %x: Tensor[(2, 3), float32];
    sum(%x, axis=[1], keepdims=True, exclude=False)"
  `);
});

test('numbers have the dtype that is asked for', () => {
  const wide = variable('x', tensorType([2], 'float64'));
  const half = formula('?x * 0.1 + 1f');
  expect(
    printExpr(instantiate(ops, half, { x: wide }, {}, { dtype: 'float64' })),
  ).toMatchInlineSnapshot(`
    "#[version = "0.0.5"]
    free_var %x: Tensor[(2), float64];
    %0 = multiply(%x, 0.1f64);
    add(%0, 1f)"
  `);
});

test('a pattern becomes other things than expressions', () => {
  const text = buildPattern<string>(softplus.pattern, {
    term: (hole) => hole,
    attrs: new Map(),
    number: String,
    call: (op, args) => `${op}[${args.join(' ')}]`,
    tuple: (fields) => fields.join(),
    field: (tuple, index) => `${tuple}.${index}`,
  });
  expect(text).toBe('divide[log[add[exp[multiply[x beta]] 1]] beta]');
});

test('holes without a value do not compile, and mistakes in a text are diagnostics', () => {
  // @ts-expect-error the attribute `beta` is missing
  expect(printExpr(instantiate(ops, softplus, { x }, {}))).toContain('nan');
  // @ts-expect-error `?y` has no value
  expect(() => printExpr(instantiate(ops, formula('?x + ?y'), { x }, {}))).not.toThrow();
  const wrong: Formula<never> = formula('1 +');
  expect(() => wrong.pattern).toThrow(DiagnosticsError);
  expect(() => instantiate(ops, formula('nothing(?x)'), { x }, {})).toThrow('nothing');
});
