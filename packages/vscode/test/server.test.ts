import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtExtension, Client } from './extension.ts';

const HEADER = '#[version = "0.0.5"]\n';
const TEXT = `${HEADER}def @main(%x: Tensor[(2, 3), float32]) {
  let %y = nn.softmax(%x, axis=1);
  nn.relu(%y)
}
`;

interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: ReadonlyArray<{
    readonly code: string;
    readonly message: string;
    readonly range: { readonly start: object; readonly end: object };
  }>;
}

let client: Client;

beforeAll(async () => {
  client = new Client(join(await builtExtension(), 'server.cjs'));
});

const position = (line: number, character: number) => ({ line, character });
const at = (uri: string, line: number, character: number) => ({
  textDocument: { uri },
  position: position(line, character),
});
const open = (uri: string, text: string) =>
  client.tell('textDocument/didOpen', {
    textDocument: { uri, languageId: 'relay', version: 1, text },
  });
const mistakes = (uri: string, version = 1): Promise<Published> =>
  client.told<Published>(
    'textDocument/publishDiagnostics',
    (params) => params.uri === uri && params.version === version,
  );

describe('the language server', () => {
  const uri = 'file:///a.relay';

  it('states its abilities', async () => {
    const found = await client.ask('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    client.tell('initialized', {});
    expect(found).toMatchObject({
      serverInfo: { name: 'baton' },
      capabilities: {
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        documentFormattingProvider: true,
        completionProvider: { triggerCharacters: ['%', '@', '.', '=', '"'] },
      },
    });
  });

  it('tells the mistakes of a text, and of its changes', async () => {
    open(uri, TEXT);
    expect((await mistakes(uri)).diagnostics).toEqual([]);
    client.tell('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: position(3, 10), end: position(3, 12) }, text: '%yy' }],
    });
    const [mistake, ...others] = (await mistakes(uri, 2)).diagnostics;
    expect(others).toEqual([]);
    expect(mistake).toMatchObject({
      code: 'NAME_LOCAL',
      severity: 1,
      source: 'baton',
      range: { start: position(3, 10), end: position(3, 13) },
      message: expect.stringContaining('hint: did you mean'),
    });
    client.tell('textDocument/didChange', {
      textDocument: { uri, version: 3 },
      contentChanges: [{ text: TEXT }],
    });
    expect((await mistakes(uri, 3)).diagnostics).toEqual([]);
  });

  it('tells the places of related notes', async () => {
    open('file:///twice.relay', `${HEADER}def @f() { 1 }\ndef @f() { 2 }`);
    const { diagnostics } = await mistakes('file:///twice.relay');
    expect(diagnostics).toMatchObject([
      { relatedInformation: [{ location: { range: { start: position(1, 4) } } }] },
    ]);
  });

  it('answers over a name, and over nothing', async () => {
    expect(await client.ask('textDocument/hover', at(uri, 3, 10))).toMatchObject({
      contents: { kind: 'markdown', value: expect.stringContaining('%y: Tensor[(2, 3), float32]') },
      range: { start: position(3, 10), end: position(3, 12) },
    });
    expect(await client.ask('textDocument/hover', at(uri, 0, 0))).toBeNull();
  });

  it('completes', async () => {
    const items = await client.ask('textDocument/completion', at(uri, 3, 9));
    expect(items).toContainEqual(
      expect.objectContaining({
        label: 'nn.relu',
        kind: 3,
        detail: 'nn.relu(x)',
        textEdit: { newText: 'nn.relu', range: { start: position(3, 2), end: position(3, 9) } },
      }),
    );
  });

  it('finds definitions and references', async () => {
    const name = { start: position(2, 6), end: position(2, 8) };
    expect(await client.ask('textDocument/definition', at(uri, 3, 11))).toEqual({
      uri,
      range: name,
    });
    const use = { start: position(3, 10), end: position(3, 12) };
    const asked = { ...at(uri, 3, 11), context: { includeDeclaration: true } };
    expect(await client.ask('textDocument/references', asked)).toEqual([
      { uri, range: name },
      { uri, range: use },
    ]);
    expect(await client.ask('textDocument/documentHighlight', at(uri, 3, 11))).toEqual([
      { range: name },
      { range: use },
    ]);
  });

  it('lists symbols', async () => {
    expect(
      await client.ask('textDocument/documentSymbol', { textDocument: { uri } }),
    ).toMatchObject([{ name: '@main', kind: 12, children: [{ name: '%y', kind: 13 }] }]);
  });

  it('lays a text out, unless it has mistakes', async () => {
    const options = { tabSize: 2, insertSpaces: true };
    const format = (of: string) =>
      client.ask('textDocument/formatting', { textDocument: { uri: of }, options });
    expect(await format(uri)).toEqual([]);
    open('file:///b.relay', `${HEADER}def @f(%x:int32){%x+1}`);
    expect(await format('file:///b.relay')).toEqual([
      {
        range: { start: position(0, 0), end: position(1, 22) },
        newText: `${HEADER}def @f(%x: int32) {\n  %x + 1\n}\n`,
      },
    ]);
    open('file:///c.relay', `${HEADER}def @f( {`);
    expect(await format('file:///c.relay')).toEqual([]);
  });

  it.each([
    ['without form', '%@#`"\0\u{1F600}{[(</*'],
    ['of open brackets', '('.repeat(200_000)],
    ['of a megabyte in one word', 'a'.repeat(1_000_000)],
    ['of functions in functions', 'let %f = fn (%x) { '.repeat(5_000)],
    ['of a megabyte of definitions', `${HEADER}${'def @f(%x) { %x }\n'.repeat(55_000)}`],
  ])('lives on after a text %s', async (name, text) => {
    const hostile = `file:///${encodeURIComponent(name)}.relay`;
    open(hostile, text);
    expect((await mistakes(hostile)).diagnostics.length).toBeGreaterThan(0);
    const end = at(hostile, text.split('\n').length - 1, 0);
    for (const question of ['hover', 'completion', 'definition', 'documentHighlight']) {
      await client.ask(`textDocument/${question}`, end);
    }
    await client.ask('textDocument/documentSymbol', { textDocument: { uri: hostile } });
    client.tell('textDocument/didClose', { textDocument: { uri: hostile } });
    expect(await client.ask('textDocument/hover', at(uri, 3, 10))).not.toBeNull();
  });

  it('lives on after questions about nothing', async () => {
    expect(await client.ask('textDocument/hover', at('file:///none.relay', 1, 1))).toBeNull();
    expect(await client.ask('textDocument/completion', at(uri, 1_000, 1_000))).toBeInstanceOf(
      Array,
    );
    expect(await client.ask('textDocument/hover', at(uri, 1_000, 1_000))).toBeNull();
    await expect(client.ask('textDocument/nothing', {})).rejects.toThrow();
  });

  it('says that a text is too long for answers, and lives on', async () => {
    const long = 'file:///long.relay';
    open(long, ' '.repeat(8_000_001));
    expect(await client.ask('textDocument/hover', at(long, 0, 0))).toBeNull();
    expect((await mistakes(long)).diagnostics).toMatchObject([{ severity: 2 }]);
  });

  it('ends when it is told to', async () => {
    expect(await client.ask('shutdown', undefined)).toBeNull();
    client.tell('exit', undefined);
    expect(await client.exited).toBe(0);
  });
});
