import { type Constant, type Expr, literalValue } from '@baton/ir';
import { readBigInt, readNumber } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { errors, expr, places } from './text-support.ts';

function asConstant(e: Expr): Constant {
  if (e._tag !== 'Constant') throw new Error(`expected a constant, found ${e._tag}`);
  return e;
}

const read = (text: string) => {
  const { data, literal } = asConstant(expr(text));
  return { dtype: data.dtype, shape: data.shape, value: readNumber(data, 0), literal };
};

describe('numbers', () => {
  it.each([
    ['42', 42],
    ['-100', -100],
    ['-05', -5],
    ['0', 0],
  ])('C001 read %s as a literal in its default dtype', (text, value) => {
    expect(read(text)).toEqual({ dtype: 'int32', shape: [], value, literal: 'int' });
  });

  it.each([
    ['-17i16', 'int16'],
    ['-17i32', 'int32'],
    ['-17i', 'int32'],
    ['-17i64', 'int64'],
    ['-17i8', 'int8'],
  ])('C002 take the dtype of the suffix: %s is %s', (text, dtype) => {
    expect(read(text)).toEqual({ dtype, shape: [], value: -17, literal: undefined });
  });

  it.each(['u8', 'u16', 'u32', 'u64'])('have the unsigned suffix %s', (suffix) => {
    expect(read(`200${suffix}`)).toMatchObject({ dtype: `uint${suffix.slice(1)}`, value: 200 });
  });

  it.each([
    ['32768i16', 'int16'],
    ['2147483648i32', 'int32'],
    ['-1u8', 'uint8'],
    ['256u8', 'uint8'],
    ['9223372036854775808i64', 'int64'],
  ])('C004 are refused where the dtype cannot hold them: %s', (text, dtype) => {
    const [d] = errors(text);
    expect(d?.message).toContain(`not representable in ${dtype}`);
    expect(places(text)).toEqual([`LITERAL_RANGE 1:1-${text.length + 1}`]);
  });

  it('C004 fold the sign before the range is checked', () => {
    expect(read('-32768i16').value).toBe(-32768);
    expect(readBigInt(asConstant(expr('-9223372036854775808i64')).data, 0)).toBe(-(2n ** 63n));
  });

  it.each([
    ['3f', 'float32'],
    ['3f32', 'float32'],
    ['3f16', 'float16'],
    ['3f64', 'float64'],
  ])('C005 take the float dtype of the suffix: %s is %s', (text, dtype) => {
    expect(read(text)).toEqual({ dtype, shape: [], value: 3, literal: undefined });
  });

  it.each(['65505f16', '3.40283e+38f32', '1e309f64', '1e309', '7e4f16'])(
    'C007 are refused beyond the largest finite value: %s',
    (text) => {
      expect(places(text)).toEqual([`LITERAL_RANGE 1:1-${text.length + 1}`]);
    },
  );

  it.each([
    ['1e39f', 'float32'],
    ['1e400f64', 'float64'],
    ['7e4f16', 'float16'],
    ['1e400', 'any dtype'],
  ])('C007 name the dtype of the suffix also after an exponent: %s', (text, dtype) => {
    expect(errors(text)[0]?.message).toContain(`not representable in ${dtype}`);
  });

  it('C007 reach the largest finite value, also when it is written with fewer digits', () => {
    expect(read('65504f16').value).toBe(65504);
    expect(read('3.4028235e38f').value).toBe(3.4028234663852886e38);
    expect(read('-3.4028235e+38f').value).toBe(-3.4028234663852886e38);
  });

  it.each([
    ['1.5', 1.5],
    ['2e3', 2000],
    ['0.1', Math.fround(0.1)],
  ])('C008 may be floats without suffix: %s', (text, value) => {
    expect(read(text)).toEqual({ dtype: 'float32', shape: [], value, literal: 'float' });
  });

  it('keep their written value until inference knows the dtype', () => {
    const values = ['0.1', '1.23456789012', '1e300', '16777217.0'];
    expect(values.map((text) => literalValue(asConstant(expr(text))))).toEqual([
      0.1, 1.23456789012, 1e300, 16777217,
    ]);
    const integers = ['2147483648', '9223372036854775807', '18446744073709551615'];
    expect(integers.map((text) => literalValue(asConstant(expr(text))))).toEqual([
      2147483648n,
      2n ** 63n - 1n,
      2n ** 64n - 1n,
    ]);
  });

  it.each([
    ['--10', 10],
    ['---10', -10],
  ])('C010 fold any number of minuses: %s', (text, value) => {
    expect(read(text)).toMatchObject({ dtype: 'int32', value });
  });

  it('C011 leave a minus after an operand to the operator', () => {
    const e = expr('let %x = 5; %x -3');
    expect(e._tag === 'Let' && e.body._tag === 'Call' && e.body.op).toMatchObject({
      name: 'subtract',
    });
    expect(expr('5 --3')).toMatchObject({ _tag: 'Call', op: { name: 'subtract' } });
    expect(expr('(1)-2')).toMatchObject({ _tag: 'Call', op: { name: 'subtract' } });
    expect(read('#[version = "0.0.5"]\n-5').value).toBe(-5);
  });

  it('take a sign only right after an exponent', () => {
    expect(expr('1+1')).toMatchObject({ _tag: 'Call', op: { name: 'add' } });
    expect(read('1e+2f').value).toBe(100);
  });

  it('have names for infinities and NaN', () => {
    expect(read('inff')).toMatchObject({ dtype: 'float32', value: Number.POSITIVE_INFINITY });
    expect(read('-inff16')).toMatchObject({ dtype: 'float16', value: Number.NEGATIVE_INFINITY });
    expect(read('nanf64')).toMatchObject({ dtype: 'float64', value: Number.NaN });
  });

  it.each(['1x', '1.5i32', '3f8', '1e', '2i7', '1f16x'])(
    'are refused when malformed: %s',
    (text) => {
      expect(places(text)[0]).toBe(`LEX_NUMBER 1:1-${text.length + 1}`);
    },
  );

  it('may have more digits than any dtype can hold', () => {
    expect(places(`1${'0'.repeat(100_000)}`)).toEqual(['LITERAL_RANGE 1:1-100002']);
  });
});

