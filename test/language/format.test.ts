/** The layout of Relay text, which keeps every token and every comment. */
import { readdirSync, readFileSync } from 'node:fs';
import { isLeft, isRight, orThrow } from '@baton/base';
import { standardOps } from '@baton/ops';
import { formatText, parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const HEADER = '#[version = "0.0.5"]\n';
const formatted = (text: string): string => orThrow(formatText(text));

/** Sources, and their layouts. */
const CASES: ReadonlyArray<readonly [string, string, string]> = [
  [
    'statements and operators',
    'def @main( %x :float32 )->float32{let %y=%x*-1f+2f ;%y-%x}',
    'def @main(%x: float32) -> float32 {\n  let %y = %x * -1f + 2f;\n  %y - %x\n}\n',
  ],
  [
    'attributes, and bindings in brackets',
    'def @main(%x: T){ ( let %y :int32=f(%x,axis = 1,k=[1,2]); %0=g(%y); %0.0 ) }',
    'def @main(%x: T) {\n  (let %y: int32 = f(%x, axis=1, k=[1, 2]);\n    %0 = g(%y);\n    %0.0)\n}\n',
  ],
  [
    'branches, clauses and constructors',
    'type L[A]{Nil,Cons(A,L[A]),}extern type E\ndef @f(%l: L[int32]){if(True){match?(%l){Nil=>{1},Cons(%h,_)=>%h}}else{fn[A](%a: A){%a}(2)}}',
    'type L[A] {\n  Nil,\n  Cons(A, L[A]),\n}\n\nextern type E\n\ndef @f(%l: L[int32]) {\n  if (True) {\n    match? (%l) {\n      Nil => {\n        1\n      },\n      Cons(%h, _) => %h\n    }\n  } else {\n    fn [A](%a: A) {\n      %a\n    }(2)\n  }\n}\n',
  ],
  [
    'comments in all places',
    '// head\n\n\n// of main\ndef @main(/* the input */ %x: T) { // body\n  // first\n\n  let %y = %x; // trailing\n  /* a /* nested */ one */ f(%y, // why\n  %x)\n  // last\n}\n// end',
    '// head\n\n// of main\ndef @main(/* the input */ %x: T) { // body\n  // first\n\n  let %y = %x; // trailing\n  /* a /* nested */ one */ f(%y, // why\n    %x)\n  // last\n}\n// end\n',
  ],
  [
    'line breaks in brackets and after operators stay, others go',
    'def @main(\n%x: T,\n%y: T\n) {\n f(%x\n  )\n  +\n  %y\n}',
    'def @main(\n  %x: T,\n  %y: T\n) {\n  f(%x\n  )\n  +\n  %y\n}\n',
  ],
  [
    'empty lines: at most one between statements, one between definitions',
    'def @a() {\n\n let %x = 1;\n\n\n\n let %y = 2; %y }\ndef @b() { 1 }\n\n\n\n',
    'def @a() {\n  let %x = 1;\n\n  let %y = 2;\n  %y\n}\n\ndef @b() {\n  1\n}\n',
  ],
  [
    'the section of metadata',
    `${HEADER}def @main() { meta[relay.Constant][0] }\n#[metadata]\n{"a": [ 1,\n2]}\n\n`,
    `${HEADER}def @main() {\n  meta[relay.Constant][0]\n}\n\n#[metadata]\n{"a": [ 1,\n2]}\n`,
  ],
];

describe('the layout of', () => {
  test.each(CASES)('%s', (_title, text, wanted) => {
    expect(formatted(text)).toBe(wanted);
    expect(formatted(wanted)).toBe(wanted);
  });
});

test('a text that has no tokens is refused at its place', () => {
  const made = formatText('def @main() { ` }', 'some.relay');
  expect(isLeft(made) && made.left[0]).toMatchObject({ span: { line: 1, column: 15 } });
});

const GOLDEN = new URL('../golden/', import.meta.url);
const golden = readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ir'),
);

test('of every golden program the layout is the same program, and what is printed has its layout', () => {
  let programs = 0;
  for (const path of golden) {
    for (const part of readFileSync(new URL(path, GOLDEN), 'utf8').split(/^\/\/ -----.*$/m)) {
      const text = part.includes('#[version') ? part : HEADER + part;
      const parsed = parseModule(text, { ops: standardOps });
      if (!isRight(parsed)) continue;
      programs++;
      const once = formatted(text);
      expect(formatted(once), path).toBe(once);
      const printed = printModule(parsed.right, { showTypes: false });
      expect(
        printModule(orThrow(parseModule(once, { ops: standardOps })), { showTypes: false }),
      ).toBe(printed);
      expect(formatted(printed).trimEnd(), path).toBe(printed.trimEnd());
    }
  }
  expect(programs).toBeGreaterThan(500);
});
