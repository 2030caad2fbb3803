export type { Focus, NumericKind, ProgramOptions } from './generate/options.ts';
export { type Program, programOf } from './generate/program.ts';
export { programs } from './programs.ts';
