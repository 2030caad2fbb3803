/** The addresses of the project: no other place states them. */
export const REPOSITORY = 'https://github.com/batonjs/baton';

/** The address of its site, with the slash at the end. */
export const HOMEPAGE = 'https://batonjs.github.io/baton/';
