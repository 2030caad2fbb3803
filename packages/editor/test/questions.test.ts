import { describe, expect, it } from 'vitest';
import {
  type CompletionKind,
  completeAt,
  definitionAt,
  hoverAt,
  hoverMarkdown,
  referencesAt,
  symbolsOf,
  type TextSymbol,
} from '../src/index.ts';
import { HEADER, marked } from './marked.ts';

const MODULE = `type List[A] { Cons(A, List[A]), Nil }
def @scaled[n: ShapeVar](%v: Tensor[(n, 3), float32]) { %v * 2f }
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {
  let %y = nn.dense(%x, %w, units=4);
  %0 = sigmoid(%y);
  let %z = @scaled(%x);
  let %l = Cons(%0, Nil);
  match (%l) { Cons(%head, _) => (%head, %z), Nil => (%y, %z) }
}`;

/** The module with a mark before the n-th occurrence of a text. */
function at(word: string, nth = 0): ReturnType<typeof marked> {
  let offset = -1;
  for (let i = 0; i <= nth; i++) offset = MODULE.indexOf(word, offset + 1);
  return marked(`${HEADER}${MODULE.slice(0, offset)}|${MODULE.slice(offset)}`);
}

describe('hover', () => {
  it.each([
    ['%x', 0, 'variable', '%x: Tensor[(2, 3), float32]'],
    ['%y', 0, 'variable', '%y: Tensor[(2, 4), float32]'],
    ['%y', 2, 'variable', '%y: Tensor[(2, 4), float32]'],
    ['%0', 1, 'variable', '%0: Tensor[(2, 4), float32]'],
    ['%head', 1, 'variable', '%head: Tensor[(2, 4), float32]'],
    [
      '@scaled(%x',
      0,
      'function',
      '@scaled: fn [n: ShapeVar](Tensor[(n, 3), float32]) -> Tensor[(n, 3), float32]',
    ],
    ['nn.dense', 0, 'operator', 'nn.dense(data, weight, units=None, out_dtype="")'],
    ['* 2f', 0, 'operator', 'multiply(lhs, rhs)'],
    ['units', 0, 'attribute', 'nn.dense(.., units=None)'],
    ['Cons(%0', 0, 'constructor', 'Cons(A, List[A])'],
    ['Cons(%head', 0, 'constructor', 'Cons(A, List[A])'],
    ['2f', 0, 'literal', '2f: float32'],
    ['A, List', 0, 'type', 'A: Type'],
    ['n, 3', 0, 'type', 'n: ShapeVar'],
    ['List[A]', 1, 'type', 'type List[A]'],
    ['float32', 0, 'dtype', 'float32'],
  ])('over %s, occurrence %i', (word, nth, kind, title) => {
    const { document, at: offset } = at(word, nth);
    expect(hoverAt(document, offset)).toMatchObject({ kind, title });
  });

  it('over an operator tells its documentation, attributes, cost and range', () => {
    const { document, at: offset } = at('sigmoid');
    const found = hoverAt(document, offset);
    expect(found?.type).toBe('Tensor[(2, 4), float32]');
    const facts = Object.fromEntries(found?.facts.map((f) => [f.label, f.value]) ?? []);
    expect(facts).toMatchObject({
      shape: '(2, 4)',
      dtype: 'float32',
      kind: 'elementwise',
      'fusion pattern': 'elemwise',
      memory: '32 B read, 32 B written',
    });
    const relu = marked('nn.re|lu(1f)');
    expect(hoverAt(relu.document, relu.at)?.facts).toContainEqual({
      label: 'values',
      value: '0 to Infinity',
    });
    const dense = at('nn.dense');
    const page = hoverMarkdown(hoverAt(dense.document, dense.at) ?? expect.fail('nothing'));
    expect(page).toContain(
      '- `units`: an int above 0 or None, default `None`. The number of features of the result;',
    );
    expect(page).toContain('The data (..., K) times the transpose of a weight (units, K).');
  });

  it('knows types before a mistake, and of what does not depend on it', () => {
    const { document, all } = marked(`${HEADER}def @main(%x: Tensor[(2), float32]) {
  let %|a = exp(%x);
  let %b = add(%a, );
  let %c = %|a %b;
  let %|d = log(%a);
  add(%|d, `);
    const titles = all.map((offset) => hoverAt(document, offset)?.title);
    const type = 'Tensor[(2), float32]';
    expect(titles).toEqual([`%a: ${type}`, `%a: ${type}`, `%d: ${type}`, `%d: ${type}`]);
  });

  it.each(['|// %x', '/* |%x */ 1', 'nn.relu|  (1f)', '1 |', '"|', '|'])(
    'over %j is nothing',
    (text) => {
      const { document, at: offset } = marked(text);
      const found = hoverAt(document, offset);
      expect(found === undefined || found.kind === 'operator').toBe(true);
      if (!text.includes('relu')) expect(found).toBeUndefined();
    },
  );
});

