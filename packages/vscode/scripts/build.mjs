// Writes the extension to `dist/extension`, or to another folder: bundles, grammar, manifest. The
// packages must be built.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relayWords } from '@baton/text';
import { build } from 'esbuild';
import { HOMEPAGE, REPOSITORY, VERSION } from '../../../scripts/project.mjs';
import { textMateGrammar } from './textmate.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));

/** The folder of the extension, as `scripts/pack.mjs` packs it. */
export const EXTENSION = join(here, 'dist/extension');

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

export async function buildExtension(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const own = JSON.parse(await readFile(join(here, 'extension.json'), 'utf8'));
  const manifest = {
    ...own,
    version: VERSION,
    homepage: HOMEPAGE,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'packages/vscode' },
  };
  writeFileSync(join(folder, 'package.json'), json(manifest));
  writeFileSync(join(folder, 'relay.tmLanguage.json'), json(textMateGrammar(relayWords)));
  copyFileSync(
    join(here, 'language-configuration.json'),
    join(folder, 'language-configuration.json'),
  );
  copyFileSync(join(here, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(here, '../../LICENSE'), join(folder, 'LICENSE'));
  await build({
    entryPoints: [join(here, 'src/client.ts'), join(here, 'src/server.ts')],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension(EXTENSION);
