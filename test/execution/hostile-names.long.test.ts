/** Modules whose ports and weights have hostile names, imported by a page that would let their code run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow } from '@baton/base';
import { compileToModule } from '@baton/wasm';
import { afterAll, expect, it } from 'vitest';
import { chromiumPath, inChromium } from '../../bench/src/modules/chromium.ts';
import { HOSTILE, twice } from './hostile.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SCRIPT = `
  const found = [];
  for (const [i, name] of ${JSON.stringify(HOSTILE)}.entries()) {
    const given = { [name]: Float32Array.of(1, 2, 3, 4) };
    const asInput = (await import('/input' + i + '.mjs')).run(given);
    const asOutput = (await import('/output' + i + '.mjs')).run({ x: given[name] });
    const values = (outputs) => Object.values(outputs).map((t) => [...t]);
    found.push({ names: Object.keys(asOutput), values: [values(asInput), values(asOutput)] });
  }
  document.title = 'done';
  const answer = { found, isBroken: 'PWNED' in globalThis };
  await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
`;

const chromium = chromiumPath();

it.skipIf(chromium === undefined)('no code runs in Chromium, and nothing is lost', async () => {
  writeFileSync(join(folder, 'page.js'), SCRIPT);
  for (const [i, name] of HOSTILE.entries()) {
    const modules = [
      compileToModule(twice(name), { name: `input${i}` }),
      compileToModule(twice('x'), { name: `output${i}`, outputs: [name, 'other'] }),
    ];
    for (const { path, content } of modules.flatMap(orThrow)) {
      writeFileSync(join(folder, path), content);
    }
  }
  const answer = await inChromium(chromium ?? '', {
    folders: [folder],
    script: 'page.js',
    hash: '',
    policy: "default-src * 'unsafe-inline' 'unsafe-eval'",
  });
  const values = [
    [2, 4, 6, 8],
    [1, 4, 9, 16],
  ];
  expect(JSON.parse(answer)).toEqual({
    found: HOSTILE.map((name) => ({ names: [name, 'other'], values: [values, values] })),
    isBroken: false,
  });
});
