/** Every importable ONNX operator, by domain and name. */
import { onnxColumn, standardOps } from '@baton/ops';
import { converted } from './converted.ts';
import { oneToOne } from './families/one-to-one.ts';
import { type OnnxOperator, type OperatorIndex, operatorKey } from './node/operator.ts';

/** The operators that are one of Baton's under another name, as that one's definition states. */
const renamed: ReadonlyArray<OnnxOperator> = standardOps.names.flatMap((name) => {
  const op = standardOps.get(name);
  const form = standardOps.read(onnxColumn, name);
  return op === undefined || form === undefined ? [] : [oneToOne(op, form)];
});

/** The operators by domain and name. */
export const onnxOperators: OperatorIndex = new Map(
  [...renamed, ...converted].map((operator) => [
    operatorKey(operator.domain ?? '', operator.opType),
    operator,
  ]),
);
