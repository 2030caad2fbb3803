/**
 * FastMath: exponentials and their kin become operators that may err more.
 * [passes §21](https://batonjs.github.io/baton/spec/passes#21).
 */
import { call, opRef } from '@baton/ir';
import { fasterColumn, isOpCall } from '@baton/ops';
import {
  inferType,
  isDecidedByCallers,
  operatorRow,
  type Pass,
  rewriteFunc,
  rewritingPass,
} from '@baton/pass-manager';
import { operatorRows } from './operator-rows.ts';

/**
 * Replaces calls of operators that have a faster form, which may err more:
 *
 * ```
 * nn.softmax(tanh(%x), axis=1)   =>   nn.fast_softmax(fast_tanh(%x), axis=1)
 * ```
 *
 * A call whose types the callers of a function decide stays. An executor may compute the faster
 * form exactly.
 *
 * **Complexity** linear in the function.
 */
export const fastMath: Pass = rewritingPass({
  name: 'FastMath',
  doc: 'Uses faster, less accurate operators.',
  subject: 'functions',
  level: 4,
  requires: [inferType],
  needs: ['afn'],
  operatorRows: operatorRows(fasterColumn),
  isIdempotent: true,
  run: (f, m, { count }) =>
    rewriteFunc(f, m, (node, get) => {
      const faster = isOpCall(node) ? m.ops.read(fasterColumn, node.op.name) : undefined;
      if (faster === undefined || !isOpCall(node) || isDecidedByCallers(m, node)) return undefined;
      count(operatorRow(node.op.name));
      return call(opRef(faster, node.op.span), node.args.map(get), node);
    }),
});
