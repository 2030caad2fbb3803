// Opens the built site from its folder in Chromium, like a reader without a server, and checks that
// pages are styled, links and search work, and no page uses the network.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  if (process.env.CHROMIUM !== undefined)
    throw new Error(`CHROMIUM names no file: ${executablePath}`);
  console.log('no Chromium: the site was not opened');
  process.exit(0);
}

const index = new URL('../.vitepress/dist/index.html', import.meta.url);
const dist = pathToFileURL(fileURLToPath(new URL('.', index))).href;
const wrong = [];
const expect = (what, is) => {
  if (!is) wrong.push(what);
};

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('console', (message) => expect(message.text(), message.type() === 'log'));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    expect(`asks for ${url}`, url.startsWith(dist) || url.startsWith('data:'));
  });
  page.on('requestfailed', (request) => wrong.push(`no ${request.url()}`));

  await page.goto(index.href);
  const width = await page.locator('.VPSidebar').evaluate((node) => node.clientWidth);
  expect(`a styled list of pages, found one ${width} wide`, width > 200 && width < 600);

  await page.getByRole('link', { name: 'Start in five minutes' }).first().click();
  expect('the first guide', (await page.locator('h1').textContent()).startsWith('Start in five'));

  // The search finds a guide, by its title or by its words.
  for (const wanted of ['browser', 'install', 'train', 'quantize', 'batch norm', 'web page']) {
    await page.locator('.VPNavBarSearch input').fill(wanted);
    const links = await page
      .locator('.VPNavBarSearch .found a')
      .evaluateAll((all) => all.map((a) => a.href));
    const isGuide = links.some((link) => link.startsWith(dist) && !link.includes('/reference/'));
    expect(`a guide for ${wanted}, found ${links.slice(0, 3).join(', ')}`, isGuide);
  }
  await page.locator('.VPNavBarSearch input').fill('checkEquivalent');
  await page.locator('.found a').first().click();
  expect(
    'the page of a name',
    (await page.locator('h1').textContent()).includes('checkEquivalent'),
  );

  await page.goto(new URL('spec/passes.html#30', index).href);
  const top = await page.locator('[id="30"]').evaluate((node) => node.getBoundingClientRect().top);
  expect(`section 30 in sight, found at ${top}`, top > -2 && top < 900);

  await page.setViewportSize({ width: 420, height: 800 });
  await page.locator('.VPLocalNav .menu').click();
  await page.waitForTimeout(600);
  const left = await page
    .locator('.VPSidebar')
    .evaluate((node) => node.getBoundingClientRect().left);
  expect(`the list of pages on a narrow screen, found at ${left}`, left >= 0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(`no page wider than the screen, found ${wide}`, wide <= 420);
} finally {
  await browser.close();
}
if (wrong.length > 0) {
  for (const line of wrong) console.error(line);
  process.exit(1);
}
console.log('the site opens from its folder');
