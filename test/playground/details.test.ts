/** What the views of the playground offer besides the ten tasks, in the site. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { tensor } from '@baton/tensor';
import { writeNpy } from '@baton/tensor/npy';
import { exportOnnx, orThrow, parseModule } from 'batonjs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launch } from '../report/browser.ts';
import {
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
const SITE = fileURLToPath(new URL('../../packages/playground/dist/site', import.meta.url));

if (chromium === undefined) {
  it('has no Chromium to open the playground in: it is passed over', () => {
    console.log('no Chromium: set CHROMIUM to open the playground');
    expect(process.env.CHROMIUM).toBeUndefined();
  });
} else {
  let browser: Browser;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    browser = await launch(chromium);
    ({ server, url } = await serve(SITE));
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const visit = (use: (page: Page) => Promise<void>): Promise<void> =>
    withPlayground(browser, url, async ({ page, complaints }) => {
      await use(page);
      await keepPictures(page, `${expect.getState().currentTestName?.split(' > ').at(-1)}`);
      expect(complaints).toEqual([]);
    });

  const PROGRAM =
    'def @main(%x: Tensor[(2), float32]) { nn.relu(multiply(multiply(%x, 2f), add(1f, 1f))) }';

  /** Opens the program and runs rules that are typed, as the only step of a pipeline. */
  async function withRules(page: Page, rules: string): Promise<void> {
    await typeProgram(page, PROGRAM);
    await port(page, '%x: Tensor[(2), float32]');
    await goTo(page, 'pipeline');
    await page.getByRole('button', { name: 'none' }).click();
    await page.getByLabel('Add a pass').selectOption('rules:own');
    await page.getByText('options').click();
    await page.getByLabel('rules', { exact: true }).fill(rules);
    await page.getByLabel('rules', { exact: true }).blur();
    await page.locator('.step').waitFor();
    // The step runs with the rules before anything is asked of it.
    await page.waitForTimeout(500);
  }

  describe('the e-graph of a program', () => {
    it('has the ways to compute a class with their costs, and the proof of the chosen program', () =>
      visit(async (page) => {
        await typeProgram(page, PROGRAM);
        await port(page, '%x: Tensor[(2), float32]');
        await goTo(page, 'egraph');
        await page.getByText('the program', { exact: true }).click();
        await press(page);
        const proof = page.locator('.proof li');
        await proof.first().waitFor();
        expect((await proof.allTextContents()).join()).toContain('= multiply(%x, 4)');
        await page.getByLabel('Round').press('End');
        await page.getByLabel('Find in E-graph').fill('multiply');
        const ways = page.locator('.alternatives tbody tr');
        await ways.first().waitFor();
        expect(await page.locator('.alternatives').textContent()).toMatch(/µs.*chosen/);
      }));
  });

  describe('a step of a pipeline', () => {
    it('says why a rule does not apply', () =>
      visit(async (page) => {
        await withRules(page, 'mine: nn.relu(tanh(?x)) = tanh(?x)');
        await page.getByLabel('A rule, by name or as an equation').fill('multiply(?x, 1) = ?x');
        await page.getByRole('button', { name: 'Ask' }).click();
        const answer = page.locator('.answer');
        await answer.waitFor();
        expect(await answer.getAttribute('data-used')).toBe('false');
        expect(await answer.textContent()).toMatch(/parts fit: expected/);
      }));
  });

  describe('the gallery', () => {
    it('has networks, whose graphs are saved as SVG and whose memory is drawn', () =>
      visit(async (page) => {
        await page.getByLabel('Example').selectOption('Network: lstm');
        await page.getByText('gallery: lstm').waitFor();
        // The program that was open before has an image as its input.
        await expect.poll(() => page.locator('.ports').textContent()).not.toContain('(1, 3, 8, 8)');
        const downloading = page.waitForEvent('download');
        await page.getByLabel('save Graph as SVG').click();
        const svg = await readFile(await (await downloading).path(), 'utf8');
        expect(svg).toMatch(/^<svg xmlns/);
        expect(svg).toContain('nn.dense');
        const parsed = await page.evaluate(
          `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelectorAll('parsererror').length`,
        );
        expect(parsed).toBe(0);
        await goTo(page, 'run');
        await press(page);
        const memory = page.locator('.memory');
        await memory.waitFor();
        expect(Number(await memory.getAttribute('data-blocks'))).toBeGreaterThan(3);
        expect(await memory.locator('rect').count()).toBeGreaterThan(3);
        await memory.scrollIntoViewIfNeeded();
      }));

    it('comes back from a link, which names the network', () =>
      visit(async (page) => {
        await page.getByLabel('Example').selectOption('Network: lstm');
        await page.locator('.ports code').first().waitFor();
        await goTo(page, 'export');
        await page.getByRole('button', { name: 'Make a link' }).click();
        const link = await page.getByLabel('Link').inputValue();
        expect(link.length).toBeLessThan(2_000);
        await page.goto('about:blank');
        await page.goto(link);
        await goTo(page, 'program');
        await page.getByText('gallery: lstm').waitFor();
        await page.locator('.ports code').first().waitFor();
      }));
  });

  describe('inputs', () => {
    it('are read from files of NumPy', () =>
      visit(async (page) => {
        await typeProgram(page, PROGRAM);
        await port(page, '%x: Tensor[(2), float32]');
        await goTo(page, 'run');
        const bytes = writeNpy(tensor([1, -1], [2], 'float32'));
        await page
          .getByLabel('File for x: .npy or an image')
          .setInputFiles({ name: 'x.npy', mimeType: 'x/npy', buffer: Buffer.from(bytes) });
        await press(page);
        expect(await page.locator('.output pre').textContent()).toBe('[4, 0]');
      }));
  });

  describe('a file', () => {
    it('is shown as text with the place of each node in it', () =>
      visit(async (page) => {
        const m = orThrow(parseModule(`#[version = "0.0.5"]\n${PROGRAM}`));
        await openFile(page, 'small.onnx', orThrow(exportOnnx(m)));
        await port(page, '%x: Tensor[(2), float32]');
        const editor = page.getByRole('textbox', { name: 'Program as Relay text' });
        await expect
          .poll(() => editor.textContent())
          .toMatch(/nn\.relu\(.*\/\* span=.*Relu.* \*\//);
      }));
  });

  describe('a report of a bug', () => {
    it('has the smallest program on which a pipeline goes wrong, and the pipeline as code', () =>
      visit(async (page) => {
        await withRules(page, 'wrong: multiply(?x, ?y) = add(?x, ?y)');
        await goTo(page, 'export');
        await page.getByRole('button', { name: 'Write a report' }).click();
        const report = await page.getByLabel('Report').inputValue();
        expect(report).toMatch(/^## .*changes what the model computes/);
        const [, program = ''] = /```relay\n([^`]*)```/.exec(report) ?? [];
        expect(program.match(/multiply/g)).toHaveLength(1);
        expect(program).not.toContain('relu');
        expect(orThrow(parseModule(program)).functions.has('main')).toBe(true);
        expect(report).toContain('rule("wrong", "multiply(?x, ?y)", "add(?x, ?y)")');
      }));
  });

  it('the site opens without a network after a visit', async () => {
    const own = await serve(SITE);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(own.url);
      await page.locator('.graph').first().waitFor();
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      own.server.closeAllConnections();
      await new Promise((done) => own.server.close(done));
      await page.reload();
      await page.locator('.graph').first().waitFor();
      // Parts that were never asked for are there, too.
      await goTo(page, 'run');
      await press(page);
      await page.locator('.time').waitFor();
    } finally {
      await context.close();
      own.server.close();
    }
  });
}
