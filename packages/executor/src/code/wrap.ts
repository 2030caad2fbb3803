/** Operators and constructors in the place of functions. */
import { type Diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import type { Constructor, IRModule, OpRef } from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import { adtValue, type Closure } from '../values/value.ts';
import * as ins from './instruction.ts';
import { inputsCheck, operatorCode, operatorSite } from './sites.ts';

/**
 * An operator or a constructor as a function: `fn (%x, ..) { op(%x, ..) }`. An operator has its
 * default attributes.
 *
 * **Errors** `EXEC_UNKNOWN_OPERATOR`, and the errors of attributes without a default.
 */
export function wrappedCallee(callee: OpRef | Constructor, m: IRModule): Result<Closure> {
  return callee._tag === 'Op' ? wrappedOperator(callee, m) : right(wrappedConstructor(callee));
}

function wrappedOperator(callee: OpRef, m: IRModule): Result<Closure> {
  const op = m.ops.get(callee.name);
  if (op === undefined) return fail(diagnostics.unknownOperator(callee.name, callee.span));
  const attrs = op.attrs.decode({});
  if (isLeft(attrs)) {
    const [first, ...others] = attrs.left.map((d) => withSpan(d, callee));
    return fail(first as Diagnostic, ...others);
  }
  const site = operatorSite(callee.name, attrs.right, callee.span, m.ops);
  const code = operatorCode(site, op.inputs.length);
  return right(functionOf(op.inputs.length, (parts) => ins.instruction(code, site, parts)));
}

const withSpan = (d: Diagnostic, callee: OpRef): Diagnostic =>
  callee.span === undefined ? d : { ...d, span: callee.span };

function wrappedConstructor(ctor: Constructor): Closure {
  const { length } = ctor.inputs;
  if (length > 0) {
    return functionOf(length, (parts, newSlot) => {
      const check = inputsCheck(ctor, ctor.span, parts.args, newSlot);
      return ins.instruction(ins.CONSTRUCT, { ctor, check }, parts);
    });
  }
  const routine = ins.newRoutine(undefined, 0, false);
  routine.constants.push(adtValue(ctor, []));
  routine.instructions.push(ins.instruction(ins.RETURN, undefined, { a: ~0 }));
  return closureOf(routine);
}

type Parts = ins.InstructionParts & { readonly args: ReadonlyArray<ins.Operand> };

/** The function of `arity` parameters that returns the result of one instruction on them. */
function functionOf(
  arity: number,
  instruction: (parts: Parts, newSlot: () => number) => ins.Instruction,
): Closure {
  const routine = ins.newRoutine(undefined, arity, false);
  const args = Array.from({ length: arity }, (_, i) => i);
  const newSlot = (): number => {
    routine.slotCount += 1;
    return routine.slotCount - 1;
  };
  const dest = newSlot();
  routine.instructions.push(
    instruction({ dest, a: 0, b: 1, args }, newSlot),
    ins.instruction(ins.RETURN, undefined, { a: dest }),
  );
  return closureOf(routine);
}

const closureOf = (routine: ins.Routine): Closure => ({
  _tag: 'Closure',
  func: undefined,
  code: routine,
  captured: [],
  environment: undefined,
});
