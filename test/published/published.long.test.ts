import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** The published files: the built ones that the `exports` of each package name. */

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../packages', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly bin?: object;
  readonly private?: boolean;
}

const published = readdirSync(root).flatMap((folder) => {
  const at = join(root, folder);
  const manifest = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Manifest;
  const { name, bin } = manifest;
  return manifest.private === true ? [] : [{ name, at, isCommand: bin !== undefined }];
});

describe.each(published)('$name', ({ name, at, isCommand }) => {
  it('imports alone in a bare Node program', async () => {
    const program = `import(${JSON.stringify(name)}).then((m) => console.log(Object.keys(m).length))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: at,
    });
    expect(Number(stdout)).toBeGreaterThan(0);
  });

  it.skipIf(isCommand)('bundles for browsers with no Node built-in', async () => {
    const bundle = await build({
      stdin: { contents: `export * from ${JSON.stringify(name)};`, resolveDir: at },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    expect(bundle.errors).toEqual([]);
    const [output] = Object.values(bundle.metafile.outputs);
    expect(output?.imports).toEqual([]);
  });
});
