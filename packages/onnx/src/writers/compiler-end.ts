/** `annotation.compiler_end`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const compilerEnd: OnnxWriter = argumentOf('annotation.compiler_end');
