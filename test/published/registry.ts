/** Local servers: a registry with the packed packages, and a folder of files. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { unpack } from '@publint/pack';
import type { Tarball } from './packed.ts';

/** A running server. */
export interface Served {
  /** The address. A registry's address belongs to one run: no cache confuses it with another's. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the tarballs, each as the only version of its package. */
export async function serveRegistry(tarballs: ReadonlyArray<Tarball>): Promise<Served> {
  const nonce = randomUUID();
  const answers = new Map<string, Uint8Array | string>();
  const served = await serve((path) => answers.get(path));
  const url = `${served.url}${nonce}/`;
  for (const { bytes } of tarballs) {
    const { files } = await unpack(bytes);
    const text = files.find((file) => file.name.endsWith('/package.json'))?.data;
    const manifest = JSON.parse(new TextDecoder().decode(text)) as {
      name: string;
      version: string;
    };
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${url}${name}/-/${version}.tgz`, integrity };
    const document = {
      name,
      'dist-tags': { latest: version },
      time: { [version]: '2026-01-01T00:00:00.000Z' },
      versions: { [version]: { ...manifest, dist } },
    };
    answers.set(`/${nonce}/${name}`, JSON.stringify(document));
    answers.set(`/${nonce}/${name}/-/${version}.tgz`, bytes);
  }
  return { url, close: served.close };
}

/** Serves the files of a folder, like any host of static pages. */
export const serveFolder = (folder: string): Promise<Served> =>
  serve((path, response) => {
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return undefined;
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
    return readFileSync(file);
  });

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
};

/** Serves the answer to each path; an undefined answer is a 404. */
async function serve(
  answer: (path: string, response: ServerResponse) => Uint8Array | string | undefined,
): Promise<Served> {
  const server = createServer((request, response) => {
    const found = answer(decodeURIComponent(request.url ?? ''), response);
    response.writeHead(found === undefined ? 404 : 200);
    response.end(found);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url, close };
}
