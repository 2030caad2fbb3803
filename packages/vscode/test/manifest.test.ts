import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lex, relayWords } from '@baton/text';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { type IGrammar, parseRawGrammar, Registry, type StateStack } from 'vscode-textmate';
import { builtExtension } from './extension.ts';

interface Manifest {
  readonly name: string;
  readonly main: string;
  readonly publisher: string;
  readonly files: ReadonlyArray<string>;
  readonly engines: { readonly vscode: string };
  readonly contributes: {
    readonly languages: ReadonlyArray<{ readonly configuration: string }>;
    readonly grammars: ReadonlyArray<{ readonly path: string; readonly scopeName: string }>;
  };
}

let folder: string;
let grammar: IGrammar;
const read = <A>(path: string): A => JSON.parse(readFileSync(join(folder, path), 'utf8')) as A;

beforeAll(async () => {
  folder = await builtExtension();
  grammar = await loadedGrammar();
});

it('the manifest names files that are there, and what the packer wants', () => {
  const manifest = read<Manifest>('package.json');
  expect(manifest.name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
  expect(manifest).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    publisher: expect.any(String),
    license: 'Apache-2.0',
    repository: { type: 'git' },
    engines: { vscode: expect.stringMatching(/^\^1\.\d+\.0$/) },
  });
  const { languages, grammars } = manifest.contributes;
  const named = [
    manifest.main,
    ...languages.map(({ configuration }) => configuration),
    ...grammars.map(({ path }) => path),
    ...['LICENSE', 'README.md', 'server.cjs'],
  ];
  expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  // The packer accepts README.md and package.json in any case.
  const packed = new Set(manifest.files);
  const isPacked = (path: string): boolean =>
    packed.has(path.replace(/^\.\//, '')) || (path.endsWith('.cjs') && packed.has('*.cjs'));
  expect(named.filter((path) => !isPacked(path))).toEqual(['README.md']);
});

async function loadedGrammar(): Promise<IGrammar> {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await loadWASM(readFileSync(wasm));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async () =>
      parseRawGrammar(readFileSync(join(folder, 'relay.tmLanguage.json'), 'utf8'), 'relay.json'),
  });
  return (await registry.loadGrammar('source.relay')) ?? expect.fail('no grammar');
}

interface Scoped {
  readonly text: string;
  readonly start: number;
  readonly scope: string;
}

function scoped(text: string): ReadonlyArray<Scoped> {
  const found: Scoped[] = [];
  let state: StateStack | null = null;
  let start = 0;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const scope = scopes.at(-1)?.replace(/\.relay$/, '') ?? '';
      found.push({ text: line.slice(startIndex, endIndex), start: start + startIndex, scope });
    }
    start += line.length + 1;
  }
  return found;
}

/** The scope of each piece of a text that has one. */
const scopesOf = (text: string): ReadonlyArray<readonly [string, string]> =>
  scoped(text)
    .filter((piece) => piece.scope !== 'source' && piece.text !== '')
    .map((piece) => [piece.text, piece.scope]);

/** The scope of each character of a text. */
function scopesByOffset(text: string): ReadonlyArray<string | undefined> {
  const scopes: string[] = [];
  for (const piece of scoped(text)) {
    for (let i = 0; i < piece.text.length; i++) scopes[piece.start + i] = piece.scope;
  }
  return scopes;
}

