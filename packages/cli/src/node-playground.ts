/** The playground in Node: serves `@baton/playground` from the user's folder on this machine. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import process from 'node:process';
import { diagnostic, fail, ok, type Result } from '@baton/base';
import type { NamedBytes, Served } from './host.ts';
import { reasonOf } from './node-files.ts';

const PACKAGE = '@baton/playground';
const HERE = '127.0.0.1';

/** Serves the page until the process is interrupted. */
export async function servePlayground(
  files: ReadonlyArray<NamedBytes>,
  port: number,
): Promise<Result<Served>> {
  const folder = siteFolder();
  if (folder === undefined) {
    const hint = `npm install --save-dev ${PACKAGE}`;
    return fail(diagnostic('CLI_PLAYGROUND', `${PACKAGE} is not found`, { hint }));
  }
  const server = createServer(({ url = '/', headers: { host } }, response) => {
    // A page of another site may resolve its own name to this machine.
    const isOwn = host === `${HERE}:${portOf(server)}` || host === `localhost:${portOf(server)}`;
    if (isOwn) void answer(url, response, folder, files);
    else response.writeHead(403).end();
  });
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(port, HERE, done);
    });
  } catch (error) {
    return fail(diagnostic('CLI_PLAYGROUND', `port ${port}: ${reasonOf(error)}`));
  }
  const ended = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        server.close();
        server.closeAllConnections();
        done();
      });
    }
  });
  const open = files.length === 0 ? '' : '#open';
  return ok({ url: `http://${HERE}:${portOf(server)}/${open}`, ended });
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

/** The built site of the package, in the user's folder or next to the command. */
function siteFolder(): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve(`${PACKAGE}/package.json`);
      const folder = join(dirname(manifest), 'dist/site');
      if (existsSync(join(folder, 'index.html'))) return folder;
    } catch {
      // The folder does not exist.
    }
  }
  return undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Isolated pages may have threads with shared memory. */
const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** A file of the site by its name, the list of the user's files, or one of them by its number. */
async function answer(
  url: string,
  response: ServerResponse,
  folder: string,
  files: ReadonlyArray<NamedBytes>,
): Promise<void> {
  const name = url.split('?')[0]?.slice(1) || 'index.html';
  const [, number] = /^file\/(\d{1,4})$/.exec(name) ?? [];
  const given = number === undefined ? undefined : files[Number(number)];
  const send = (type: string, content: string | Uint8Array): void => {
    response.writeHead(200, { ...HEADERS, 'content-type': type }).end(content);
  };
  if (given !== undefined) send('application/octet-stream', given.bytes);
  else if (name === 'files.json')
    send('application/json', JSON.stringify(files.map((f) => f.name)));
  else if (/^[\w-]+\.(html|js|css)$/.test(name) && existsSync(join(folder, name))) {
    send(TYPES[extname(name)] ?? 'application/octet-stream', await readFile(join(folder, name)));
  } else response.writeHead(404, HEADERS).end();
}
