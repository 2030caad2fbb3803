/** Fused elementwise chains compared with a copy of the same bytes, on a million elements. */
import { table } from '@baton/base';
import { inferTypes } from '@baton/ir';
import type { SimdLevel } from '@baton/wasm';
import { bareRun } from '@baton/wasm/bare-run';
import { type IRModule, orThrow, parseModule } from 'batonjs';

const ELEMENTS = 2 ** 20;

/** How often each chain has its turn. */
const TURNS = 400;

/** The calls of a chain, in order, each on the result of the one before. */
const LINKS: ReadonlyArray<(x: string) => string> = [
  (x) => `multiply(${x}, 1.5f)`,
  (x) => `add(${x}, 0.25f)`,
  (x) => `nn.relu(${x})`,
  (x) => `subtract(${x}, 0.5f)`,
  (x) => `multiply(${x}, 0.75f)`,
  (x) => `abs(${x})`,
  (x) => `add(${x}, 0.125f)`,
  (x) => `minimum(${x}, 3f)`,
];

/** The chain of the first `count` calls. */
function chainOf(count: number): IRModule {
  const body = LINKS.slice(0, count).reduce((x, link) => link(x), '%x');
  const text = `#[version = "0.0.5"] def @main(%x: Tensor[(${ELEMENTS}), float32]) { ${body} }`;
  return orThrow(inferTypes(orThrow(parseModule(text))));
}

/** The best times of chains of 1 to 8 operators, and of a copy, interleaved. */
export function chainTable(level: SimdLevel): string {
  const bytes = new Uint8Array(8 * ELEMENTS);
  const copy = (): void => void bytes.copyWithin(4 * ELEMENTS, 0, 4 * ELEMENTS);
  const chains = LINKS.map((_, i) => {
    const run = bareRun(chainOf(i + 1), { level });
    if (run === undefined) throw new Error('the chain has code');
    return run;
  });
  const runs = [copy, ...chains];
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, run] of runs.entries()) {
      const start = performance.now();
      run();
      best[i] = Math.min(best[i] ?? 0, performance.now() - start);
    }
  }
  const [copied = 1, ...times] = best;
  const rate = (ms: number): string => ((8 * ELEMENTS) / ms / 1e6).toFixed(1);
  const rows = times.map((ms, i) => [
    `${i + 1}: ${LINKS[i]?.('…')}`,
    ms.toFixed(3),
    rate(ms),
    (ms / copied).toFixed(2),
  ]);
  const header = ['chain of operators', 'ms', 'GB/s', 'times a copy'];
  return table(header, [['copy', copied.toFixed(3), rate(copied), '1.00'], ...rows]);
}
