/** `annotation.compiler_end`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const compilerEnd: OnnxExporter = argumentOf('annotation.compiler_end');
