/** What people do in the playground, task by task. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportOnnx, importOnnx, models, orThrow, printModule } from 'batonjs';
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
  serve,
  typeProgram,
  withPlayground,
} from './site.ts';

const chromium = chromiumPath();

/** What `pnpm build` makes of the playground. */
const PLAYGROUND = fileURLToPath(new URL('../../packages/playground/dist', import.meta.url));

/** A browser starts in this time, even under load. */
const BROWSER_TIMEOUT_MS = 60_000;

const FACTORIAL = `def @fact(%n: Tensor[(), int32]) -> Tensor[(), int32] { if (equal(%n, 0)) { 1 } else { multiply(%n, @fact(subtract(%n, 1))) } } def @main(%n: Tensor[(), int32]) -> Tensor[(), int32] { @fact(%n) }`;

/** A network of the size of a test, whose nodes have names. */
const network = models.squeezenet({ imageSize: 64, widthMultiplier: 0.125, classes: 10 });

/** The tasks in a form of the playground: the site, or the page of one file. */
export function describeTasks(form: 'site' | 'file'): void {
  if (chromium === undefined) {
    it('has no Chromium to open the playground in: it is passed over', () => {
      console.log('no Chromium: set CHROMIUM to open the playground');
      expect(process.env.CHROMIUM).toBeUndefined();
    });
    return;
  }
  let browser: Browser;
  let server: Server | undefined;
  let url = '';
  let squeezenet: Uint8Array;
  beforeAll(async () => {
    browser = await launch(chromium);
    if (form === 'site') ({ server, url } = await serve(join(PLAYGROUND, 'site')));
    else url = fileUrl(join(PLAYGROUND, 'baton-playground.html'));
    squeezenet = orThrow(exportOnnx(network));
  }, BROWSER_TIMEOUT_MS);
  afterAll(async () => {
    await browser.close();
    server?.close();
  });

  describe(`the playground as a ${form}`, () => {
    /** Does something in a fresh profile, after which nothing may have complained. */
    const visit = async (use: (page: Page) => Promise<void>, at = url): Promise<void> => {
      await withPlayground(browser, at, async ({ page, complaints }) => {
        await use(page);
        await keepPictures(
          page,
          `${form} ${expect.getState().currentTestName?.split(' > ').at(-1)}`,
        );
        expect(complaints).toEqual([]);
      });
    };

    it('1 runs a recursive program that one types', () =>
      visit(async (page) => {
        await typeProgram(page, FACTORIAL);
        await port(page, '%n: int32');
        await goTo(page, 'run');
        await page.getByLabel('Input n').fill('10');
        await press(page);
        expect(await page.locator('.output pre').textContent()).toBe('3628800');
      }));

    it('2 steps through the passes of level 3 on a network that is opened, 3 finds its nodes', () =>
      visit(async (page) => {
        await openFile(page, 'squeezenet.onnx', squeezenet);
        await port(page, '%data: Tensor[(1, 3, 64, 64), float32]');
        await page.getByLabel('Find in Graph').fill('Conv_1');
        await expect.poll(() => page.locator('.graph output').textContent()).toMatch(/^1 of \d+$/);
        await expect.poll(() => page.locator('.graph .status').textContent()).toContain('Conv_1');
        await goTo(page, 'pipeline');
        await page.getByRole('button', { name: '3, rules, fusion' }).click();
        await page.locator('.totals').waitFor();
        const seen = new Set<string>();
        // Each press goes to the next pass that changes something; the last one is fusion.
        for (let i = 0; i < 8; i++) {
          await page.getByRole('button', { name: 'change ›' }).click();
          const step = page.locator('.step');
          await step.waitFor();
          seen.add((await step.getAttribute('data-step')) ?? '');
        }
        expect(seen).toContain('FuseOps');
        expect(await page.locator('.totals').textContent()).toMatch(/kernels/);
      }));

    it('4 lands on the first node that an edited copy computes otherwise', () =>
      visit(async (page) => {
        await openFile(page, 'squeezenet.onnx', squeezenet);
        await port(page, '%data: Tensor[(1, 3, 64, 64), float32]');
        const text = printModule(orThrow(importOnnx(squeezenet)));
        await goTo(page, 'compare');
        await page.getByLabel('Open the second model').setInputFiles({
          name: 'edited.relay',
          mimeType: 'text/plain',
          buffer: Buffer.from(
            text
              .replace('nn.avg_pool2d(', 'nn.max_pool2d(')
              .replace('nn.global_avg_pool2d(', 'nn.global_max_pool2d('),
          ),
        });
        await page.getByText('edited.relay').waitFor();
        await press(page);
        expect(await page.locator('.verdict').getAttribute('data-verdict')).toBe('different');
        expect(await page.locator('.first strong').textContent()).toContain('max_pool2d');
        await expect
          .poll(() => page.locator('.graph').last().locator('.status').textContent())
          .toContain('max_pool2d');
        // The error of each aligned node: none above the edit, the edit first, and more below.
        const rows = page.locator('.errors tbody tr');
        const marked = page.locator('.errors tr[data-first]');
        expect(await marked.count()).toBe(1);
        expect(await marked.textContent()).toMatch(/max_pool2d.*avg_pool2d.*the first difference/);
        const verdicts = await page.locator('.errors tbody tr td:last-child').allTextContents();
        const at = verdicts.indexOf('the first difference');
        expect(at).toBeGreaterThan(10);
        expect(verdicts.slice(0, at).every((words) => words === 'the same')).toBe(true);
        // The twin of the edited node is chosen in the first graph, which looks at the same place.
        const statuses = page.locator('.graph .status');
        await expect.poll(() => statuses.first().textContent()).toContain('avg_pool2d');
        await rows.first().getByRole('button').click();
        await expect.poll(() => statuses.first().textContent()).toContain('nn.conv2d');
        await expect.poll(() => statuses.last().textContent()).toContain('nn.conv2d');
        const seen = (side: number): Promise<string | null> =>
          page.locator('.graph .strip i').nth(side).getAttribute('style');
        await page.getByRole('button', { name: 'zoom in' }).first().click();
        await expect.poll(async () => (await seen(0)) === (await seen(1))).toBe(true);
        await page.getByLabel('only nodes that differ').check();
        expect(await rows.first().textContent()).toContain('the first difference');
      }));

    it('5 shows the counterexample of a false rule', () =>
      visit(async (page) => {
        await goTo(page, 'egraph');
        await page.getByText('the program', { exact: true }).click();
        await page.getByLabel('Your rules').fill('wrong: divide(?x, ?y) = multiply(?x, ?y)');
        await page.getByRole('button', { name: 'Test my rules' }).click();
        const verdict = page.locator('.verdicts li');
        await verdict.waitFor();
        expect(await verdict.getAttribute('data-verdict')).toBe('refuted');
        expect(await verdict.textContent()).toMatch(/expected .*found/);
      }));

    it('6 shows (a * 2) / 2 in the e-graph, and the proof', () =>
      visit(async (page) => {
        await goTo(page, 'egraph');
        await press(page);
        await page.locator('.proof').waitFor();
        expect(await page.locator('.best').textContent()).toBe('a');
        expect(await page.locator('.proof li').allTextContents()).toEqual([
          '(/ (* a 2) 2)',
          '(* a (/ 2 2)) ⇒ regroup',
          '(* a 1) ⇒ divide by itself',
          'a ⇒ times one',
        ]);
        const round = page.locator('.slider output');
        const before = await round.textContent();
        await page.getByRole('button', { name: 'round ›' }).click();
        await expect.poll(() => round.textContent()).not.toBe(before);
      }));

    it('7 shows that the order of two passes matters', () =>
      visit(async (page) => {
        await page.getByLabel('Example').selectOption('Phase ordering');
        const totals = page.locator('.totals');
        await totals.waitFor();
        const nodes = async (): Promise<number> =>
          Number(((await totals.getAttribute('data-nodes')) ?? '').split(' ')[1]);
        const first = await nodes();
        await page.getByRole('button', { name: 'move FoldConstant up' }).click();
        await expect.poll(nodes, { timeout: 20_000 }).toBeLessThan(first);
      }));

    it('8 opens a link in a fresh profile as it was', async () => {
      let link = '';
      await visit(async (page) => {
        await typeProgram(page, FACTORIAL);
        await port(page, '%n: int32');
        await goTo(page, 'export');
        await page.getByRole('button', { name: 'Make a link' }).click();
        link = await page.getByLabel('Link').inputValue();
      });
      await withPlaygroundAt(link, async (page) => {
        expect(await page.locator('main').getAttribute('data-view')).toBe('export');
        await goTo(page, 'program');
        await port(page, '%n: int32');
      });
    });

    it('9 writes ONNX that it reads again', () =>
      visit(async (page) => {
        await openFile(page, 'squeezenet.onnx', squeezenet);
        await port(page, '%data: Tensor[(1, 3, 64, 64), float32]');
        await goTo(page, 'export');
        const downloading = page.waitForEvent('download');
        await page.getByRole('button', { name: 'ONNX', exact: true }).click();
        const bytes = await readFile(await (await downloading).path());
        expect(orThrow(importOnnx(bytes)).functions.has('main')).toBe(true);
        await openFile(page, 'again.onnx', bytes);
        await port(page, '%data: Tensor[(1, 3, 64, 64), float32]');
      }));

    it('10 runs on WebAssembly, with the time of each kernel', () =>
      visit(async (page) => {
        await openFile(page, 'squeezenet.onnx', squeezenet);
        await port(page, '%data: Tensor[(1, 3, 64, 64), float32]');
        await goTo(page, 'run');
        await press(page);
        await page.locator('.kernels').waitFor();
        expect(await page.locator('.kernels tbody tr').count()).toBeGreaterThan(20);
        expect(await page.locator('.kernels').textContent()).toContain('nn.conv2d');
      }));

    /** Opens an address that need not show a graph. */
    async function withPlaygroundAt(
      url: string,
      use: (page: Page) => Promise<void>,
    ): Promise<void> {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(url);
        await page.locator('main[data-view="export"]').waitFor();
        await use(page);
      } finally {
        await context.close();
      }
    }
  });
}
