/** Mutated and random texts through the parser: no throw, no hang, and diagnostics in the text. */
import { isLeft, mulberry32, type Random } from '@baton/base';
import {
  importStd,
  irModule,
  models,
  parseExpr,
  parseModule,
  printModule,
  type Span,
  standardOps,
} from 'batonjs';

/** The most processor time for a text of a few thousand characters. */
export const MAX_TEXT_MS = 50;

/** Retries of a slow text: the garbage collector may have run. */
const RETRIES = 3;

// biome-ignore format: a list to look over
const FRAGMENTS: ReadonlyArray<string> = [
  ...'(){}[]<>,;:.=+-*/!?@%#"\\&|_~ \n\r\t', '->', '=>', '==', '&&', '/*', '*/', '//', ';;', '\r\n',
  'let', 'fn', 'def', 'if', 'else', 'type', 'match', 'match?', 'extern', 'free_var', 'where', 'ref(',
  'ref_read(', 'ref_write(', 'Constant(', 'fun', 'data', 'case', 'ret', 'attributes', 'Cast(',
  'Reverse(', 'v0.0.4', 'METADATA:', '#[version = "0.0.5"]', '#[metadata]', '#[',
  'meta[relay.Constant][0]', '%0', '%1 =', '%x', '@main', '@f(', 'x', 'add', 'nn.relu(', 'nn.conv2d',
  '1', '-1', '1.5', '1e400f', '70000i16', '99999999999999999999', 'inff', 'True', 'None', '"s"',
  'Tensor[(n, 2), float32]', 'Tensor<f32, 2>', 'Tuple<', 'int32', 'List[', 'Shape', '2 * n + 1',
  'axis=1', 'é', '\u{1f600}', '\u0000', '\ufeff', '<'.repeat(40), '('.repeat(80), '{'.repeat(80),
];

const WHOLE = `#[version = "0.0.5"]
type List[A] { Cons(A, List[A]), Nil }
def @f(%x: int32) -> int32 { let %a = 1; if (%x < %a) { %x + 2 } else { @f(%x - 1) } }
def @main[s: Shape](%t: (float32, Tensor[(?, n, 2 * n), float16]), %g: (fn [B](B) -> B where Identity(B, B)),
    Inline=1, Name="a\\n") -> List[float32] where Broadcast(s, s, s) {
  %0 = (%t.0, 1f, [1, 2], Constant(1.5, (2, 3), float16)); // comment
  %1 = (%0, %0); /* a /* nested */ comment */
  let %r: ref(float32) = ref(%1.0.1);
  ref_write(%r, ref_read(%r) * 2);
  match? (%g<List[float32]>(Nil)) { Cons(%h, (%a, _)) => Cons(%h, Nil), _ => Nil }
}
`;

const LEGACY = `v0.0.4
attributes id { inline: true }
def id<s: Shape>(%x: Tensor<f32, s>, y: Float) { ret x }
data Nat { Z : () -> Nat # zero
  S : (Nat) -> Nat }
def @plus(%x, %y) {
  %1 = mul(x, %y)
  let fact = fun (n: Tensor<Float, 2, 2>) -> Tensor<Float, (2, 2)> { if (n == 0) { 0 } else { return n * fact(n - 1); } }
  %r = Cast(fact(%1) : Float, f16)
  match(%x) { case Z() { Z() } case S(%n) { n } }
}
`;

const EXPRESSION =
  'free_var %x: Tensor[(2, 2), float32]; let %f = fn [A](%a: A, %b) -> A { if (%b && 1 < 2) { %a } ' +
  'else { %f[A](%a, True) } }; (%f(nn.softmax(%x, axis=-1), False), -3i8, 2e-3, [1, 2].0)';

type Reader = 'module' | 'legacy module' | 'expression' | 'legacy expression';

export interface SeedText {
  readonly text: string;
  readonly readers: ReadonlyArray<Reader>;
}

export function seedTexts(): ReadonlyArray<SeedText> {
  const library = importStd(irModule({ ops: standardOps }), 'nat.rly');
  const modules: ReadonlyArray<Reader> = ['module', 'module', 'legacy module'];
  const ofModule = (text: string): SeedText => ({ text, readers: modules });
  const nets = [
    models.resnet18({ imageSize: 32, width: 1, classes: 3 }),
    models.mobilenetV2({ imageSize: 32, widthMultiplier: 0.1, classes: 3 }),
  ];
  return [
    ...nets.map((m) => ofModule(printModule(m, { meta: 'omit' }))),
    ...(isLeft(library) ? [] : [ofModule(printModule(library.right))]),
    ofModule(WHOLE),
    { text: LEGACY, readers: ['legacy module', 'legacy module', 'module'] },
    { text: EXPRESSION, readers: ['expression', 'expression', 'legacy expression'] },
  ];
}

const readerOf: {
  readonly [R in Reader]: (
    text: string,
  ) => ReturnType<typeof parseModule> | ReturnType<typeof parseExpr>;
} = {
  module: (text) => parseModule(text, { source: 'fuzz' }),
  'legacy module': (text) => parseModule(text, { source: 'fuzz', dialect: 'legacy' }),
  expression: (text) => parseExpr(text, { source: 'fuzz' }),
  'legacy expression': (text) => parseExpr(text, { source: 'fuzz', dialect: 'legacy' }),
};

const READERS: ReadonlyArray<Reader> = [
  'module',
  'legacy module',
  'expression',
  'legacy expression',
];

/** The fault in the parser's answer to the text of a seed, if there is one. */
export function checkMutatedText(texts: ReadonlyArray<SeedText>, seed: number): string | undefined {
  const random = mulberry32(seed);
  const isRandom = pick(random, 4) === 0;
  const chosen = texts[pick(random, texts.length)];
  const text = isRandom ? soup(random) : mutated(chosen?.text ?? '', random);
  const readers = isRandom ? READERS : (chosen?.readers ?? READERS);
  const read = readerOf[readers[pick(random, readers.length)] ?? 'module'];
  try {
    let ms = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries <= RETRIES && ms > MAX_TEXT_MS; tries++) {
      const start = process.cpuUsage();
      const parsed = read(text);
      const { user, system } = process.cpuUsage(start);
      ms = Math.min(ms, (user + system) / 1000);
      if (!isLeft(parsed)) continue;
      const outside = parsed.left.find((d) => d.span !== undefined && !isInside(d.span, text));
      if (outside !== undefined) return `${outside.code} lies outside the text`;
    }
    return ms > MAX_TEXT_MS ? `took ${ms.toFixed(0)} ms for ${text.length} characters` : undefined;
  } catch (error) {
    return `threw ${error instanceof Error ? error.message : error}`;
  }
}

const pick = (random: Random, count: number): number => Math.floor(random() * count);

/** A random sequence of fragments. */
function soup(random: Random): string {
  const separator = pick(random, 2) === 0 ? ' ' : '';
  const length = 1 + pick(random, 120);
  return Array.from({ length }, () => FRAGMENTS[pick(random, FRAGMENTS.length)]).join(separator);
}

/** The text with a few fragments inserted, cut out, or copied. */
function mutated(text: string, random: Random): string {
  const from = pick(random, 3) === 0 ? pick(random, text.length) : 0;
  let result = text.slice(from, from + 200 + pick(random, 2_000));
  for (let edits = 1 + pick(random, 4); edits > 0; edits--) {
    const at = pick(random, result.length + 1);
    const length = pick(random, 20);
    const fragment = FRAGMENTS[pick(random, FRAGMENTS.length)] ?? '';
    const copied = result.slice(at, at + length * (pick(random, 8) === 0 ? 20 : 1));
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
