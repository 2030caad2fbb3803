/** Mutated programs through the parser: nothing throws, and every diagnostic lies inside the text. */
import {
  mobilenetV2,
  mulberry32,
  parseModule,
  printModule,
  type Random,
  resnet18,
  type Span,
} from 'baton';
import { isLeft } from 'fp-ts/lib/Either.js';

// biome-ignore format: a list to look over
const FRAGMENTS: ReadonlyArray<string> = [
  '(', ')', '{', '}', '[', ']', ',', ';', '%0', '%x', '@main', 'let', 'fn', 'def', 'if', 'else',
  '=', '->', '/*', '*/', '"', '1', '-', '1e400f', '#[', 'meta[relay.Constant][0]', 'add', '?', '\u0000',
];

/** Programs to mutate, as text. */
export const seedTexts = (): ReadonlyArray<string> => [
  printModule(resnet18({ imageSize: 32, width: 1, classes: 3 }), { meta: 'omit' }),
  printModule(mobilenetV2({ imageSize: 32, widthMultiplier: 0.1, classes: 3 }), { meta: 'omit' }),
  `#[version = "0.0.5"]
def @f(%x: int32) -> int32 { let %a = 1; if (%x < %a) { %x + 2 } else { @f(%x - 1) } }
def @main(%t: (float32, Tensor[(?, 2), float16])) { %0 = (%t.0, 1f); %1 = (%0, %0); %1.0.1 }`,
];

/** What is wrong with the parser's answer to one mutated text, if anything. */
export function checkMutatedText(texts: ReadonlyArray<string>, seed: number): string | undefined {
  const random = mulberry32(seed);
  const text = mutated(texts[pick(random, texts.length)] ?? '', random);
  try {
    const parsed = parseModule(text, { source: 'fuzz' });
    if (!isLeft(parsed)) return undefined;
    const outside = parsed.left.find((d) => d.span !== undefined && !isInside(d.span, text));
    return outside && `${outside.code} lies outside the text`;
  } catch (error) {
    return `threw ${error instanceof Error ? error.message : error}`;
  }
}

const pick = (random: Random, count: number): number => Math.floor(random() * count);

/** A piece of the text with a few fragments inserted, cut out, or copied elsewhere. */
function mutated(text: string, random: Random): string {
  let result = text.slice(0, 200 + pick(random, 4_000));
  for (let edits = 1 + pick(random, 4); edits > 0; edits--) {
    const at = pick(random, result.length + 1);
    const length = pick(random, 20);
    const fragment = FRAGMENTS[pick(random, FRAGMENTS.length)] ?? '';
    const copied = result.slice(at, at + length);
    const to = pick(random, result.length + 1);
    const edit = pick(random, 3);
    if (edit === 0) result = result.slice(0, at) + fragment + result.slice(at);
    else if (edit === 1) result = result.slice(0, at) + result.slice(at + length);
    else result = result.slice(0, to) + copied + result.slice(to);
  }
  return result;
}

function isInside(span: Span, text: string): boolean {
  if (span._tag !== 'TextSpan') return true;
  const lines = text.split('\n');
  const reaches = (line: number, column: number): boolean =>
    line >= 1 &&
    line <= lines.length &&
    column >= 1 &&
    column <= (lines[line - 1] ?? '').length + 1;
  return reaches(span.line, span.column) && reaches(span.endLine, span.endColumn);
}
