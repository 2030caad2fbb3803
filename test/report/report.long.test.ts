import { orThrow } from '@baton/base';
import { nodeHost } from '@baton/cli';
import type { MeasuredModel } from '@baton/report';
import { changesOf, type PageAssets, pageHtml } from '@baton/report';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launch, type OpenPage, withPage } from './browser.ts';
import { densenetSubject, measured, pageData } from './measured.ts';
import { smallSubject } from './small-subject.ts';

/** Optimizing densenet121 at every level takes this long at most, even under load. */
const BUILD_TIMEOUT_MS = 120_000;

const chromium = chromiumPath();

const pageAssets = async (): Promise<PageAssets> => orThrow(await nodeHost().pageAssets());

const total = (byOp: Readonly<Record<string, number>>): number =>
  Object.values(byOp).reduce((sum, count) => sum + count, 0);

/** Names with an effect if they were taken for markup. */
const MARKUP = {
  model: '</script><script>globalThis.broken = 1</script>',
  input: '<img src=x onerror="globalThis.broken = 2">',
  conv: '<script>globalThis.broken = 3</script>',
  norm: `<b title="'">${'long'.repeat(200)}`,
  relu: '&lt;svg onload=globalThis.broken=4&gt;<style>*{display:none}</style>',
} as const;

