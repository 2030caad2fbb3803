/** A page of the report in headless Chromium, with all of its complaints. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The path of Chromium: the value of `CHROMIUM`, which must then exist, or the usual place. */
export function chromiumPath(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`CHROMIUM names no file: ${named}`);
    return named;
  }
  return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined;
}

/** An open page. */
export interface OpenPage {
  readonly page: Page;
  /** Errors on the console, exceptions, and requests for anything but the page. */
  readonly complaints: ReadonlyArray<string>;
}

/** A browser without a screen. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

/** Opens the HTML from a file, runs an action, and cleans up. */
export async function withPage<A>(
  browser: Browser,
  html: string,
  use: (open: OpenPage) => Promise<A>,
): Promise<A> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-report-'));
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  try {
    const file = join(folder, 'index.html');
    await writeFile(file, html);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const { href } = pathToFileURL(file);
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== href) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(href);
    return await use({ page, complaints });
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}
