/** The exception with which the decoder rejects data that is not a module. */
import type { Diagnostic } from '@baton/base';
import { badJson } from '../diagnostics.ts';

/** Thrown deep within the decoder, and caught where decoding starts. */
export class JsonFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Rejects the value at `path`. */
export function refuse(path: string, problem: string): never {
  throw new JsonFault(badJson(path, problem));
}

/** The row of a table at an index; rows after the current one are not there yet. */
export function rowAt<A>(rows: ReadonlyArray<A>, index: number, path: string): A {
  const row = rows[index];
  if (row === undefined) return refuse(path, `there is no row ${index} before it`);
  return row;
}
