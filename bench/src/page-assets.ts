/** The script and the style of the report page, each in one file. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { PageAsset, PageAssets } from '@baton/report';
import { type BuildOptions, build } from 'esbuild';

/** The script and the style, bundled from their sources. */
export const pageAssets = async (): Promise<PageAssets> => ({
  script: asset(
    await bundled({ entryPoints: [source('main.ts')], format: 'iife', platform: 'browser' }),
  ),
  style: asset(await bundled({ entryPoints: [source('style.css')] })),
});

/** Finds source files from both `src` and `dist`: both lie one level below `bench`. */
const source = (file: string): string =>
  fileURLToPath(new URL(`../../packages/report/src/page/${file}`, import.meta.url));

const asset = (text: string): PageAsset => ({
  text,
  hash: `sha256-${createHash('sha256').update(text).digest('base64')}`,
});

async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    legalComments: 'none',
  });
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error('a bundle is one file');
  return file.text.trim();
}
