import { defineConfig } from 'vitest/config';

/** Packages are tested from their sources: no build is needed, and a failure points into `src`. */
export default defineConfig({
  resolve: { conditions: ['baton-source'] },
  ssr: { resolve: { conditions: ['baton-source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'bench/test/**/*.test.ts'],
    testTimeout: 120_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
