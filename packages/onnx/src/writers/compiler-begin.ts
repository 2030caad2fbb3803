/** `annotation.compiler_begin`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const compilerBegin: OnnxWriter = argumentOf('annotation.compiler_begin');
