/** Operators that give their argument, of whose meaning a file says nothing. */
import type { OnnxWriter } from '../node/writer.ts';

/** The argument of `op`: a tensor, or the fields of a tuple. */
export const argumentOf = (op: string): OnnxWriter => ({ op, write: ({ arg }) => arg(0) });
