/** What the views of the playground offer besides the ten tasks, in the site. */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { orThrow, parseModule } from 'batonjs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launch } from '../report/browser.ts';
import { goTo, keepPictures, port, press, serve, typeProgram, withPlayground } from './site.ts';

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
        expect((await proof.allTextContents()).join()).toContain('= multiply(4, %x)');
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
}
