/** The version and the addresses of the project; they are stated only here. */
export const VERSION = '0.1.0';

export const REPOSITORY = 'https://github.com/batonjs/baton';

/** The address of its site, with a trailing slash. */
export const HOMEPAGE = 'https://batonjs.github.io/baton/';

/**
 * The packages that are published without dependencies, by folder: the self-contained files, whether
 * there are modules for bundlers, the script that a module re-exports, and other built files.
 */
export const SELF_CONTAINED = {
  baton: { files: ['node', 'browser'], modules: true },
  report: { files: ['node'], modules: false, besides: ['dist/page.json'] },
  cli: {
    files: [],
    modules: false,
    wraps: 'dist/baton.cjs',
    besides: ['dist/baton.cjs', 'dist/node-bundle.js', 'dist/node-reading.js', 'dist/page.json'],
  },
};
