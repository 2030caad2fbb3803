/** The playground in Chromium: as a site on a server of its own, and as one file from disk. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves the files of a folder. */
export async function serve(
  folder: string,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(({ url = '/' }, response) => {
    const name = url.split('?')[0] ?? '/';
    const path = join(folder, name === '/' ? 'index.html' : name.slice(1));
    if (name.includes('..') || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(path));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** The address of the page of one file. */
export const fileUrl = (path: string): string => pathToFileURL(path).href;

/** An open playground, in a profile of its own. */
export interface Opened {
  readonly page: Page;
  /** Errors on the console, exceptions, and requests to other hosts. */
  readonly complaints: ReadonlyArray<string>;
}

/** Opens the playground, does something there, and closes the profile. */
export async function withPlayground<A>(
  browser: Browser,
  url: string,
  use: (opened: Opened) => Promise<A>,
  viewport = { width: 1440, height: 900 },
): Promise<A> {
  const context = await browser.newContext({ viewport, acceptDownloads: true });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const { protocol, host } = new URL(url);
    page.on('request', (request) => {
      const to = new URL(request.url());
      const isOwn = to.protocol === protocol && to.host === host;
      if (!isOwn && to.protocol !== 'blob:' && to.protocol !== 'data:') {
        complaints.push(`asks for ${request.url()}`);
      }
    });
    await page.goto(url);
    await page.locator('.graph').first().waitFor();
    return await use({ page, complaints });
  } finally {
    await context.close();
  }
}

/** Goes to a view. */
export const goTo = (page: Page, view: string): Promise<void> =>
  page.locator(`#tab-${view}`).click();

/** Presses the main button of a view. */
export const press = (page: Page): Promise<void> => page.locator('#view button.primary').click();

/** Types a program in place of the text that is there. */
export async function typeProgram(page: Page, text: string): Promise<void> {
  await goTo(page, 'program');
  const editor = page.getByRole('textbox', { name: 'Program as Relay text' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(text);
}

/** Waits for an input of the program that is open. */
export const port = (page: Page, text: string): Promise<void> =>
  page.locator('.ports').getByText(text).waitFor();

/** Opens files as the program. */
export async function openFile(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page
    .getByLabel('Open a model')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
  await goTo(page, 'program');
  await page.getByText(name, { exact: true }).waitFor();
}

/** Where tests keep pictures of the page. */
const PICTURES = fileURLToPath(new URL('output/', import.meta.url));

/** The widths at which pictures are kept. **Units** pixels. */
const WIDTHS = [1440, 400];

/** Keeps pictures of the page as it is, wide and narrow, light and dark. A long page shows its top. */
export async function keepPictures(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const words = name.replace(/[^\w]+/g, '-').slice(0, 60);
      await page.screenshot({ path: join(PICTURES, `${words}-${width}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
