/** Counters named after operators: one for each operator with a given fact. */
import { type Analysis, analysis } from '@baton/base';
import type { Column, OpTable } from '@baton/ir';
import { type OperatorCounter, operatorCounter } from '@baton/pass-manager';

/** The operators of a table with a fact in a column, as counters; by default with any fact. */
export const operatorCounters = <T>(
  column: Column<T>,
  counts: (fact: T) => boolean = () => true,
  prefix = '',
): Analysis<OpTable, ReadonlyArray<OperatorCounter>> =>
  analysis((ops) =>
    ops.names.flatMap((name) => {
      const fact = ops.read(column, name);
      return fact !== undefined && counts(fact) ? [operatorCounter(`${prefix}${name}`)] : [];
    }),
  );
