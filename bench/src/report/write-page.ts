/** The report as one HTML file: no network, no server; its policy allows its own script alone. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { PageData } from './page/data.ts';

/** The HTML of the page. */
export async function pageHtml(data: PageData): Promise<string> {
  const [script, style] = [await pageScript(), await pageStyle()];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Baton: optimization report</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This report is drawn by a script that it carries.</noscript>
<script type="application/json" id="data">${inScript(JSON.stringify(data))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Source files are found from `src` and from `dist` alike: both lie two levels below `bench`. */
const source = (file: string): string =>
  fileURLToPath(new URL(`../../src/report/page/${file}`, import.meta.url));

/** Nothing in JSON text but a string can hold `<`, so the escape keeps its meaning. */
const inScript = (json: string): string => json.replaceAll('<', '\\u003c');

const hashOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

const pageScript = (): Promise<string> =>
  bundled({ entryPoints: [source('main.ts')], format: 'iife', platform: 'browser' });

const pageStyle = (): Promise<string> => bundled({ entryPoints: [source('style.css')] });

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
