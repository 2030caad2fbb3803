/** Every diagnostic of `@baton/ir`, one constructor each, by topic. */
export * from './diagnostics/attributes.ts';
export * from './diagnostics/kinds.ts';
export * from './diagnostics/names.ts';
export * from './diagnostics/patterns.ts';
export * from './diagnostics/relations.ts';
export * from './diagnostics/types.ts';
