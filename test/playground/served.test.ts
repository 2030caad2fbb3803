/** `baton playground`: the page on a server of this machine, with a model open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { exportOnnx, models, orThrow } from 'batonjs';
import { expect, it } from 'vitest';

const BATON = fileURLToPath(new URL('../../packages/cli/bin/baton.js', import.meta.url));

/** The status of a request that names another host. */
const statusAs = (url: string, host: string): Promise<number | undefined> =>
  new Promise((done, failed) => {
    get(url, { headers: { host } }, (response) => {
      response.resume();
      done(response.statusCode);
    }).on('error', failed);
  });

it('serves the page and the model, to this machine alone, until it is ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'baton-served-'));
  const bytes = orThrow(exportOnnx(models.mlp({ hidden: [4], inputs: 2, classes: 2 })));
  await writeFile(join(folder, 'mlp.onnx'), bytes);
  const command = spawn(process.execPath, [BATON, 'playground', 'mlp.onnx'], { cwd: folder });
  try {
    const [url] = (await once(createInterface(command.stdout), 'line')) as [string];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#open$/);
    const at = (path: string): string => new URL(path, url).href;
    const page = await fetch(at('./'));
    expect(await page.text()).toContain('<title>Baton playground</title>');
    // Threads share memory only in an isolated page.
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(await (await fetch(at('./files.json'))).json()).toEqual(['mlp.onnx']);
    expect(new Uint8Array(await (await fetch(at('./file/0'))).arrayBuffer())).toEqual(bytes);
    for (const path of ['./file/1', './file/-1', './package.json', './..%2fpackage.json']) {
      expect((await fetch(at(path))).status).toBe(404);
    }
    expect(await statusAs(at('./'), 'elsewhere.example')).toBe(403);
    command.kill('SIGINT');
    expect(await once(command, 'exit')).toEqual([0, null]);
  } finally {
    command.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