describe('definitions and references', () => {
  it.each([
    ['%x, %w, u', '%x: Tensor[(2'],
    ['%0, Nil', '%0 ='],
    ['%head, %z', '%head, _'],
    ['@scaled(%x', '@scaled['],
    ['Cons(%0', 'Cons(A'],
    ['Nil =>', 'Nil }'],
    ['n, 3', 'n: ShapeVar'],
    ['List[A])', 'List[A] {'],
    ['A, List', 'A] {'],
  ])('%s is defined at %s', (use, definition) => {
    const { document, at: offset } = at(use);
    expect(definitionAt(document, offset)?.from).toBe(document.text.indexOf(definition));
  });

  it.each(['sigmoid', '4);', 'let', 'units'])('%s is defined nowhere', (word) => {
    const { document, at: offset } = at(word);
    expect(definitionAt(document, offset)).toBeUndefined();
  });

  it.each([
    ['%y', 3],
    ['%z', 3],
    ['@scaled', 2],
    ['Nil', 3],
    ['List', 2],
  ])('%s is named %i times', (word, count) => {
    const { document, at: offset } = at(word);
    const found = referencesAt(document, offset);
    expect(found).toHaveLength(count);
    for (const { from, to } of found) expect(document.text.slice(from, to)).toBe(word);
  });

  it('a variable that hides another has uses of its own', () => {
    const { document, all } = marked('let %|a = 1; let %b = %|a; let %|a = %|a; (%|a, %b)');
    const starts = all.map((offset) => (definitionAt(document, offset)?.from ?? 0) + 1);
    expect(starts).toEqual([all[0], all[0], all[2], all[0], all[2]]);
  });
});

describe('symbols', () => {
  const shown = ({ name, kind, children }: TextSymbol): unknown =>
    children.length === 0 ? `${kind} ${name}` : [`${kind} ${name}`, children.map(shown)];

  it('are the definitions and their bindings', () => {
    expect(symbolsOf(`${HEADER}${MODULE}`).map(shown)).toEqual([
      ['type List', ['constructor Cons', 'constructor Nil']],
      'function @scaled',
      ['function @main', ['binding %y', 'binding %0', 'binding %z', 'binding %l']],
    ]);
  });

  it('have the ranges of their statements, nested ones inside', () => {
    const text = 'let %a = { let %b = 1; %b }; let %c = (%0 = 2; %0); %a';
    expect(symbolsOf(text).map(({ from, to }) => text.slice(from, to))).toEqual([
      'let %a = { let %b = 1; %b };',
      'let %b = 1;',
      'let %c = (%0 = 2; %0);',
      '%0 = 2;',
    ]);
  });

  it('are found in broken texts', () => {
    const text = `${HEADER}def @f( { let %x = \ndef @g() { 1 }`;
    expect(symbolsOf(text).map(({ name }) => name)).toEqual(['@f', '@g']);
  });
});

