/** The extension: starts and stops the language server. */
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

/** The part of `ExtensionContext` that the extension uses. */
interface Context {
  readonly asAbsolutePath: (path: string) => string;
}

let client: LanguageClient | undefined;

/** Called by the editor when a Relay text is opened. */
export async function activate({ asAbsolutePath }: Context): Promise<void> {
  const module = asAbsolutePath('server.cjs');
  client = new LanguageClient(
    'relay',
    'Relay',
    { module, transport: TransportKind.stdio },
    { documentSelector: [{ language: 'relay' }] },
  );
  await client.start();
}

/** Called by the editor before it exits. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}
