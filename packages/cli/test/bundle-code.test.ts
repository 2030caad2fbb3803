/** The code of the command's bundle that V8 made in an earlier run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LOADER = fileURLToPath(new URL('../dist/node-bundle.js', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-installations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function placeIn(installation: string, content: string, id = '0123456789abcdef'): string {
  const path = join(folder, installation, 'baton.cjs');
  mkdirSync(join(folder, installation), { recursive: true });
  writeFileSync(path, `// ${id}\nexports.where = () => ${content};\n`);
  const script = `import { loadBundle } from ${JSON.stringify(LOADER)};
    console.log(loadBundle(${JSON.stringify(path)}, 'run').where());`;
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'code') };
  const args = ['--input-type=module', '-e', script];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' });
}

const STACK = "new Error().stack.split('\\n')[1]";
const kept = (): ReadonlyArray<string> => readdirSync(join(folder, 'code'));

describe('S16: the code of a bundle', () => {
  it.each([
    [['one', 'two']],
    [['a b', 'a%20b']],
    [['x', 'x/x', 'x/x/x']],
    [["it's", '"q"', '$(x)']],
  ])('is that of its own installation, for %j', (installations) => {
    for (const one of installations) {
      for (let run = 0; run < 2; run++) {
        expect(placeIn(one, STACK)).toContain(join(folder, one, 'baton.cjs'));
      }
    }
    expect(kept()).toHaveLength(installations.length);
  });

  it('is that of its content', () => {
    expect(placeIn('one', '1')).toBe('1\n');
    expect(placeIn('one', '2', 'fedcba9876543210')).toBe('2\n');
    expect(kept()).toHaveLength(2);
  });
});
