/**
 * `pnpm bench:search [-- NETWORK...]`: the time of equality saturation on the networks of Tensat's
 * table, and the gain in three costs and in the time of runs, compared with the figures of its paper and of
 * TASO.
 */
import { printSearches } from '@baton/report';
import { searchRows } from './rows.ts';

const names = process.argv.slice(2).filter((arg) => arg !== '--');

process.stdout.write(`${printSearches(await searchRows({ runs: true, names }))}\n`);