if (chromium === undefined) {
  it('has no Chromium to open the report in: it is passed over', () => {
    console.log('no Chromium: set CHROMIUM to open the report');
    expect(process.env.CHROMIUM).toBeUndefined();
  });
} else {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(chromium);
  });
  afterAll(() => browser.close());

  describe('the report of densenet121 in Chromium', () => {
    let model: MeasuredModel;
    let html = '';
    const open = <A>(use: (opened: OpenPage) => Promise<A>): Promise<A> =>
      withPage(browser, html, use);

    beforeAll(async () => {
      model = await measured(await densenetSubject());
      html = pageHtml(pageData([model]), await pageAssets());
    }, BUILD_TIMEOUT_MS);

    it('draws charts whose texts do not overlap, and do not leave them', async () => {
      await open(async ({ page }) => {
        const faults = await page.locator('svg.bars').evaluateAll((charts) =>
          charts.flatMap((chart) => {
            const frame = chart.getBoundingClientRect();
            const texts = [...chart.querySelectorAll('text')].map((one) => ({
              text: one.textContent,
              box: one.getBoundingClientRect(),
            }));
            const outside = texts.filter(
              ({ box }) => box.left < frame.left || box.right > frame.right || box.top < frame.top,
            );
            const pairs = texts.flatMap((one, i) =>
              texts.slice(i + 1).flatMap((other) => {
                const across = one.box.left < other.box.right && other.box.left < one.box.right;
                const down =
                  one.box.top + 2 < other.box.bottom && other.box.top + 2 < one.box.bottom;
                return across && down ? [`${one.text} / ${other.text}`] : [];
              }),
            );
            return [...outside.map(({ text }) => `${text} leaves the chart`), ...pairs];
          }),
        );
        expect(faults).toEqual([]);
      });
    });

    it('draws its charts, without a complaint and without the network', async () => {
      await open(async ({ page, complaints }) => {
        // The columns without runs: nodes, kernels, FLOPs, bytes, time to optimize. The original,
        // fused or not, has no time, and the figures of the others are of 4 levels and 2 engines.
        expect(await page.locator('.levels svg.bars').count()).toBe(5);
        expect(await page.locator('.levels svg.bars rect.bar').count()).toBe(4 * 8 + 6);
        const passes = await page.locator('.pass').count();
        expect(passes).toBe(model.page.passes.length);
        expect(passes).toBeGreaterThan(8);
        expect(await page.locator('.pass > summary svg.cell').count()).toBe(4 * passes);
        const [bar] = await page.locator('.levels svg.bars rect.bar').all();
        expect((await bar?.boundingBox())?.height).toBeGreaterThan(10);
        expect(complaints).toEqual([]);
      });
    });

    it('draws both graphs, every call of both', async () => {
      await open(async ({ page }) => {
        const panes = page.locator('.pane');
        const { byOpBefore, byOp, kernels } = model.report;
        const calls = '.row[data-call]';
        expect(await panes.nth(0).locator(calls).count()).toBe(total(byOpBefore));
        expect(await panes.nth(1).locator(calls).count()).toBe(total(byOp));
        const cards = panes
          .nth(1)
          .locator('.card')
          .filter({ has: page.locator(calls) });
        expect(await cards.count()).toBe(kernels.after);
        expect(await page.locator('.canvas').nth(0).locator('.edge').count()).toBe(
          model.page.before.edges.length,
        );
        await expect(panes.nth(1).locator('.card.fused').first().isVisible()).resolves.toBe(true);
      });
    });

    it('finds a node, brings it to the middle, and shows its fate', async () => {
      await open(async ({ page, complaints }) => {
        const inPane = (n: number, rows: string) => page.locator('.pane').nth(n).locator(rows);
        await page.fill('.search', 'max_pool2d');
        const selected = inPane(0, '.row.selected');
        expect(await selected.count()).toBe(1);
        expect(await selected.textContent()).toContain('nn.max_pool2d');
        const canvas = await page.locator('.canvas').nth(0).boundingBox();
        const found = await selected.boundingBox();
        if (canvas === null || found === null) throw new Error('the node is not in sight');
        expect(found.y).toBeGreaterThan(canvas.y);
        expect(found.y + found.height).toBeLessThan(canvas.y + canvas.height);
        expect(await inPane(1, '.row.selected').count()).toBeGreaterThan(0);

        await page.fill('.search', 'conv2d');
        const convolutions = model.report.byOpBefore['nn.conv2d'] ?? 0;
        expect(await inPane(0, '.row.hit').count()).toBe(convolutions);
        const count = page.locator('.search-count');
        expect(await count.textContent()).toMatch(/^1 of \d+$/);
        await page.press('.search', 'Enter');
        expect(await count.textContent()).toMatch(/^2 of \d+$/);
        await page.press('.search', 'Shift+Enter');
        await page.press('.search', 'Shift+Enter');
        expect(await count.textContent()).toMatch(/^(\d+) of \1$/);
        await page.fill('.search', 'no such node');
        expect(await count.textContent()).toBe('nothing found');
        expect(complaints).toEqual([]);
      });
    });

    it('tells the type and the places of the node under the pointer', async () => {
      await open(async ({ page }) => {
        await page.fill('.search', 'max_pool2d');
        await page.locator('.pane').nth(0).locator('.row.selected').hover();
        const tooltip = page.locator('.tooltip');
        expect(await tooltip.isVisible()).toBe(true);
        const text = (await tooltip.textContent()) ?? '';
        expect(text).toContain('nn.max_pool2d');
        expect(text).toContain('float32');
        const row = model.page.before.cards
          .flatMap((card) => card.rows)
          .find(({ op }) => model.page.texts[op] === 'nn.max_pool2d');
        const [place] = row?.places ?? [];
        expect(place).toBeDefined();
        expect(text).toContain(model.page.texts[place ?? 0]);
      });
    });

    it('moves by the wheel and by dragging, and zooms', async () => {
      await open(async ({ page }) => {
        const transform = (): Promise<string | null> =>
          page.locator('.canvas > g').nth(0).getAttribute('transform');
        const seen = [await transform()];
        await page.locator('.canvas').nth(0).hover();
        await page.mouse.wheel(0, 300);
        await expect.poll(transform).not.toBe(seen[0]);
        seen.push(await transform());
        await page.mouse.down();
        await page.mouse.move(500, 300, { steps: 3 });
        await page.mouse.up();
        seen.push(await transform());
        for (const tool of ['zoom in', 'show all']) {
          await page.locator(`.pane [title="${tool}"]`).nth(0).click();
          seen.push(await transform());
        }
        expect(new Set(seen).size).toBe(seen.length);
        // All of the graph is in sight.
        const canvas = await page.locator('.canvas').nth(0).boundingBox();
        const drawn = await page.locator('.canvas > g').nth(0).boundingBox();
        expect(drawn?.height).toBeLessThanOrEqual(canvas?.height ?? 0);
      });
    });

    it('shows the calls that each pass removed, with their origins and replacements', async () => {
      await open(async ({ page }) => {
        const pass = page.locator('[data-pass=SimplifyInference]');
        await pass.locator('summary').first().click();
        const removed = pass.locator('.group-line', { hasText: 'nn.batch_norm' }).first();
        // A batch normalization that would fold into nothing stays whole.
        const left = model.report.byOp['nn.batch_norm'] ?? 0;
        const gone = (model.report.byOpBefore['nn.batch_norm'] ?? 0) - left;
        expect(gone).toBeGreaterThan(100);
        expect(await removed.textContent()).toContain(`${gone}nn.batch_norm→`);
        await removed.click();
        const [place] = model.page.passes.find((p) => p.name === 'SimplifyInference')?.removed[0]
          ?.places[0] ?? [0];
        expect(await pass.locator('li').first().textContent()).toBe(model.page.texts[place ?? 0]);
      });
    });

    it('U.14 explains each word on hover and in the page', async () => {
      await open(async ({ page }) => {
        const words = await page.locator('thead .term').allTextContents();
        expect(words).toEqual([
          ...['nodes', 'kernels', 'FLOPs', 'bytes moved', 'parameters'],
          ...['time to optimize', 'executor time', 'verdict'],
        ]);
        const titles = await page.locator('.term').evaluateAll((all) => all.map((e) => e.title));
        expect(titles.every((title) => title.length > 20)).toBe(true);
        const listed = await page.locator('.terms dt').allTextContents();
        expect(words.filter((word) => !listed.includes(word))).toEqual([]);
        const levels = await page.locator('.level-docs dt').allTextContents();
        expect(levels).toEqual([
          ...['one kernel a call', 'as it is', 'level 0', 'level 1', 'level 2', 'level 3'],
          ...['greedy rules', 'saturation'],
        ]);
      });
    });

    it('U.14 lists in its head the worse measures, in red, and differences within noise', async () => {
      const before = { ms: 10, low: 9, high: 11, samples: 5 };
      const slower = { ms: 15, low: 14, high: 16, samples: 5 };
      const alike = { ms: 12, low: 10.5, high: 14, samples: 5 };
      const [first, second] = [
        { nodes: { before: 10, after: 12 }, run: { before, after: slower } },
        { nodes: { before: 10, after: 9 }, run: { before, after: alike } },
      ].map(({ nodes, run }, at) => {
        const figures = { ...model.report, nodes, run };
        return { page: { ...model.page, name: `net ${at}`, nodes, run, ...changesOf(figures) } };
      });
      if (first === undefined || second === undefined) throw new Error('two models');
      const changed = pageData([
        { ...model, ...first },
        { ...model, ...second },
      ]);
      await withPage(browser, pageHtml(changed, await pageAssets()), async ({ page }) => {
        const worse = page.locator('.headline.worse');
        expect(await worse.textContent()).toContain('net 0: nodes +20\u202f%');
        expect(await worse.textContent()).toContain('net 0: executor time +50\u202f%');
        expect(await worse.textContent()).not.toContain('net 1');
        const colours = await page.evaluate<ReadonlyArray<string>>(
          `[...document.querySelectorAll('.headline.worse, tbody tr:first-child .change.worse')]
            .map((element) => getComputedStyle(element).color)`,
        );
        expect(new Set(colours)).toEqual(new Set(['rgb(196, 40, 28)']));
        expect(colours.length).toBe(3);
        expect(await page.locator('.headline').first().textContent()).toContain(
          'No difference beyond noise: net 1',
        );
        expect(await page.locator('tbody tr').nth(1).textContent()).toContain('within noise');
      });
    });

    it('U.14 keeps everything in sight at 420 pixels', async () => {
      await open(async ({ page }) => {
        await page.setViewportSize({ width: 420, height: 900 });
        const buttons = page.locator('.search-box button');
        expect(await buttons.count()).toBe(2);
        for (const button of await buttons.all()) {
          const box = await button.boundingBox();
          expect((box?.x ?? 0) + (box?.width ?? 420)).toBeLessThanOrEqual(420 - 16);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
      });
    });

    it('runs no script but its own', async () => {
      await open(async ({ page, complaints }) => {
        const ran = await page.evaluate(`
          const script = document.createElement('script');
          script.textContent = 'globalThis.broken = 1';
          document.body.append(script);
          const frame = document.createElement('div');
          frame.innerHTML = '<img src="x" onerror="globalThis.broken = 2">';
          document.body.append(frame);
          new Promise((resolve) => setTimeout(() => resolve(globalThis.broken ?? 'nothing'), 200));
        `);
        expect(ran).toBe('nothing');
        const blocked = complaints.filter((text) => text.includes('Content Security Policy'));
        expect(blocked.map((text) => text.match(/inline script|event handler|image/)?.[0])).toEqual(
          ['inline script', 'event handler', 'image'],
        );
      });
    });
  });

  it('shows the searches of networks beside those of others', async () => {
    const model = await measured(smallSubject(MARKUP));
    const found = (cost: string, gain: number) => ({ cost, seconds: 0.25, gain });
    const row = {
      network: 'bert',
      costs: [found('kernels', 48.6), found('measured', 32.9)],
      tensat: { seconds: 1.4, gain: 9.2 },
      taso: { seconds: 13.6, gain: 8.5 },
    };
    const data = { ...pageData([model]), searches: [row] };
    await withPage(browser, pageHtml(data, await pageAssets()), async ({ page, complaints }) => {
      const cells = await page.locator('#searches tbody tr').first().locator('th, td').all();
      expect(await Promise.all(cells.map((cell) => cell.textContent()))).toEqual([
        'bert',
        '0.25',
        '48.6 %',
        '0.25',
        '32.9 %',
        '1.40',
        '9.2 %',
        '13.60',
        '8.5 %',
      ]);
      expect(await page.locator('#searches thead .term').count()).toBe(2);
      await page.setViewportSize({ width: 420, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
      expect(complaints).toEqual([]);
    });
  });

  it('shows markup in names as text, and cuts long names', async () => {
    const model = await measured(smallSubject(MARKUP));
    await withPage(
      browser,
      pageHtml(pageData([model]), await pageAssets()),
      async ({ page, complaints }) => {
        expect(await page.locator('h2').textContent()).toBe(MARKUP.model);
        await page.fill('.search', '<script>');
        const selected = page.locator('.row.selected').first();
        expect(await selected.textContent()).toContain('nn.conv2d');
        await selected.hover();
        expect(await page.locator('.tooltip').textContent()).toContain(MARKUP.conv);
        expect(await page.locator('.status').textContent()).toContain(`Conv ${MARKUP.conv}`);
        await page.fill('.search', '&lt;svg');
        expect(await page.locator('.row.hit').first().textContent()).toContain('nn.relu');
        const shown = await page.content();
        expect(shown).toContain('longlong');
        expect(shown).not.toContain('long'.repeat(65));
        expect(await page.locator('img, b[title], #page style, #page script').count()).toBe(0);
        expect(await page.evaluate('globalThis.broken')).toBeUndefined();
        expect(complaints).toEqual([]);
      },
    );
  });
}