describe('completion', () => {
  const kinds = (text: string): ReadonlySet<CompletionKind> => {
    const { document, at: offset } = marked(text);
    return new Set(completeAt(document, offset).items.map(({ kind }) => kind));
  };
  const labels = (text: string, kind?: CompletionKind): ReadonlyArray<string> => {
    const { document, at: offset } = marked(text);
    const { items } = completeAt(document, offset);
    return items.filter((one) => kind === undefined || one.kind === kind).map((one) => one.label);
  };

  it.each([
    ['an empty module', `${HEADER}|`, ['keyword']],
    ['after a definition', `${HEADER}def @f() { 1 }\n|`, ['keyword']],
    ['the type of a parameter', `${HEADER}def @f(%x: |`, ['type', 'keyword', 'dtype']],
    ['a dtype', `${HEADER}def @f(%x: Tensor[(2), |`, ['type', 'keyword', 'dtype']],
    ['a result', `${HEADER}def @f() -> |{ 1 }`, ['type', 'keyword', 'dtype']],
    ['a field of a tuple type', `${HEADER}def @f(%x: (int32, |`, ['type', 'keyword', 'dtype']],
    ['the kind of a parameter', `${HEADER}def @f[n: |`, ['type']],
    ['a relation', `${HEADER}def @f(%x) where |`, ['type']],
    ['a relation after a type', `${HEADER}def @f(%x) -> T where |{ %x }`, ['type']],
    ['a global', `${HEADER}def @f() { @| }`, ['function']],
    ['a new name', `${HEADER}def @f() { let | }`, []],
    ['a parameter', `${HEADER}def @f(|`, []],
    ['a constructor', 'type T { |', []],
    ['a field', 'let %t = (1, 2); %t.|', []],
    ['a comment', 'let %a = 1; // |', []],
    ['a comment in a text', 'let %a = /* 1; | */ 2; %a', []],
    ['a string', 'f("|")', []],
    ['metadata', `${HEADER}def @f() { 1 }\n#[metadata]\n{"a": |}`, []],
  ])('%s', (_, text, wanted) => {
    expect([...kinds(text)].sort()).toEqual([...wanted].sort());
  });

  it('offers the variables in scope, the innermost first, and no others', () => {
    const text = `${HEADER}def @f(%p: int32) {
  let %a = { let %inner = 1; %inner };
  %0 = %a;
  let %f = fn (%q: int32) { let %r = |; %r };
  let %late = 1;
  %late
}
def @g(%other: int32) { %other }`;
    expect(labels(text, 'variable')).toEqual(['%q', '%f', '%0', '%a', '%p']);
  });

  it('offers nothing of another definition', () => {
    const text = `${HEADER}def @f(%p: int32) { let %a = %p; %0 = %a; %0 }\ndef @g(%q: int32) { | }`;
    expect(labels(text, 'variable')).toEqual(['%q']);
  });

  it('offers a function its own name, and no other binding', () => {
    expect(labels('let %f = fn (%x) { %| }; %f', 'variable')).toEqual(['%x', '%f']);
    expect(labels('let %a = 1; let %b = %|', 'variable')).toEqual(['%a']);
    expect(labels('%0 = 1; %1 = %|', 'variable')).toEqual(['%0']);
  });

  it('replaces the word around the cursor', () => {
    const { document, at: offset } = marked('nn.re|lu(1f)');
    const { from, to, items } = completeAt(document, offset);
    expect([from, to]).toEqual([0, 7]);
    expect(items.some(({ label }) => label === 'nn.relu')).toBe(true);
  });

  it('offers the attributes that are not written yet, with their defaults', () => {
    const text = 'nn.dense(1f, 2f, units=4, |)';
    expect(labels(text, 'attribute')).toEqual(['out_dtype=']);
    const { document, at: offset } = marked('nn.dense(1f, 2f, |');
    expect(completeAt(document, offset).items[0]).toMatchObject({
      label: 'units=',
      detail: 'an int above 0 or None, default None',
      doc: 'The number of features of the result; `None` takes it from the weight.',
    });
    expect(labels('nn.dense(1f, nn.relu(2f), |', 'attribute')).toEqual(['units=', 'out_dtype=']);
    expect(labels('nn.dense(1f, nn.relu(2f, |', 'attribute')).toEqual([]);
  });

  it('offers the attribute whose name is under the cursor, without another sign', () => {
    const { document, at: offset } = marked('nn.dense(1f, 2f, un|its=4)');
    const { from, to, items } = completeAt(document, offset);
    expect([from, to]).toEqual([17, 22]);
    expect(items[0]).toMatchObject({ label: 'units=', insert: 'units' });
  });

  it('offers the values of an attribute', () => {
    expect(labels('cast(1f, dtype=|)')).toContain('"int8"');
    expect(labels('cast(1f, dtype="in|")')).toContain('"int8"');
    expect(labels('sum(1f, keepdims=|)')).toEqual(['False', 'True']);
    expect(labels('nn.dense(1f, 2f, units=|)')).toEqual(['None']);
  });
});
