/** The section of `docs/benchmarks.md` on running models. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PEERS, type PeerName } from '@baton/workshop';
import { geometricMean, markdown, measuredOn, type Section, WORSE } from '../benchmarks-page.ts';
import type { ModelTimes } from './models.ts';

/**
 * The section of these times, with the peers by the folders from which they were loaded, and the most that
 * a core computes with vectors of 128 bits, in GFLOP/s.
 */
export function runningSection(
  models: ReadonlyArray<ModelTimes>,
  peers: { readonly [Name in PeerName]?: string },
  peak: number,
): Section {
  const names = (Object.keys(PEERS) as PeerName[]).filter((name) => peers[name] !== undefined);
  const ratios = names.map((name) =>
    models.map(({ ms, peers: times }) => (times[name]?.ms ?? Number.NaN) / ms),
  );
  const shown = (ratio: number): string =>
    Number.isNaN(ratio) ? '-' : `${ratio.toFixed(2)}${ratio < 1 ? ` ${WORSE}` : ''}`;
  const rows = models.map(({ name, ms, gflops, peers: times }, i) => [
    name,
    ms.toFixed(2),
    gflops.toFixed(1),
    ...names.flatMap((peer, j) => [
      times[peer]?.ms.toFixed(2) ?? '-',
      shown(ratios[j]?.[i] ?? Number.NaN),
    ]),
  ]);
  const means = ratios.flatMap((all) => [
    '',
    shown(geometricMean(all.filter((ratio) => !Number.isNaN(ratio)))),
  ]);
  const versions = names.map((name) => `${PEERS[name]} ${versionIn(PEERS[name], peers[name])}`);
  return {
    heading: 'Running models',
    body: `Each model at level 3 on the executor \`wasm\`, compared with onnxruntime on the same file: one thread, milliseconds per run, the median of interleaved runs. A ratio is onnxruntime's time over Baton's: above 1 Baton is faster. A core of this machine multiplies and adds at most ${peak.toFixed(1)} GFLOP/s with the vectors of 128 bits that WebAssembly has; Winograd's transforms need fewer operations than are counted, and onnxruntime-node uses wider vectors. \`pnpm bench:compiled --peers --page\` writes this section; \`--corpus\` adds models in ONNX form.

${measuredOn(versions)}

${markdown(
  ['model', 'Baton', 'GFLOP/s', ...names.flatMap((name) => [PEERS[name], 'ratio'])],
  [...rows, ['**geometric mean**', '', '', ...means]],
)}`,
  };
}

function versionIn(name: string, folder: string | undefined): string {
  const entry = createRequire(join(folder ?? '.', 'package.json')).resolve(name);
  const end = entry.lastIndexOf(name) + name.length;
  return JSON.parse(readFileSync(join(entry.slice(0, end), 'package.json'), 'utf8')).version;
}
