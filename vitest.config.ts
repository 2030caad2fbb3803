import { dirname, relative, resolve } from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the files of the root's `test` folder, most of which run many programs, before those of
 * the packages, so that no worker waits at the end for one of them. Within both, vitest's own order.
 */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isUnit = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/packages/');
    return [...sorted.filter((file) => !isUnit(file)), ...sorted.filter(isUnit)];
  }
}

/** What a test imports from a `src` comes from the built file, like all that packages import. */
const builtForSource = {
  name: 'built-for-source',
  enforce: 'pre' as const,
  resolveId(id: string, importer: string | undefined): string | undefined {
    if (importer === undefined || !id.startsWith('.')) return undefined;
    const path = relative(import.meta.dirname, resolve(dirname(importer), id));
    const [, folder, file] = /^(packages\/[^/]+|bench)\/src\/(.*)\.ts$/.exec(path) ?? [];
    return file && resolve(import.meta.dirname, `${folder}/dist/${file}.js`);
  },
};

/** Whether this run takes every file: also those that only `pnpm test:all` runs, or a run that names one. */
const isWhole =
  process.env.BATON_TESTS === 'all' || process.argv.some((arg) => arg.includes('.long'));

/**
 * Tests run on built files, which Node loads itself: vitest's own way of loading sources costs a
 * third of the time of a run, on every call of an imported function. Source maps lead failures
 * into `src`. Test files share a process, and with it the modules of the packages.
 */
export default defineConfig({
  plugins: [builtForSource],
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...defaultExclude, ...(isWhole ? [] : ['**/*.long.test.ts'])],
    globalSetup: './scripts/build-first.mjs',
    server: { deps: { external: [/\/(packages\/[^/]+|bench)\/dist\//] } },
    // Programs of 8,000 levels are too deep for recursion on a stack of 256 kB: four times as fast
    // to make and to rewrite as the 32,000 that the usual stack asks for.
    execArgv: ['--stack-size=256'],
    isolate: false,
    testTimeout: 120_000,
    // By default one core is left free, which doubles the time on a machine of two.
    maxWorkers: '100%',
    sequence: { sequencer: LongOnesFirst },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
