/** The extension, built into a separate folder, and a client of its server. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Build {
  readonly buildExtension: (folder: string) => Promise<void>;
}

export async function builtExtension(): Promise<string> {
  const script = new URL('../scripts/build.mjs', import.meta.url).href;
  const { buildExtension } = (await import(script)) as Build;
  const folder = join(mkdtempSync(join(tmpdir(), 'baton-vscode-')), 'extension');
  await buildExtension(folder);
  return folder;
}

/** A message of the protocol that arrived. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A client that speaks JSON-RPC with a server over its standard streams. */
export class Client {
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #notes: Message[] = [];
  #listeners: (() => void)[] = [];
  #buffer: Buffer = Buffer.alloc(0);
  #ids = 0;
  /** The exit code of the server. */
  readonly exited: Promise<number | null>;

  constructor(program: string) {
    this.#server = spawn(process.execPath, [program, '--stdio'], { stdio: 'pipe' });
    this.#server.stdout.on('data', (data: Buffer) => this.#take(data));
    this.exited = new Promise((resolve) => {
      this.#server.on('exit', resolve);
    });
  }

  /** Sends a request, and waits for its result. */
  async ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#ids;
    const answer = new Promise<Message>((resolve) => {
      this.#answers.set(id, resolve);
    });
    this.#send({ id, method, params });
    const { error, result } = await answer;
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  /** Sends a notification. */
  tell(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Waits for a notification of the server that fits, and returns its parameters. */
  async told<A>(method: string, fits: (params: A) => boolean): Promise<A> {
    for (;;) {
      const found = this.#notes.find((m) => m.method === method && fits(m.params as A));
      if (found !== undefined) return found.params as A;
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve);
      });
    }
  }

  /** Writes bytes as they are. */
  write(text: string): void {
    this.#server.stdin.write(text);
  }

  #send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.#server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#server.stdin.write(body);
  }

  #take(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      const length = /Content-Length: (\d+)/.exec(this.#buffer.subarray(0, end).toString())?.[1];
      if (end < 0 || length === undefined) return;
      const next = end + 4 + Number(length);
      if (this.#buffer.length < next) return;
      this.#arrived(JSON.parse(this.#buffer.subarray(end + 4, next).toString()) as Message);
      this.#buffer = this.#buffer.subarray(next);
    }
  }

  #arrived(message: Message): void {
    if (message.id !== undefined && message.method === undefined) {
      this.#answers.get(message.id)?.(message);
      this.#answers.delete(message.id);
      return;
    }
    this.#notes.push(message);
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const wake of listeners) wake();
  }
}
