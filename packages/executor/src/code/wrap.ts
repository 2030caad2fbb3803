/** Operators and constructors as functions. */
import { type Diagnostic, isLeft } from '@baton/base';
import type { Constructor, IRModule, OpRef } from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import type { Closure } from '../values/value.ts';
import * as ins from './instruction.ts';
import { inputsCheck, operatorCode, operatorSite } from './sites.ts';

/**
 * An operator or a constructor as a function: `fn (%x, ..) { op(%x, ..) }`. An operator has its
 * default attributes.
 *
 * **Errors** `EXEC_UNKNOWN_OPERATOR`, and the errors of attributes without a default.
 */
export function wrappedCallee(
  callee: OpRef | Constructor,
  m: IRModule,
  executor: string,
): Closure | Diagnostic {
  const { span } = callee;
  if (callee._tag === 'Constructor') {
    return functionOf(callee.inputs.length, executor, (parts, newSlot) => {
      const check = inputsCheck(callee, span, parts.args, newSlot);
      return [ins.instruction(ins.CONSTRUCT, { ctor: callee, check }, parts)];
    });
  }
  const op = m.ops.get(callee.name);
  if (op === undefined) return diagnostics.unknownOperator(callee.name, span);
  const attrs = op.attrs.decode({});
  if (isLeft(attrs)) return span === undefined ? attrs.left[0] : { ...attrs.left[0], span };
  const site = operatorSite(callee.name, attrs.right, span, m.ops);
  const code = operatorCode(site, op.inputs.length);
  return functionOf(op.inputs.length, executor, (parts) => [
    ins.instruction(code, site, parts),
    ins.instruction(ins.FORGET, undefined, { dead: parts.args }),
  ]);
}

type Parts = ins.InstructionParts & { readonly args: ReadonlyArray<ins.Operand> };

/** The function of `arity` parameters that returns the result of instructions on them. */
function functionOf(
  arity: number,
  executor: string,
  instructions: (parts: Parts, newSlot: () => number) => ReadonlyArray<ins.Instruction>,
): Closure {
  const routine = ins.newRoutine(undefined, arity, false, executor);
  const args = Array.from({ length: arity }, (_, i) => i);
  const newSlot = (): number => {
    routine.slotCount += 1;
    return routine.slotCount - 1;
  };
  const dest = newSlot();
  routine.instructions.push(
    ...instructions({ dest, args }, newSlot),
    ins.instruction(ins.RETURN, undefined, { a: dest }),
  );
  return { _tag: 'Closure', func: undefined, code: routine, captured: [], environment: undefined };
}
