import { isLeft, isRight } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { diagnose, format, openDocument } from '../src/index.ts';
import { HEADER } from './marked.ts';

/** The codes of errors, with the texts that they mark. */
const marks = (text: string) =>
  diagnose(text).map(({ code, from, to }) => `${code} ${text.slice(from, to)}`);

describe('mistakes of form', () => {
  it.each([
    ['a missing semicolon', 'def @f(%x: int32) { let %y = %x %y }'],
    ['an unknown operator', 'def @f(%x: int32) { nn.rely(%x) }'],
    ['an unknown attribute', 'def @f(%x: int32) { nn.softmax(%x, axes=1) }'],
    ['two in one definition', 'def @f(%x: int32) { let %y = ; let %z = %q; %y }'],
    ['one in each of two', 'def @f(%x: T) { %x }\ndef @g() { %y }'],
    ['a body that breaks off', 'def @f(%x: int32) { let %y = (%x, '],
    ['a definition that breaks off', 'def @f(%x'],
    ['an unfinished definition before another', 'def @f(%x) { let %y = add(%x, \ndef @g() { 1 }'],
    ['an unterminated string', 'def @f(%x: int32) { cast(%x, dtype="int8) }'],
    ['a type that is not closed', 'type T { A(int32 \ndef @g() { 1 }'],
  ])('%s: all that the parser reports, with its ranges', (_, body) => {
    const text = `${HEADER}${body}`;
    const parsed = parseModule(text, { ops });
    if (isRight(parsed)) throw new Error('this text has no mistake');
    const lines = text.split('\n');
    const found = diagnose(text);
    expect(found.map(({ code, message, hint }) => [code, message, hint])).toEqual(
      parsed.left.map(({ code, message, hint }) => [code, message, hint]),
    );
    for (const [i, { span }] of parsed.left.entries()) {
      if (span?._tag !== 'TextSpan') throw new Error('a mistake of form has a place');
      const before = lines.slice(0, span.line - 1).join('\n').length + (span.line > 1 ? 1 : 0);
      expect(found[i]?.from).toBe(before + span.column - 1);
    }
  });

  it('leave the types of other definitions to be checked', () => {
    const text = `${HEADER}def @f(%x: int32) -> int32 { %y }
def @g(%a: Tensor[(2), float32], %b: Tensor[(3), float32]) { add(%a, %b) }`;
    expect(marks(text)).toEqual(['NAME_LOCAL %y', 'OP_BROADCAST add(%a, %b)']);
  });

  it.each([
    ['that call it', 'def @g(%a: Tensor[(3), float32]) { add(%a, @f(%a)) }'],
    ['that call one that calls it', 'def @h() { @f(1) }\ndef @g() { add(@h(), True) }'],
  ])('hide those of types in definitions %s, unless it states its type', (_, callers) => {
    const broken = `${HEADER}def @f(%x) { let %y = ; %x }\n${callers}`;
    expect(diagnose(broken).every(({ code }) => !/^(TYPE|OP)_/.test(code))).toBe(true);
    const stated = broken.replace('(%x)', '(%x: int32) -> int32');
    expect(diagnose(stated).some(({ code }) => /^(TYPE|OP)_/.test(code))).toBe(true);
  });
});

describe('mistakes of types', () => {
  it.each([
    [
      'shapes that do not fit',
      '%x: Tensor[(2), float32]',
      'nn.relu(add(%x, add(%x, zeros(shape=[3], dtype="float32"))))',
    ],
    ['two at once', '%x: Tensor[(2), float32]', '(nn.dense(%x, 1f), %x.0)'],
    ['a call of no function', '%x: int32', '%x(1)'],
    ['an unknown global', '%x: int32', '@nothing(%x)'],
    ['an open type', '%x: int32', 'let %n = fn (%a) { ref(%a) }; %n'],
  ])('%s: all that inference reports', (_, params, body) => {
    const text = `${HEADER}def @f(${params}) { ${body} }`;
    const parsed = parseModule(text, { ops });
    if (isLeft(parsed)) throw new Error('this text can be read');
    const inferred = inferTypes(parsed.right);
    const wanted = isLeft(inferred) ? inferred.left.map(({ code }) => code).sort() : [];
    expect(
      diagnose(text)
        .map(({ code }) => code)
        .sort(),
    ).toEqual(wanted);
  });

  it('carry the places of related notes', () => {
    const text = `${HEADER}def @f() { 1 }\ndef @f() { 2 }`;
    const [found] = diagnose(text);
    const range = found?.related[0]?.range;
    expect(range && text.slice(range.from, range.to)).toBe('@f');
  });
});

it('a text of UTF-16 pairs before a mistake is counted in units', () => {
  const text = `${HEADER}// 😀😀\ndef @f() { /* 😀 */ %y }`;
  expect(marks(text)).toEqual(['NAME_LOCAL %y']);
});

it.each([
  ['a module', `${HEADER}def @f(%x: int32) { %x + 1 }`],
  ['an expression', 'let %x = 1; %x + 2'],
  ['an expression with free variables', 'free_var %x: int32; %x + 2'],
  ['a type', `${HEADER}type T[A] { C(A) }`],
])('%s without mistakes has none', (_, text) => {
  expect(diagnose(text)).toEqual([]);
});

it.each(['', '  \n', '// a comment'])('%j has at most a missing version', (text) => {
  expect(diagnose(text).every(({ code }) => code === 'PARSE_HEADER')).toBe(true);
});

describe('the layout', () => {
  it('is that of baton fmt', () => {
    const made = format(`${HEADER}def @f(%x:int32){%x+1}`);
    expect(isRight(made) && made.right).toBe(`${HEADER}def @f(%x: int32) {\n  %x + 1\n}\n`);
  });
  it('of a text with mistakes is refused', () => {
    expect(isLeft(format(openDocument(`${HEADER}def @f( {`)))).toBe(true);
  });
});
