/**
 * L.9 Reading is linear for any text: the test counts the characters looked at, for a text and for
 * one of twice its length. A time would depend on the machine.
 */
import { isRight, type SourceText } from '@baton/base';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';

/** A text that counts the characters looked at. */
class CountedText extends String {
  looks = 0;

  override charCodeAt(index: number): number {
    this.looks++;
    return super.charCodeAt(index);
  }

  override slice(start?: number, end?: number): string {
    const piece = super.slice(start, end);
    this.looks += piece.length;
    return piece;
  }

  override startsWith(piece: string, at?: number): boolean {
    this.looks += piece.length;
    return super.startsWith(piece, at);
  }
}

/** The number of characters looked at while a text is read, errors and all. */
function looksAt(text: string): number {
  const counted = new CountedText(text);
  // The parser uses no more than a string's methods.
  const source = counted as unknown as SourceText['text'];
  expect(isRight(parseModule(source, { ops, dialect: 'legacy' }))).toBe(false);
  expect(isRight(parseModule(source, { ops }))).toBe(false);
  return counted.looks;
}

describe('L.9 twice the text is twice the work', () => {
  it.each([
    ['minuses before nothing', (n: number) => '-'.repeat(n)],
    ['minuses before a word', (n: number) => `${'-'.repeat(n)}infinite${'x'.repeat(n)}`],
    ['minuses in a call', (n: number) => `def @f() { add(1, ${'-'.repeat(n)}x) }`],
    ['open brackets', (n: number) => `def @f() { ${'('.repeat(n)}`],
    ['open brackets of types', (n: number) => `def @f(%x: ${'('.repeat(n)}`],
    ['comparisons that could be type arguments', (n: number) => `def @f() { ${'a < ('.repeat(n)}`],
    ['unclosed lists of type parameters', (n: number) => 'type a< '.repeat(n)],
    ['one list of many definitions', (n: number) => `${'type a[b: Type '.repeat(n)}]`],
    ['lets of functions without bodies', (n: number) => `def @f() { ${'let %a = fn '.repeat(n)}`],
    ['hashes', (n: number) => '#['.repeat(n)],
    ['headers that are not closed', (n: number) => `#[version = "${' #[version = "'.repeat(n)}`],
    ['comments that are not closed', (n: number) => '/*'.repeat(n)],
    ['exponents without digits', (n: number) => `def @f() { ${'1e+'.repeat(n)} }`],
    ['names nobody knows', (n: number) => `def @f() { (${'abc, '.repeat(n)}) }`],
    ['errors in calls in calls', (n: number) => `def @f() { ${'add(1, '.repeat(n)}; }`],
    ['blocks in blocks', (n: number) => `def @f() { ${'{ let %a = '.repeat(n)} }`],
  ])('%s', (_, text) => {
    const few = looksAt(text(1_000));
    const many = looksAt(text(2_000));
    expect(many / few).toBeLessThan(2.2);
  });
});
