/** Rows of case tables that are named after operators: one for each that states the fact asked for. */
import type { Column } from '@baton/ir';
import { standardOps } from '@baton/ops';
import type { Count } from '@baton/pass-manager';

declare const operatorRow: unique symbol;

/** The name of a standard operator, as a row. */
export type OperatorRow = string & { readonly [operatorRow]: true };

/** The standard operators that have a fact in a column, by default whatever it is. */
export const operatorRows = <T>(
  column: Column<T>,
  counts: (fact: T) => boolean = () => true,
): ReadonlyArray<OperatorRow> =>
  standardOps.names.filter((name): name is OperatorRow => {
    const fact = standardOps.read(column, name);
    return fact !== undefined && counts(fact);
  });

/** Counts the row of an operator; one from elsewhere has no row. */
export const countOperator = (
  rows: ReadonlyArray<string>,
  count: Count<OperatorRow>,
  name: string,
): void => {
  if (isRow(rows, name)) count(name);
};

const isRow = (rows: ReadonlyArray<string>, name: string): name is OperatorRow =>
  rows.includes(name);
