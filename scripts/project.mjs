/** Where the project lives: the only place that states it. */
export const REPOSITORY = 'https://github.com/batonjs/baton';

/** Where its site is served, with the slash at the end. */
export const HOMEPAGE = 'https://batonjs.github.io/baton/';
