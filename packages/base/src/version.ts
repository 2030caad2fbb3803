/** The version of all packages. Written by `pnpm gen`. */
export const VERSION = '0.1.0';
