/** Giving up on data that is no module, from deep within its decoder. */
import type { Diagnostic } from '@baton/base';
import { badJson } from '../diagnostics.ts';

/** Thrown by the decoder, and caught where decoding starts. */
export class JsonFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Gives up: something at `path` is not what it has to be. */
export function refuse(path: string, problem: string): never {
  throw new JsonFault(badJson(path, problem));
}

/** The row of a table that an index refers to; rows after the one that is read are not there yet. */
export function rowAt<A>(rows: ReadonlyArray<A>, index: number, path: string): A {
  const row = rows[index];
  if (row === undefined) return refuse(path, `there is no row ${index} before it`);
  return row;
}