describe('names', () => {
  it('C047 hold a slash before a letter', () => {
    const e = expr('free_var %base/x: float32; free_var %base/y: float32; %base/x + %base/y');
    expect(e).toMatchObject({ args: [{ nameHint: 'base/x' }, { nameHint: 'base/y' }] });
  });

  it.each(['let %x = 8; let %y = 2; %x/%y', '1/2', '8 / 2'])(
    'leave another slash to the operator: %s',
    (text) => {
      const e = expr(text);
      let body: Expr = e;
      while (body._tag === 'Let') body = body.body;
      expect(body).toMatchObject({ _tag: 'Call', op: { name: 'divide' } });
    },
  );

  it('project from a projection, with and without a call between', () => {
    expect(expr('((1, 2), 3).0.1')).toMatchObject({ index: 1, tuple: { index: 0 } });
    expect(expr('free_var %f: _; %f(1).0')).toMatchObject({ index: 0, tuple: { _tag: 'Call' } });
  });

  it.each(['%', '@', '% x'])('are missed after a sigil: %s', (text) => {
    expect(places(text)[0]).toBe('LEX_NAME 1:1-2');
  });
});

describe('spaces and comments', () => {
  it('C013 are skipped, and block comments nest', () => {
    expect(expr('// c\n/* a /* nested */ b */ ()')).toMatchObject({ _tag: 'Tuple', fields: [] });
    expect(expr('(1, // one\r\n\t2)')).toMatchObject({ _tag: 'Tuple' });
  });

  it('C014 refuse a stray hash', () => {
    const [d] = errors('#foo 1');
    expect(d).toMatchObject({ code: 'LEX_HASH', message: expect.stringContaining('#[...]') });
  });

  it.each([
    ['1 \r 2', 'LEX_CHARACTER 1:3-4'],
    ['/* x', 'LEX_COMMENT 1:1-3'],
    ['nn.relu("abc', 'LEX_STRING 1:9-13'],
    ['1 $$ 2', 'LEX_CHARACTER 1:3-5'],
    ['1 & 2', 'LEX_CHARACTER 1:3-4'],
  ])('refuse what no token starts with: %j', (text, place) => {
    expect(places(text)[0]).toBe(place);
  });

  it('names characters that no one would see', () => {
    const message = (text: string) => errors(text)[0]?.message;
    expect(message('1 \r 2')).toBe('unexpected character `U+000D`');
    expect(message('\u0000')).toBe('unexpected character `U+0000`');
    expect(message('1\u00a0')).toBe('unexpected character `U+00A0`');
    expect(message('1 \u202e$')).toBe('unexpected characters `U+202E$`');
    expect(message('$$')).toBe('unexpected characters `$$`');
  });
});

describe('strings', () => {
  const attr = (text: string) => {
    const e = expr(text);
    return e._tag === 'Function' ? e.attrs.s : undefined;
  };

  it('have escapes', () => {
    expect(attr(String.raw`fn (s="a\"b\\c\n\t\r\x41é") { 1 }`)).toBe('a"b\\c\n\t\rAé');
  });

  it('have no others', () => {
    expect(places(String.raw`fn (s="\q") { 1 }`)).toEqual(['LEX_ESCAPE 1:7-11']);
    expect(places('fn (s="a\nb") { 1 }')[0]).toBe('LEX_STRING 1:7-9');
  });
});
