/** One page in headless Chromium, served from folders, under a strict Content-Security-Policy. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';

/** The path of Chromium: the value of `CHROMIUM`, or the usual place. */
export const chromiumPath = (): string | undefined =>
  [process.env.CHROMIUM, '/usr/bin/chromium'].find(
    (path) => path !== undefined && existsSync(path),
  );

/** What a page may do: run its own scripts and WebAssembly, and load from its own server. */
export const STRICT_POLICY =
  "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** A page to open. */
export interface Page {
  /** The folders whose files are served by their names. */
  readonly folders: ReadonlyArray<string>;
  /** The script of the page, a module; it posts its answer to `/answer`. */
  readonly script: string;
  /** What follows `#` in the address of the page. */
  readonly hash: string;
  /**
   * The Content-Security-Policy.
   * @defaultValue {@link STRICT_POLICY}
   */
  readonly policy?: string;
  /**
   * Whether the page is isolated from others, and so has memory that threads share.
   * @defaultValue false
   */
  readonly isIsolated?: boolean;
}

/** The headers by which a page is isolated. */
const ISOLATION: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
};

/** **Units** ms. */
const PATIENCE_MS = 60_000;

/** Opens a page, and returns what it posts. */
export async function inChromium(executable: string, page: Page): Promise<string> {
  const { server, answer } = serve(page);
  const profile = mkdtempSync(join(tmpdir(), 'baton-chromium-'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const child = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${profile}`,
      `http://127.0.0.1:${port}/#${page.hash}`,
    ],
    // A group of its own: the browser has processes of its own, which end with it.
    { stdio: 'ignore', detached: true },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error('Chromium gives no answer')), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(alarm);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A server of files, and the body that is posted to `/answer`. */
function serve({ folders, script, policy = STRICT_POLICY, isIsolated = false }: Page) {
  const html = `<!doctype html><meta charset="utf-8"><script type="module" src="/${script}"></script>`;
  let server: Server | undefined;
  const answer = new Promise<string>((resolve) => {
    server = createServer(async (request, response) => {
      const headers = { 'content-security-policy': policy, ...(isIsolated ? ISOLATION : {}) };
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const name = basename(new URL(request.url ?? '/', 'http://localhost').pathname);
      if (request.method === 'POST') {
        resolve(await bodyOf(request));
        response.end();
      } else if (name === '') {
        response.setHeader('content-type', TYPES['.html'] ?? '');
        response.end(html);
      } else {
        const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
        response.statusCode = file === undefined ? 404 : 200;
        response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream');
        response.end(file && readFileSync(file));
      }
    });
  });
  return { server: server as unknown as Server, answer };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += part;
  return body;
}
