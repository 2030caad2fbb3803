/** The language server: keeps the open texts, and answers requests about them. */
import { isLeft } from '@baton/base';
import {
  completeAt,
  definitionAt,
  diagnose,
  format,
  hoverAt,
  openDocument,
  type RelayDocument,
  referencesAt,
  symbolsOf,
} from '@baton/editor';
import {
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  type InitializeResult,
  type Position,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { answered } from './guard.ts';
import { completionIn, diagnosticIn, hoverIn, rangeIn, SOURCE, symbolIn } from './protocol.ts';

/** Longer texts get no answers: each change would take many seconds. */
export const MAX_CHARACTERS = 8_000_000;

/** The delay after a change before errors are searched for. **Units** milliseconds. */
const REST = 150;

const CAPABILITIES: InitializeResult = {
  serverInfo: { name: SOURCE },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    hoverProvider: true,
    completionProvider: { triggerCharacters: ['%', '@', '.', '=', '"'] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    documentFormattingProvider: true,
  },
};

/** The only diagnostic of a text that is too long. */
const TOO_LONG: Diagnostic = {
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  severity: DiagnosticSeverity.Warning,
  source: SOURCE,
  message: `this text is not read: it has more than ${MAX_CHARACTERS} characters`,
};

/** Answers about an open text; `otherwise` if it is not open, or too long. */
type About = <A>(
  what: string,
  uri: string,
  otherwise: A,
  answer: (text: TextDocument, of: RelayDocument) => A,
) => A;

/** Answers the requests of a connection, until it closes. */
export function serve(connection: Connection): void {
  const texts = new TextDocuments(TextDocument);
  const about = makeAbout(connection, texts);
  connection.onInitialize(() => CAPABILITIES);
  publishMistakes(connection, texts, (uri) =>
    (texts.get(uri)?.getText().length ?? 0) > MAX_CHARACTERS
      ? [TOO_LONG]
      : about('diagnose', uri, [], (text, of) => diagnose(of).map((d) => diagnosticIn(text, d))),
  );
  answerAtPositions(connection, about);
  connection.onDocumentSymbol(({ textDocument }) =>
    about('symbols', textDocument.uri, [], (text, of) =>
      symbolsOf(of).map((symbol) => symbolIn(text, symbol)),
    ),
  );
  connection.onDocumentFormatting(({ textDocument }) =>
    about('format', textDocument.uri, [], (text, of) => {
      const made = format(of);
      if (isLeft(made) || made.right === of.text) return [];
      return [{ range: rangeIn(text, { from: 0, to: of.text.length }), newText: made.right }];
    }),
  );
  texts.listen(connection);
  connection.listen();
}

/** Parses each version of a text once. */
function makeAbout(connection: Connection, texts: TextDocuments<TextDocument>): About {
  const log = (message: string): void => connection.console.error(message);
  const opened = new WeakMap<
    TextDocument,
    { readonly version: number; readonly of: RelayDocument }
  >();
  const readOf = (text: TextDocument): RelayDocument | undefined => {
    const known = opened.get(text);
    if (known?.version === text.version) return known.of;
    const content = text.getText();
    if (content.length > MAX_CHARACTERS) return undefined;
    const of = openDocument(content);
    opened.set(text, { version: text.version, of });
    return of;
  };
  return (what, uri, otherwise, answer) => {
    const text = texts.get(uri);
    if (text === undefined) return otherwise;
    const answerOf = (): typeof otherwise => {
      const of = readOf(text);
      return of === undefined ? otherwise : answer(text, of);
    };
    return answered(what, answerOf, otherwise, log);
  };
}

function answerAtPositions(connection: Connection, about: About): void {
  connection.onHover(({ textDocument, position }) =>
    about('hover', textDocument.uri, null, (text, of) => {
      const found = hoverAt(of, text.offsetAt(position));
      return found === undefined ? null : hoverIn(text, found);
    }),
  );
  connection.onCompletion(({ textDocument, position }) =>
    about('completion', textDocument.uri, [], (text, of) => {
      const { items, ...range } = completeAt(of, text.offsetAt(position));
      return items.map((item, i) => completionIn(item, rangeIn(text, range), i));
    }),
  );
  connection.onDefinition(({ textDocument, position }) =>
    about('definition', textDocument.uri, null, (text, of) => {
      const found = definitionAt(of, text.offsetAt(position));
      return found === undefined ? null : { uri: text.uri, range: rangeIn(text, found) };
    }),
  );
  const references = (uri: string, position: Position) =>
    about('references', uri, [], (text, of) =>
      referencesAt(of, text.offsetAt(position)).map((range) => rangeIn(text, range)),
    );
  connection.onReferences(({ textDocument: { uri }, position }) =>
    references(uri, position).map((range) => ({ uri, range })),
  );
  connection.onDocumentHighlight(({ textDocument: { uri }, position }) =>
    references(uri, position).map((range) => ({ range })),
  );
}

/** Sends the errors of a text once it has not changed for a while. */
function publishMistakes(
  connection: Connection,
  texts: TextDocuments<TextDocument>,
  mistakesIn: (uri: string) => ReadonlyArray<Diagnostic>,
): void {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  texts.onDidChangeContent(({ document: { uri, version } }) => {
    clearTimeout(waiting.get(uri));
    const send = (): void => {
      waiting.delete(uri);
      void connection.sendDiagnostics({ uri, version, diagnostics: [...mistakesIn(uri)] });
    };
    waiting.set(uri, setTimeout(send, REST));
  });
  texts.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri));
    waiting.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
}
