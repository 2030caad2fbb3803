import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src/index.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'baton-egraph-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Leaves the exact extractor out: it is for those who ask for a proof. */
const withoutExact: Plugin = {
  name: 'without-exact',
  setup(context) {
    context.onLoad({ filter: /[\\/]extract[\\/]exact\.ts$/ }, () => ({
      contents: 'export const extractExact = undefined;',
      loader: 'ts',
    }));
  },
};

async function bundle(format: 'esm' | 'iife', plugins: ReadonlyArray<Plugin>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format,
    ...(format === 'iife' ? { globalName: 'batonEgraph' } : {}),
    conditions: ['baton-source'],
    mainFields: ['module', 'main'],
    plugins: [...plugins],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('a bundle is one file');
  return file.text;
}

/** Runs rules, extracts, and explains; also says whether code can be made from text here. */
const USE = `
  const { EGraph, rewrite, run, extractTree, sizeCost, explain } = batonEgraph;
  const egraph = new EGraph({ explanations: true });
  const root = egraph.addExpr('(+ 1 (+ 2 (+ 3 (+ 4 (+ 5 (+ 6 (* 7 1)))))))').right;
  const rules = [
    rewrite('comm-add', '(+ ?a ?b)', '(+ ?b ?a)'),
    rewrite('assoc-add', '(+ ?a (+ ?b ?c))', '(+ (+ ?a ?b) ?c)'),
    rewrite('one-mul', '(* ?a 1)', '?a'),
  ];
  const report = run(egraph, rules, { codeGeneration: 'always', nodeLimit: 100000 });
  const best = extractTree(egraph, [root], sizeCost).right;
  let evaluates = true;
  try { new Function('return 1'); } catch { evaluates = false; }
  const result = JSON.stringify({
    stop: report.stopReason._tag, classes: egraph.classCount, nodes: egraph.nodeCount,
    cost: best.costs[0], evaluates,
  });
`;

const EXPECTED = { stop: 'Saturated', classes: 127, nodes: 1940, cost: 13, evaluates: false };

let whole = '';
beforeAll(async () => {
  whole = await bundle('iife', []);
});

describe('the package in a bundle', () => {
  it('is at most 28.2 kB, minified and compressed, without the exact extractor', async () => {
    const size = gzipSync(await bundle('esm', [withoutExact]), { level: 9 }).length;
    expect(size).toBeLessThanOrEqual(28_200);
    expect(size).toBeGreaterThan(5_000);
  });

  it('runs where code must not be made from text', () => {
    const file = join(folder, 'run.cjs');
    writeFileSync(file, `${whole}\n${USE}\nprocess.stdout.write(result);`);
    const flags = ['--disallow-code-generation-from-strings'];
    const child = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8' });
    expect(child.stderr).toBe('');
    expect(JSON.parse(child.stdout)).toEqual(EXPECTED);
  });

  it('runs in a browser under a Content-Security-Policy without unsafe-eval', () => {
    const chromium = [process.env.CHROMIUM, '/usr/bin/chromium'].find(
      (path) => path !== undefined && existsSync(path),
    );
    if (chromium === undefined) {
      console.log('no chromium: set CHROMIUM to run the bundle in a browser');
      expect(process.env.CHROMIUM).toBeUndefined();
      return;
    }
    const page = join(folder, 'page.html');
    writeFileSync(
      page,
      `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-baton'">
<body><script nonce="baton">${whole.replaceAll('</script', '<\\/script')}</script>
<script nonce="baton">${USE}
document.body.textContent = 'result ' + result;</script>`,
    );
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${join(folder, 'profile')}`,
      '--dump-dom',
    ];
    const child = spawnSync(chromium, [...flags, `file://${page}`], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    const [, result] = child.stdout.match(/result (\{[^}]*\})/) ?? [];
    expect(JSON.parse(result ?? 'null')).toEqual(EXPECTED);
  });
});
