/** The version and the addresses of the project: no other place states them. */
export const VERSION = '0.1.0';

export const REPOSITORY = 'https://github.com/batonjs/baton';

/** The address of its site, with the slash at the end. */
export const HOMEPAGE = 'https://batonjs.github.io/baton/';
