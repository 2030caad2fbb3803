/** Annotations, of whose meaning a file says nothing. */
import type { OnnxExporter } from '../operator-api/exporter.ts';
import type { Chapter } from '../shared/rows.ts';

export const annotationOperators: Chapter = [
  writesArgument('annotation.bitpack_end'),
  writesArgument('annotation.bitpack_start'),
  writesArgument('annotation.cast_hint'),
  writesArgument('annotation.checkpoint'),
  writesArgument('annotation.compiler_begin'),
  writesArgument('annotation.compiler_end'),
  writesArgument('device_copy'),
  writesArgument('on_device'),
  writesArgument('annotation.stop_fusion'),
];

function writesArgument(op: string): OnnxExporter {
  return { op, write: ({ arg }) => arg(0) };
}
