import { defineConfig } from 'vitest/config';
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

/** Packages are tested from their sources: no build is needed, and a failure points into `src`. */
export default defineConfig({
  resolve: { conditions: ['baton-source'] },
  ssr: { resolve: { conditions: ['baton-source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'bench/test/**/*.test.ts'],
    testTimeout: 120_000,
    // By default one core is left free, which doubles the time on a machine of two.
    maxWorkers: '100%',
    sequence: { sequencer: LongOnesFirst },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
