/** Annotations, of whose meaning a file says nothing. */
import type { OnnxExporter } from '../operator-api/exporter.ts';
import type { Chapter } from '../shared/rows.ts';

/** The rows of this chapter. */
export const annotationOperators: Chapter = [
  // `annotation.bitpack_end`: its argument.
  writesArgument('annotation.bitpack_end'),
  // `annotation.bitpack_start`: its argument.
  writesArgument('annotation.bitpack_start'),
  // `annotation.cast_hint`: its argument.
  writesArgument('annotation.cast_hint'),
  // `annotation.checkpoint`: its argument.
  writesArgument('annotation.checkpoint'),
  // `annotation.compiler_begin`: its argument.
  writesArgument('annotation.compiler_begin'),
  // `annotation.compiler_end`: its argument.
  writesArgument('annotation.compiler_end'),
  // `device_copy`: its argument.
  writesArgument('device_copy'),
  // `on_device`: its argument.
  writesArgument('on_device'),
  // `annotation.stop_fusion`: its argument.
  writesArgument('annotation.stop_fusion'),
];

/** The argument of `op`: a tensor, or the fields of a tuple. */
function writesArgument(op: string): OnnxExporter {
  return { op, write: ({ arg }) => arg(0) };
}
