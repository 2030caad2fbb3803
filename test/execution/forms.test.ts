/** The interpreter of forms against the kernels, on random calls, bit by bit. */
import { type Executor, interpreter } from '@baton/executor';
import { type OpInfo, type OpTable, opTable } from '@baton/ir';
import {
  callForm,
  type Form,
  formColumn,
  type Kernel,
  kernelColumn,
  standardOps,
  staticTensor,
  typeOfValue,
} from '@baton/ops';
import { type CheckedExecutor, checkOperatorCalls, noOperators } from '@baton/testing';
import { expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { interpretForm } from './interpret-forms.ts';

const CALLS = amount(200, { quick: 8 });
const SEED = 37_100;

/** The calls that had a form, by its kind. */
const formed = new Map<Form['_tag'], number>();

const formOf = (name: string): Form | undefined => standardOps.read(formColumn, name);

/** The operators, whose kernels compute their forms. */
const byForm: OpTable = opTable(
  standardOps.names.flatMap((name) => {
    const op = standardOps.get(name);
    return op === undefined ? [] : [formOf(name) === undefined ? op : withForm(op)];
  }),
);

function withForm(op: OpInfo): OpInfo {
  const own = standardOps.read(kernelColumn, op.name);
  const run: Kernel = (args, attrs, out) => {
    const types = args.map(typeOfValue);
    const form = callForm(standardOps, { name: op.name, attrs, types, result: out.type });
    const fields = out.type._tag === 'TupleType' ? out.type.fields : [out.type];
    const [result] = fields.map(staticTensor);
    const value = result && interpretForm(form, args, result);
    if (value === undefined) return own?.(args, attrs, out) ?? [];
    const { _tag } = formOf(op.name) as Form;
    formed.set(_tag, (formed.get(_tag) ?? 0) + 1);
    return value;
  };
  return { ...op, facets: new Map(op.facets).set(kernelColumn.name, run) };
}

const forms: Executor = {
  ...interpreter,
  name: 'forms',
  // It replaces the table of operators, and with it the kernels that watch a run.
  isCompiled: true,
  prepare: (m, limits) => interpreter.prepare({ ...m, ops: byForm }, limits),
};

const subject: CheckedExecutor = { executor: forms, isExact: true, covers: () => true };

const counts = noOperators();
const NAMES = standardOps.names.filter((name) => formOf(name) !== undefined);

it.each([0, 1, 2, 3])('forms give what kernels give, part %i', (part) => {
  const problems = NAMES.filter((_, i) => i % 4 === part).flatMap((name) =>
    checkOperatorCalls(standardOps, name, { seed: SEED, count: CALLS }, subject, counts),
  );
  expect(problems).toEqual([]);
});

it('every kind of form is met', () => {
  expect(counts.operators.size).toBeGreaterThan(100);
  expect([...formed.keys()].sort().join(' ')).toBe(
    'Concat Contract Convert Gather Interpolate Map Pad Reduce Scan Scatter Softmax Steps View Window',
  );
});
