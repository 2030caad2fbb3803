/** `annotation.compiler_begin`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const compilerBegin: OnnxExporter = argumentOf('annotation.compiler_begin');
