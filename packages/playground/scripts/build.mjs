/**
 * Builds the playground as a site, in `dist/site`, and with `--file` as one page,
 * `dist/baton-playground.html`, which opens from disk. The packages must be built.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));
const site = join(here, 'dist/site');

const SHARED = {
  bundle: true,
  write: false,
  minify: true,
  target: 'es2022',
  format: 'iife',
  platform: 'browser',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};

async function bundled(entry, define = {}) {
  const { outputFiles } = await build({ ...SHARED, define, entryPoints: [join(here, entry)] });
  return outputFiles[0].text.trim();
}

/** A module and the parts that it loads later, by file name. */
async function inParts(entry, define) {
  const { outputFiles } = await build({
    ...SHARED,
    define,
    entryPoints: [join(here, entry)],
    format: 'esm',
    splitting: true,
    outdir: site,
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text.trim()]));
}

/** The state of each rule, from the page that `pnpm prove --write` writes. */
function ruleStates() {
  const page = readFileSync(join(here, '../../docs/rules.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split(/(?<!\\) \| /).map((cell) => cell.replace(/^\| /, '')));
  const states = cells.filter((row) => /^(proved|tested|refuted)/.test(row[4] ?? ''));
  return Object.fromEntries(states.map(([name, , , , state, how]) => [name, `${state}: ${how}`]));
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function html({ script, style, scriptTag, styleTag, worker }) {
  const policy = [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `worker-src ${worker}`,
    `style-src ${style}`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Baton playground</title>
<link rel="icon" href="data:,">
${styleTag}
</head>
<body>
<div id="page"></div>
<noscript>The playground is a program that runs in this page: it needs JavaScript.</noscript>
${scriptTag}
</body>
</html>
`;
}

/** A script inside a page must not end it. */
const inline = (script) => script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

export async function buildPlayground({ isFile = false } = {}) {
  const states = { BATON_RULE_STATES: JSON.stringify(ruleStates()) };
  const style = await bundled('src/page/style.css');
  if (isFile) {
    const worker = await bundled('src/worker.ts', states);
    const script = inline(
      await bundled('src/page/main.tsx', { BATON_WORKER: JSON.stringify(worker) }),
    );
    const page = html({
      script: hashOf(script),
      style: hashOf(style),
      worker: 'blob:',
      styleTag: `<style>${style}</style>`,
      scriptTag: `<script>${script}</script>`,
    });
    const target = join(here, 'dist/baton-playground.html');
    writeFileSync(target, page);
    return target;
  }
  const page = html({
    script: "'self'",
    style: "'self'",
    worker: "'self'",
    styleTag: '<link rel="stylesheet" href="./style.css">',
    scriptTag: '<script type="module" src="./main.js"></script>',
  });
  const files = {
    'index.html': page,
    'style.css': style,
    ...(await inParts('src/page/main.tsx', {})),
    ...(await inParts('src/worker.ts', states)),
  };
  const version = createHash('sha256').update(Object.values(files).join()).digest('hex');
  files['offline.js'] = await bundled('src/offline.ts', {
    BATON_VERSION: JSON.stringify(version.slice(0, 16)),
    BATON_FILES: JSON.stringify(['./', ...Object.keys(files).map((name) => `./${name}`)]),
  });
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(site, name), text);
  return site;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildPlayground({ isFile: process.argv.includes('--file') }));
}
