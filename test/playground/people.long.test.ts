/** The playground for everyone, and against everyone: accessibility, keys alone, hostile and endless programs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportOnnx, orThrow, parseModule } from 'batonjs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launch } from '../report/browser.ts';
import {
  fileUrl,
  goTo,
  keepPictures,
  openFile,
  port,
  press,
  typeProgram,
  withPlayground,
} from './site.ts';

const chromium = chromiumPath();
const PAGE = fileURLToPath(
  new URL('../../packages/playground/dist/baton-playground.html', import.meta.url),
);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Names with an effect if they were taken for markup. */
const MARKUP = '</script><img src=x onerror="globalThis.broken = 1"><style>*{display:none}</style>';

/** A function that never ends. */
const ENDLESS = `def @loop(%n: Tensor[(), int32]) -> Tensor[(), int32] { @loop(add(%n, 1)) } def @main(%n: Tensor[(), int32]) -> Tensor[(), int32] { @loop(%n) }`;

if (chromium === undefined) {
  it('has no Chromium to open the playground in: it is passed over', () => {
    console.log('no Chromium: set CHROMIUM to open the playground');
    expect(process.env.CHROMIUM).toBeUndefined();
  });
} else {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(chromium);
  }, 60_000);
  afterAll(() => browser.close());

  const visit = (
    use: (page: Page) => Promise<void>,
    viewport?: { width: number; height: number },
  ) =>
    withPlayground(
      browser,
      fileUrl(PAGE),
      async ({ page, complaints }) => {
        await use(page);
        expect(complaints).toEqual([]);
      },
      viewport,
    );

  /** Shows each view with something in it. */
  async function eachView(page: Page, use: (view: string) => Promise<void>): Promise<void> {
    await use('program');
    await goTo(page, 'pipeline');
    await page.getByRole('button', { name: '3', exact: true }).click();
    await page.locator('.step').waitFor();
    await use('pipeline');
    await goTo(page, 'egraph');
    await press(page);
    await page.locator('.proof').waitFor();
    await use('egraph');
    await goTo(page, 'compare');
    await press(page);
    await page.locator('.verdict').waitFor();
    await use('compare');
    await goTo(page, 'run');
    await press(page);
    await page.locator('.time').waitFor();
    await use('run');
    await goTo(page, 'export');
    await use('export');
  }

  describe('accessibility', () => {
    it.each(['light', 'dark'] as const)(
      'has no serious fault that axe finds, in %s colours',
      (scheme) =>
        visit(async (page) => {
          await page.emulateMedia({ colorScheme: scheme });
          // Evaluated by the protocol of the browser, which the policy of the page does not bind.
          await page.evaluate(AXE);
          await eachView(page, async (view) => {
            const found = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`);
            const { violations } = found as {
              violations: ReadonlyArray<{
                id: string;
                impact: string;
                nodes: ReadonlyArray<{ html: string }>;
              }>;
            };
            const serious = violations.filter(
              ({ impact }) => impact === 'serious' || impact === 'critical',
            );
            const listed = serious.map(
              ({ id, nodes }) => `${view}: ${id} ${nodes[0]?.html.slice(0, 120)}`,
            );
            expect(listed).toEqual([]);
          });
        }),
    );

    it('is used by keys alone: a program, a pipeline and a run', () =>
      visit(async (page) => {
        const { keyboard } = page;
        await keyboard.press('Alt+2');
        // A tab and a button may have one name.
        const focused = (): Promise<string> =>
          page.evaluate(
            `[document.activeElement?.getAttribute('role') ?? '', document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''].join(' ').trim()`,
          );
        /** Presses Tab until something has the focus. */
        const tabTo = async (name: string): Promise<void> => {
          for (let i = 0; i < 250; i++) {
            if ((await focused()) === name) return;
            await keyboard.press('Tab');
          }
          throw new Error(`Tab does not come to ${name}`);
        };
        await page.locator('.presets').waitFor();
        await page.waitForTimeout(500);
        await tabTo('3');
        await keyboard.press('Enter');
        await page.locator('.step').waitFor();
        await tabTo('Step of the pipeline');
        await keyboard.press('End');
        await page.locator('.step[data-step="SelectKernels"]').waitFor();
        await keyboard.press('Alt+5');
        await tabTo('Run');
        await keyboard.press('Enter');
        await page.locator('.time').waitFor();
        await keyboard.press('Alt+3');
        await tabTo('Saturate');
        await keyboard.press('Enter');
        await page.locator('.proof').waitFor();
        await keyboard.press('Control+Alt+z');
      }));

    it('fits a narrow page', () =>
      visit(
        async (page) => {
          await eachView(page, async (view) => {
            await keepPictures(page, `view ${view}`);
            const width = await page.evaluate('document.documentElement.scrollWidth');
            expect([view, width]).toEqual([view, 400]);
          });
        },
        { width: 400, height: 800 },
      ));
  });

  describe('hostile programs', () => {
    it('with names that look like markup or are a megabyte long are shown as text', () =>
      visit(async (page) => {
        for (const name of [MARKUP, `\u0000\u001b[31m\u202e${'x'.repeat(1_000_000)}`]) {
          const m = orThrow(
            parseModule(
              `#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32], output_tensor_names=[${JSON.stringify(MARKUP)}]) { nn.relu(%x) }`,
            ),
          );
          await openFile(page, 'hostile.onnx', orThrow(exportOnnx(m, { name })));
          await port(page, '%x: Tensor[(2), float32]');
          await goTo(page, 'run');
          await press(page);
          await page.locator('.output').waitFor();
        }
        expect(await page.evaluate('globalThis.broken')).toBeUndefined();
        expect(await page.locator('header.bar').isVisible()).toBe(true);
      }));

    it('that are damaged have a diagnostic, and the page goes on', () =>
      visit(async (page) => {
        const bytes = orThrow(
          exportOnnx(
            orThrow(
              parseModule(
                '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) { nn.relu(%x) }',
              ),
            ),
          ),
        );
        for (const damaged of [
          bytes.subarray(0, bytes.length - 7),
          Uint8Array.from([1, 2, 3]),
          new Uint8Array(0),
        ]) {
          await openFile(page, 'damaged.onnx', damaged);
          await page.locator('.findings li').first().waitFor();
        }
        await page.getByRole('button', { name: 'Back to the text' }).click();
        await page.locator('.figures').waitFor();
      }));

    it('that never end are ended by the user, and what is open stays open', () =>
      visit(async (page) => {
        await typeProgram(page, ENDLESS);
        await port(page, '%n: int32');
        await goTo(page, 'run');
        await press(page);
        await page.getByRole('button', { name: 'Stop' }).click();
        await page.getByText('Ended.').waitFor();
        await typeProgram(page, ENDLESS.replace('@loop(add(%n, 1))', 'add(%n, 1)'));
        await page.waitForTimeout(1_000);
        await goTo(page, 'run');
        await press(page);
        await page.locator('.output').waitFor();
      }));
  });
}

/** The site is small at its first load: of what it asks for until the first graph is there. */
it('loads at most 350 kB, compressed, before the first graph', async () => {
  const { gzipSync } = await import('node:zlib');
  const site = join(PAGE, '../site');
  const { serve } = await import('./site.ts');
  if (chromium === undefined) return;
  const browser = await launch(chromium);
  const { url, server } = await serve(site);
  try {
    const page = await browser.newPage();
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (request.url().startsWith(url))
        asked.add(new URL(request.url()).pathname.slice(1) || 'index.html');
    });
    await page.addInitScript('delete Navigator.prototype.serviceWorker');
    await page.goto(url);
    await page.locator('.graph').first().waitFor();
    const sizes = [...asked].map(
      (name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(350_000);
    expect(gzipSync(readFileSync(PAGE), { level: 9 }).length).toBeLessThan(900_000);
  } finally {
    await browser.close();
    server.close();
  }
});
