/** Rows of case tables named after operators: one for each operator with a given fact. */
import { type Analysis, analysis } from '@baton/base';
import type { Column, OpTable } from '@baton/ir';
import { type OperatorRow, operatorRow } from '@baton/pass-manager';

/** The operators of a table with a fact in a column, as rows; by default with any fact. */
export const operatorRows = <T>(
  column: Column<T>,
  counts: (fact: T) => boolean = () => true,
  prefix = '',
): Analysis<OpTable, ReadonlyArray<OperatorRow>> =>
  analysis((ops) =>
    ops.names.flatMap((name) => {
      const fact = ops.read(column, name);
      return fact !== undefined && counts(fact) ? [operatorRow(`${prefix}${name}`)] : [];
    }),
  );
