import { type Diagnostic, isLeft } from '@baton/base';
import { standardOps as ops } from '@baton/ops';
import { parseModule } from '@baton/text';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../../../test/tier.ts';
import {
  completeAt,
  definitionAt,
  diagnose,
  format,
  hoverAt,
  openDocument,
  referencesAt,
  symbolsOf,
  type TextRange,
} from '../src/index.ts';
import { HEADER } from './marked.ts';

const TEXT = `${HEADER}type List[A] { Cons(A, List[A]), Nil }
extern type E
def @f[n: ShapeVar](%v: Tensor[(n, 3), float32], Inline=1) -> _ where Identity { %v * -2f }
def @main(%x: Tensor[(2, 3), float32]) {
  /* a /* nested */ comment */
  let %y: Tensor[(2, 3), float32] = nn.softmax(%x, axis=-1); // last
  %0 = if (True) { @f(%y) } else { meta[relay.Constant][0] };
  let %g = fn [A](%a: A) { ref_read(ref(%a)) };
  match? (Cons(%0, Nil)) { Cons(%h, _) => cast(%g(%h), dtype="float64"), _ => (1, [2, 3]).1 }
}
#[metadata]
{"root": 0}
`;

const PIECES = [
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '"',
  '/*',
  '*/',
  '%',
  '@',
  '=',
  ';',
  ',',
  '<',
  'let ',
  'fn ',
  'def ',
  '.',
  '\u{1F600}',
  '\0',
  '\r',
  '#[metadata]',
];

/** Every request at an offset; each answer must be a range of the text. */
function askEverything(text: string, offset: number): void {
  const document = openDocument(text);
  if (text.startsWith(HEADER)) {
    const parsed = parseModule(text, { ops });
    const said = (of: ReadonlyArray<Diagnostic>) => of.map((d) => `${d.code} ${d.message}`);
    expect(said(document.reading.diagnostics)).toEqual(isLeft(parsed) ? said(parsed.left) : []);
  }
  const isInside = ({ from, to }: TextRange): boolean =>
    0 <= from && from <= to && to <= text.length;
  for (const d of diagnose(document)) {
    expect(isInside(d)).toBe(true);
    for (const { range } of d.related) expect(range === undefined || isInside(range)).toBe(true);
  }
  const hover = hoverAt(document, offset);
  if (hover !== undefined)
    expect(isInside(hover) && hover.from <= offset && offset <= hover.to).toBe(true);
  const completions = completeAt(document, offset);
  expect(isInside(completions)).toBe(true);
  expect(completions.from <= offset && offset <= completions.to).toBe(true);
  for (const range of referencesAt(document, offset)) expect(isInside(range)).toBe(true);
  const definition = definitionAt(document, offset);
  expect(definition === undefined || isInside(definition)).toBe(true);
  const symbols = [...symbolsOf(document)];
  for (let next = symbols.pop(); next !== undefined; next = symbols.pop()) {
    expect(isInside(next) && isInside(next.nameRange)).toBe(true);
    for (const child of next.children) symbols.push(child);
  }
  format(document);
}

describe('a damaged text', () => {
  // Every seventh offset.
  it('that breaks off anywhere is answered', () => {
    for (let end = 0; end <= TEXT.length; end += 7) askEverything(TEXT.slice(0, end), end);
  });

  it('with random pieces in it, or missing, is answered', () => {
    const edit = fc.tuple(
      fc.nat(TEXT.length),
      fc.nat(6),
      fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })),
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), fc.nat(), (edits, at) => {
        let text = TEXT;
        for (const [place, gone, piece] of edits) {
          text = text.slice(0, place) + piece + text.slice(place + gone);
        }
        askEverything(text, at % (text.length + 1));
      }),
      { seed: 36, numRuns: amount(1_000, { quick: 80 }) },
    );
  });

  it.each([
    ['open brackets', '('.repeat(40_000)],
    ['open braces', '{'.repeat(40_000)],
    ['quotes', '"'.repeat(60_000)],
    ['minuses', '-'.repeat(60_000)],
    ['one word', 'a'.repeat(1_000_000)],
    ['lets in lets', 'let %x = '.repeat(8_000)],
    ['functions in functions', 'let %f = fn (%x) { '.repeat(2_000)],
    ['calls in calls', 'nn.relu('.repeat(10_000)],
    ['definitions', 'def '.repeat(30_000)],
    ['comments in comments', '/*'.repeat(100_000)],
    ['attributes', `f(${'a=1, '.repeat(20_000)})`],
    ['types in types', `${HEADER}def @f(%x: ${'('.repeat(30_000)}`],
    [
      'functions that name the next',
      `${HEADER}${Array.from({ length: 1_000 }, (_, i) => `def @f${i}(%x) { @f${i + 1}(%x, %y) }`).join('\n')}`,
    ],
    ['astral characters', '\u{1F600}'.repeat(60_000)],
  ])('of many %s is answered', (_, text) => {
    askEverything(text, text.length);
  });

  it('of many statements is answered', () => {
    let text = `${HEADER}def @main(%x: Tensor[(2, 3), float32]) {\n  let %a0 = nn.relu(%x);\n`;
    for (let i = 1; text.length < 250_000; i++) text += `  let %a${i} = add(%a${i - 1}, %x);\n`;
    askEverything(`${text}  nn.relu(%x`, text.length + 4);
  });
});
