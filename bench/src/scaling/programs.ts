/** Programs of a given size, which every stage must handle in linear time. */
import { callOp } from '@baton/ops';
import { scalar } from '@baton/tensor';
import {
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  letIn,
  standardOps,
  tensorType,
  variable,
} from 'batonjs';

const moduleOf = (body: (x: Expr) => Expr): IRModule => {
  const x = variable('x', tensorType([2], 'float32'));
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], body(x))]]) });
};

const one = constant(scalar(1, 'float32'));

/** `add(add(.. add(x, 1) .., 1), 1)`. */
export const chainOfCalls = (size: number): IRModule =>
  moduleOf((x) => {
    let top = x;
    for (let i = 0; i < size; i++) top = callOp(standardOps, 'add', [top, one]);
    return top;
  });

/** `let a1 = a0 + 1; let a2 = a1 + 1; ..; an`. */
export const nestedLets = (size: number): IRModule =>
  moduleOf((x) => {
    const vars = [x];
    for (let i = 1; i <= size; i++) {
      vars.push(variable(`a${i}`, tensorType([2], 'float32')));
    }
    let body = vars[size] as Expr;
    for (let i = size; i >= 1; i--) {
      const binder = vars[i] as Expr;
      if (binder._tag !== 'Var') continue;
      body = letIn(binder, callOp(standardOps, 'add', [vars[i - 1] as Expr, one]), body);
    }
    return body;
  });

/** `t1 = x · x; t2 = t1 · t1; ..`: 2ⁿ paths, n nodes. */
export const diamondLadder = (levels: number): IRModule =>
  moduleOf((x) => {
    let top = x;
    for (let i = 0; i < levels; i++) top = callOp(standardOps, 'maximum', [top, top]);
    return top;
  });
