import { readFileSync } from 'node:fs';
import { relayWords } from '@baton/text';
import { ensureSyntaxTree, foldable, getIndentation } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { describe, expect, it } from 'vitest';
import { relay, relayLanguage } from '../src/codemirror.ts';
import { MAX_DEPTH } from '../src/guard.ts';
import { parser } from '../src/index.ts';
import { errorIn, leavesOf, tokensOf } from './trees.ts';

describe('words', () => {
  const grammar = readFileSync(new URL('../src/relay.grammar', import.meta.url), 'utf8');

  it('of the lexer are those of the grammar', () => {
    const words = new Set([...grammar.matchAll(/kw<"(\w+)">/g)].map(([, word]) => word));
    expect([...words].sort()).toEqual([...relayWords.keywords].sort());
    for (const word of [...relayWords.values, 'where', 'meta']) {
      expect(grammar).toContain(`<Name, "${word}">`);
    }
  });

  it.each(relayWords.keywords.map((word) => [word]))('%s is the name of an attribute', (word) => {
    expect(errorIn(`f(%x, ${word}=1)`)).toBeUndefined();
  });

  it.each(relayWords.signs.filter((sign) => sign !== '!').map((sign) => [sign]))(
    '%s is a token of the grammar',
    (sign) => {
      expect(grammar).toContain(`"${sign}"`);
    },
  );

  it.each([
    '1',
    '-1',
    '--1',
    '1.5',
    '1e5',
    '1.5e-3f',
    '2f16',
    '3i64',
    'inff',
    '-inff',
    'nanf',
    'inff16',
    'a.b.c',
    'a/b',
    '%x/y',
    '%_',
    '%0',
    '@f.g',
    'lets',
    'matched',
    '_',
    '_x',
    'matchx',
    'inffx',
    'True',
  ])('%s is one token in both', (text) => {
    const call = `f(%a, ${text})`;
    expect(leavesOf(parser.parse(call))).toEqual(tokensOf(call));
  });

  it.each([
    '%x/%y',
    '%x -1',
    '%x - -1',
    '(%x)-1',
    '%t.0.1',
    '%t.0 .1',
    '1-1',
    'f(%x)<1',
    'f<int32>(%x)',
    '%x<%y',
    '%x < 2 > (1)',
  ])('%s has the same tokens in both', (text) => {
    const tree = parser.parse(text);
    expect(leavesOf(tree)).toEqual(tokensOf(text));
    expect(errorIn(text, tree) === undefined).toBe(true);
  });
});

it.each([
  ['operands', (n: number) => `%x${' + %x * 2'.repeat(n)}`],
  ['statements', (n: number) => `${'let %x = 1; '.repeat(n)}%x`],
  ['branches', (n: number) => `${'if (True) { 1 } else '.repeat(n)}{ 2 }`],
  ['dimensions', (n: number) => `let %x: Tensor[(n${' + n'.repeat(n)}), int8] = 1; %x`],
  ['definitions', (n: number) => 'def @f() { 1 } '.repeat(n)],
] as const)('a chain of 3,000 %s has no error node', (_, text) => {
  expect(errorIn(text(3_000))).toBeUndefined();
});

describe('damaged texts', () => {
  it.each([
    ['a missing operand', 'let %x = ; %x', 'LetBinding'],
    ['a missing semicolon', 'let %x = 1 let %y = 2; %y', 'LetBinding'],
    [
      'a call that is not closed',
      '#[version = "0.0.5"]\ndef @f() { g(%x }\ndef @g() { 1 }',
      'FunctionDefinition',
    ],
    ['a stray sign', 'let %x = 1 ` + 2; %x', 'InfixExpression'],
    ['a string without an end', 'f(%x, a="b)', 'Call'],
  ])('%s has an error node, and the rest is read', (_, text, node) => {
    const tree = parser.parse(text);
    expect(errorIn(text, tree)).toBeDefined();
    expect(tree.toString()).toContain(node);
    expect(tree.length).toBe(text.length);
  });

  it.each([
    '(',
    '{',
    '[',
    '"',
    '/*',
    '-',
    'a<',
    'let %x = ',
    'f(',
    'fn (%x) { ',
    'def @f() { ',
    '\u{1F600}',
    'if (',
    'match ',
  ])('of many %s are read to the end', (piece) => {
    const text = piece.repeat(5_000);
    expect(parser.parse(text).length).toBe(text.length);
  });
});

