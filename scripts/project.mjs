/** The version and the addresses of the project: no other place states them. */
export const VERSION = '0.1.0';

export const REPOSITORY = 'https://github.com/batonjs/baton';

/** The address of its site, with the slash at the end. */
export const HOMEPAGE = 'https://batonjs.github.io/baton/';

/**
 * The packages that go to npm with no other package, by their folders: the files with everything, whether
 * bundlers have modules, the script that a module hands out in place of files, and the built files besides.
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
