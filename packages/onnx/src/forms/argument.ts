/** Operators that give their argument, of whose meaning a file says nothing. */
import type { OnnxExporter } from '../operator-api/exporter.ts';

/** The argument of `op`: a tensor, or the fields of a tuple. */
export const argumentOf = (op: string): OnnxExporter => ({ op, write: ({ arg }) => arg(0) });