function depthOf(tree: Tree): number {
  let [depth, deepest] = [0, 0];
  tree.iterate({
    enter: () => {
      deepest = Math.max(deepest, ++depth);
    },
    leave: () => {
      depth--;
    },
  });
  return deepest;
}

it.each([100, 300, 600, 900, 1_000, 5_000])('%i brackets or operands are highlighted', (count) => {
  const style = tagHighlighter([{ tag: tags.number, class: 'number' }]);
  for (const text of [
    `${'('.repeat(count)}1${')'.repeat(count)}`,
    `${'f(1, '.repeat(count)}`,
    `1${' + 1'.repeat(count)}`,
    `%f${'(1)'.repeat(count)}`,
    `${'if (1) { '.repeat(count)}`,
  ]) {
    let highlighted = 0;
    const tree = parser.parse(text);
    highlightTree(tree, style, () => highlighted++);
    expect(depthOf(tree), text.slice(0, 20)).toBeLessThanOrEqual(MAX_DEPTH);
    if (count <= 100) expect(highlighted, text).toBeGreaterThan(0);
  }
});

describe('in CodeMirror', () => {
  /** A state whose text is parsed to the end, however long that takes. */
  function state(doc: string): EditorState {
    const made = EditorState.create({ doc, extensions: relay() });
    ensureSyntaxTree(made, doc.length, 60_000);
    return made;
  }

  it('lines in brackets are indented', () => {
    const text = 'def @f(%x: int32) {\nlet %y = (\n1,\n2\n);\n%y\n}';
    const made = state(text);
    const starts = text
      .split('\n')
      .map((_, i, all) => all.slice(0, i).join('\n').length + (i && 1));
    expect(starts.map((at) => getIndentation(made, at))).toEqual([0, 2, 2, 2, 0, 2, 0]);
  });

  it('blocks and comments can be folded', () => {
    const text = 'def @f() {\n  1\n}\n';
    expect(foldable(state(text), 0, 10)).toEqual({ from: 10, to: 15 });
  });

  it('comments and brackets are known', () => {
    const [data] = state('1').languageDataAt<{ line: string }>('commentTokens', 0);
    expect(data?.line).toBe('//');
    expect(relayLanguage.name).toBe('relay');
  });

  it('names are highlighted by their place', () => {
    const text = 'let %x: Tensor[(2), T] = nn.relu(%y, axis=1f); // c';
    const found: string[] = [];
    const style = tagHighlighter([
      { tag: tags.definition(tags.variableName), class: 'binder' },
      { tag: tags.variableName, class: 'variable' },
      { tag: tags.standard(tags.function(tags.variableName)), class: 'operator' },
      { tag: tags.typeName, class: 'type' },
      { tag: tags.attributeName, class: 'attribute' },
      { tag: tags.number, class: 'number' },
      { tag: tags.definitionKeyword, class: 'keyword' },
      { tag: tags.lineComment, class: 'comment' },
    ]);
    highlightTree(parser.parse(text), style, (from, to, name) => {
      found.push(`${name} ${text.slice(from, to)}`);
    });
    expect(found).toEqual([
      'keyword let',
      'binder %x',
      'type Tensor',
      'number 2',
      'type T',
      'operator nn.relu',
      'variable %y',
      'attribute axis',
      'number 1f',
      'comment // c',
    ]);
  });
});
