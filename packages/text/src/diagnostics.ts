/** Every diagnostic of `@baton/text`, one constructor each, by topic. */
export * from './diagnostics/attributes.ts';
export * from './diagnostics/data.ts';
export * from './diagnostics/names.ts';
export * from './diagnostics/syntax.ts';
export * from './diagnostics/tokens.ts';
