/** Rows of case tables that are named after operators: one for each that states the fact asked for. */
import type { Column, OpTable } from '@baton/ir';
import { type OperatorRow, operatorRow } from '@baton/pass-manager';

/** The operators of a table that have a fact in a column, by default whatever it is, as rows. */
export const operatorRows =
  <T>(column: Column<T>, counts: (fact: T) => boolean = () => true, prefix = '') =>
  (ops: OpTable): ReadonlyArray<OperatorRow> =>
    ops.names.flatMap((name) => {
      const fact = ops.read(column, name);
      return fact !== undefined && counts(fact) ? [operatorRow(`${prefix}${name}`)] : [];
    });