describe('the TextMate grammar', () => {
  it('colours a definition', () => {
    expect(scopesOf('def @main[n: ShapeVar](%x: Tensor[(2, n), float32x4]) -> T {')).toEqual([
      ['def', 'storage.type'],
      ['@main', 'entity.name.function'],
      ['ShapeVar', 'support.type'],
      ['%x', 'variable.other'],
      ['Tensor', 'support.type'],
      ['2', 'constant.numeric'],
      ['float32x4', 'support.type'],
      ['->', 'keyword.operator'],
      ['T', 'entity.name.type'],
    ]);
  });

  it('colours a statement', () => {
    expect(scopesOf('let %y = nn.conv2d(%x, %0, strides=[1, 2]) * -2.5e-3f; // c')).toEqual([
      ['let', 'storage.type'],
      ['%y', 'variable.other.definition'],
      ['=', 'keyword.operator'],
      ['nn.conv2d', 'support.function'],
      ['%x', 'variable.other'],
      ['%0', 'variable.other.graph'],
      ['strides', 'entity.other.attribute-name'],
      ['=', 'keyword.operator.assignment'],
      ['1', 'constant.numeric'],
      ['2', 'constant.numeric'],
      ['*', 'keyword.operator'],
      ['-', 'keyword.operator'],
      ['2.5e-3f', 'constant.numeric'],
      ['// c', 'comment.line.double-slash'],
    ]);
  });

  it('colours branches, clauses and texts', () => {
    expect(scopesOf('match? (%l) { Cons(_, %t) => f("a\\" /*", x=None), Nil => True }')).toEqual([
      ['match?', 'keyword.control'],
      ['%l', 'variable.other'],
      ['Cons', 'entity.name.type'],
      ['%t', 'variable.other'],
      ['=>', 'keyword.operator'],
      ['f', 'support.function'],
      ['"', 'string.quoted.double'],
      ['a', 'string.quoted.double'],
      ['\\"', 'constant.character.escape'],
      [' /*', 'string.quoted.double'],
      ['"', 'string.quoted.double'],
      ['x', 'entity.other.attribute-name'],
      ['=', 'keyword.operator.assignment'],
      ['None', 'constant.language'],
      ['Nil', 'entity.name.type'],
      ['=>', 'keyword.operator'],
      ['True', 'constant.language'],
    ]);
  });

  it('knows the version, nested comments, and the metadata to the end', () => {
    const scopes = new Set(
      scopesOf('#[version = "0.0.5"]\n/* a /* b\n*/ def */\n#[metadata]\n{"a": 1}\n}').map(
        ([text, scope]) => `${text.slice(0, 4)} ${scope}`,
      ),
    );
    expect([...scopes]).toEqual([
      '#[ve keyword.control.directive',
      '/* comment.block',
      ' a  comment.block',
      ' b comment.block',
      '*/ comment.block',
      ' def comment.block',
      '#[me meta.embedded.metadata',
      '{"a" meta.embedded.metadata',
      '} meta.embedded.metadata',
    ]);
  });

  it('has the tokens of the lexer in a program', () => {
    const text = `def @f(%x: Tensor[(2), int8]) -> T where Broadcast {
  let %a/b = nn.relu(%x, keep=True, other="let"); // let
  %0 = where(%x, -1, 2f16);
  if (%x < %a/b) { ref_read(%0) } else { match? (%0) { _ => fn (%y) { Nil } } }
}`;
    const wanted: ReadonlyArray<readonly [RegExp, RegExp]> = [
      [/^(local|graph)$/, /^variable\.other/],
      [/^global$/, /^entity\.name\.function/],
      [/^(if|else|match\?)$/, /^keyword\.control/],
      [/^(def|let|fn|ref_read)$/, /^storage\.type/],
      [/^True$/, /^constant\.language/],
      [/^(int|float)$/, /^constant\.numeric/],
      [/^string$/, /^string/],
    ];
    const { kinds, starts, ends } = lex({ name: '', text }).tokens;
    const scopes = scopesByOffset(text);
    for (const [i, kind] of kinds.entries()) {
      const scope = wanted.find(([kinds]) => kinds.test(kind))?.[1];
      const piece = text.slice(starts[i], ends[i]);
      const last = (ends[i] as number) - 1;
      if (scope !== undefined) expect(scopes[last] ?? '', `${kind} ${piece}`).toMatch(scope);
    }
  });

  it('knows every word of the language', () => {
    const words = [...relayWords.keywords, ...relayWords.values, ...relayWords.dtypes];
    for (const word of words) {
      expect(scopesOf(` ${word} `).map(([text]) => text)).toEqual([word]);
      expect(scopesOf(`%${word} `)).toEqual([[`%${word}`, 'variable.other']]);
    }
  });
});
