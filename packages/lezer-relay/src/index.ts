/** The public names of `@baton/lezer-relay`. */
export { relayHighlighting } from './highlight.ts';
export { parser } from './relay.ts';
