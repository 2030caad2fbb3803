/** The output of `pnpm bench:egraph`. */
import { cpus } from 'node:os';
import { table } from '@baton/base';
import { ms } from '@baton/report';
import type { Benchmark } from './benchmarks.ts';
import type { Figures } from './measure.ts';

/** A benchmark with the figures of each side. */
export interface Measured {
  readonly benchmark: Benchmark;
  readonly figures: ReadonlyMap<string, Figures>;
}

const OURS = 'baton';
const WITH_PROOFS = 'with proofs';
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Baton's warm time over egg's; `undefined` without egg. */
export function ratio({ figures }: Measured): number | undefined {
  const mine = figures.get(OURS);
  const egg = figures.get('egg');
  return mine === undefined || egg === undefined ? undefined : mine.warmMs / egg.warmMs;
}

/** The geometric mean of the ratios of the benchmarks in the mean. */
export function meanRatio(measured: ReadonlyArray<Measured>): number | undefined {
  const ratios = measured.filter((m) => m.benchmark.inMean).map(ratio);
  const known = ratios.filter((r) => r !== undefined);
  if (known.length === 0) return undefined;
  return Math.exp(known.reduce((sum, r) => sum + Math.log(r), 0) / known.length);
}

/** The counts that differ from the expected ones. */
export function wrongCounts(measured: ReadonlyArray<Measured>): ReadonlyArray<string> {
  return measured.flatMap(({ benchmark, figures }) =>
    [...figures].flatMap(([side, { best }]) => {
      const nodes = best.eNodes ?? best.rows;
      const classes = best.eClasses ?? benchmark.classes;
      return nodes === benchmark.nodes && classes === benchmark.classes
        ? []
        : [
            `${benchmark.name}: ${side} counts ${nodes} nodes in ${classes} classes, ` +
              `expected ${benchmark.nodes} in ${benchmark.classes}`,
          ];
    }),
  );
}

/** The report as text. */
export function renderReport(measured: ReadonlyArray<Measured>): string {
  const sides = new Set(measured.flatMap(({ figures }) => [...figures.keys()]));
  const peers = ['egg', 'egglog'].filter((name) => sides.has(name));
  const header = ['benchmark', 'nodes', 'classes', 'cold ms', 'warm ms'];
  header.push('search', 'apply', 'rebuild', 'peak', 'arrays');
  for (const peer of peers) header.push(`${peer} cold`, `${peer} warm`, `${peer} peak`);
  if (sides.has('egg')) header.push('warm / egg', 'cold / egg');
  if (sides.has(WITH_PROOFS)) header.push('proofs / without');
  const rows = measured.map((it) => rowOf(it, peers));
  const mean = meanRatio(measured);
  const closing =
    mean === undefined
      ? []
      : [
          '',
          `geometric mean of warm / egg over ${countInMean(measured)} benchmarks: ${mean.toFixed(3)}`,
        ];
  return [table(header, rows), ...closing].join('\n');
}

const countInMean = (measured: ReadonlyArray<Measured>): number =>
  measured.filter((m) => m.benchmark.inMean && ratio(m) !== undefined).length;

function rowOf(it: Measured, peers: ReadonlyArray<string>): ReadonlyArray<string> {
  const mine = it.figures.get(OURS);
  if (mine === undefined) return [it.benchmark.name];
  const { eNodes = 0, eClasses = 0, phases, arrayBytes = 0 } = mine.best;
  const cells = [it.benchmark.name, String(eNodes), String(eClasses)];
  cells.push(ms(mine.coldMs), ms(mine.warmMs));
  cells.push(ms(phases?.searchMs ?? 0), ms(phases?.applyMs ?? 0), ms(phases?.rebuildMs ?? 0));
  cells.push(megabytes(mine.peakBytes), megabytes(arrayBytes));
  for (const peer of peers) {
    const its = it.figures.get(peer);
    if (its === undefined) cells.push('', '', '');
    else cells.push(ms(its.coldMs), ms(its.warmMs), megabytes(its.peakBytes));
  }
  const egg = it.figures.get('egg');
  if (egg !== undefined) {
    cells.push((mine.warmMs / egg.warmMs).toFixed(3), (mine.coldMs / egg.coldMs).toFixed(2));
  }
  const proofs = it.figures.get(WITH_PROOFS);
  if (proofs !== undefined) cells.push((proofs.warmMs / mine.warmMs).toFixed(2));
  return cells;
}

/** The report as data. */
export function reportData(measured: ReadonlyArray<Measured>, pairs: number): unknown {
  return {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
    pairs,
    geometricMean: meanRatio(measured) ?? null,
    benchmarks: measured.map(({ benchmark, figures }) => {
      const mine = figures.get(OURS);
      const peers = [...figures].filter(([side]) => side !== OURS && side !== WITH_PROOFS);
      return {
        name: benchmark.name,
        nodes: mine?.best.eNodes,
        classes: mine?.best.eClasses,
        coldMs: mine?.coldMs,
        warmMs: mine?.warmMs,
        phases: mine?.best.phases,
        peakBytes: mine?.peakBytes,
        arrayBytes: mine?.best.arrayBytes,
        warmMsWithProofs: figures.get(WITH_PROOFS)?.warmMs,
        peers: Object.fromEntries(
          peers.map(([side, { warmMs, coldMs, peakBytes, best }]) => [
            side,
            { warmMs, coldMs, peakBytes, nodes: best.eNodes ?? best.rows, classes: best.eClasses },
          ]),
        ),
      };
    }),
  };
}
