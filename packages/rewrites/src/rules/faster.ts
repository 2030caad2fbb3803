/** Operators that may err more: [passes §21](https://batonjs.github.io/baton/spec/passes#21). */
import { fasterColumn } from '@baton/ops';
import { type OperatorTest, ownRule as rule, ruleSet } from '../rule/rule.ts';

const hasFaster: OperatorTest = (ops, name) =>
  ops.read(fasterColumn, name) !== undefined && ops.get(name)?.inputs.length === 1;

/** op(x) = fast_op(x) */
export const faster = ruleSet(
  'faster',
  rule('faster form', '?op(?x, attrs=?a)', '?fast(?x, attrs=?a)', {
    operators: {
      op: hasFaster,
      fast: (ops, name, { op = '' }) => ops.read(fasterColumn, op) === name,
    },
    needs: ['afn'],
    orient: 'canonical',
  }),
);
