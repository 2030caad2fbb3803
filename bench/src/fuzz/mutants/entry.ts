/** What a bundle with a mutant exports. */
export { hunt } from '@baton/testing';
