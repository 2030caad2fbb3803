/** Mutated and random texts through the parser: 20,000 of them; `pnpm fuzz --texts` has more. */
import { mulberry32 } from '@baton/base';
import { parseExpr, parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { amount } from '../../../test/tier.ts';
import { ops } from './text-ops.ts';
import { textSpanOf } from './text-support.ts';

const SEEDS = [
  '#[version = "0.0.5"]\ndef @main(%x: Tensor[(1, n), float32], Primitive=1) -> (int8, bool) {\n' +
    '  %0 = nn.conv2d(%x, meta[relay.Constant][0], strides=[1, 2]);\n  let %y: ref(int32) = ref(1);\n' +
    '  if (%0.1 < 3f) { [1, 2] } else { match? (%y) { Cons(%a, _) => %a, } }\n}\n' +
    'type List[A] { Cons(A, List[A]), Nil }\n#[metadata]\n{"relay.Constant":[{"dtype":"int8","shape":[],"data":[1]}]}',
  'v0.0.4\nattributes f { inline: true }\ndef f<s: Shape>(%x: Tensor<f32, s>, y: Tuple<Float, Nat>) {\n  %1 = mul(x, y)\n' +
    '  let g = fun (n) { if (n < 1) { ret n; } else { g(n - 1) } }\n  %r = Cast(%1 : Real, f16) ;; match (x) { case Z() { r } }\n}\n' +
    'data Nat { Z : () -> Nat # zero\n S: (Nat) -> Nat }\nMETADATA: {}',
  'let %f = fn [A, s: Shape](%a: fn (A) -> A where Identity, %b: Tensor[s, _]) { %f[int8]("x\\n") }; ' +
    'free_var %z: (int8, ()); Constant(1.5, (2, 3), float16); { 1; -2i8 } /* c /* d */ */ // e',
];

const PIECES = [
  ...'(){}[]<>,;:.=+-*/!?@%#"\\&|_ \n\r\t',
  ...'let fn def if else type match match? extern free_var ref ref_read ref_write where'.split(' '),
  ...'fun data case ret attributes x Cast( Reverse( v0.0.4 METADATA: ;;'.split(' '),
  ...['%x', '%0', '@f', '1', '-1', '1.5f', '9i8', 'inff', 'True', 'meta', 'Tensor', 'int8', '=>'],
  ...[
    '->',
    '/*',
    '*/',
    '//',
    '#[version = "0.0.5"]',
    '#[metadata]',
    '"s"',
    'add',
    'é',
    '\u{1f600}',
  ],
];

const RUNS = amount(20_000, { quick: 4_000 });

describe('any text', () => {
  it('gives an expression or diagnostics inside it', () => {
    const random = mulberry32(4711);
    const below = (n: number) => Math.floor(random() * n);
    for (let run = 0; run < RUNS; run++) {
      let text = SEEDS[run % SEEDS.length] ?? '';
      for (let edits = below(6); edits >= 0; edits--) {
        const at = below(text.length + 1);
        const piece = PIECES[below(PIECES.length)] ?? '';
        text = text.slice(0, at) + piece + text.slice(at + below(below(4) === 0 ? 40 : 4));
      }
      if (run % 5 === 0) {
        text = Array.from({ length: below(60) }, () => PIECES[below(PIECES.length)]).join(' ');
      }
      const parse = run % 2 === 0 ? parseModule : parseExpr;
      const dialect = run % 4 < 2 ? 'relay' : 'legacy';
      const result = parse(text, { ops, dialect });
      if (result._tag === 'Right') continue;
      const lines = text.split('\n');
      for (const d of result.left) {
        const span = textSpanOf(d);
        const isInside =
          span.line >= 1 &&
          span.endLine <= lines.length &&
          span.column <= (lines[span.line - 1]?.length ?? 0) + 1 &&
          span.endColumn <= (lines[span.endLine - 1]?.length ?? 0) + 1 &&
          (span.line < span.endLine || span.column <= span.endColumn);
        expect(isInside, `${JSON.stringify(text)} ${d.code} ${JSON.stringify(span)}`).toBe(true);
      }
    }
  });
});
