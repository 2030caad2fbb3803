/** A preparation for ExpandGradient: a program takes its value from its own gradient. */
import { expandGradients } from '@baton/autodiff';
import { isRight, type Result, right } from '@baton/base';
import {
  call,
  copyFunction,
  type Func,
  func,
  type IRModule,
  inferTypes,
  tupleGetItem,
  variable,
  withFunctions,
} from '@baton/ir';
import { callOp } from '@baton/ops';
import { inferType, type Pass, pass } from '@baton/pass-manager';

/**
 * `main` becomes `gradient(main)(..).0`, which has the same value, if its gradient can be made: in
 * first order for half of the programs that this mode covers, else in higher order. Most programs
 * stay, since a gradient is much longer than its program.
 */
export const throughGradients: Pass = pass({
  name: 'ThroughGradients',
  doc: 'Takes the value of a program from its gradient.',
  level: 0,
  requires: [inferType],
  run: (m) => {
    const main = m.functions.get('main');
    const chosen = ((main?.hash ?? 0) >>> 0) % 20;
    if (main === undefined || chosen >= CHOSEN) return right(m);
    const modes = chosen % 2 === 0 ? ['higher_order'] : ['first_order', 'higher_order'];
    const made = modes.map((mode) => withGradient(m, main, mode));
    return right(made.find(canExpand) ?? m);
  },
});

/** Of 20 programs. */
const CHOSEN = 7;

/** `main` becomes `gradient(main)(..).0` in higher order, if that gradient can be made. */
export const throughGradient: Pass = pass({
  name: 'ThroughGradient',
  doc: 'Takes the value of a program from its gradient in higher order.',
  level: 0,
  requires: [inferType],
  run: (m) => {
    const main = m.functions.get('main');
    const made = main && withGradient(m, main, 'higher_order');
    return right(made !== undefined && canExpand(made) ? made : m);
  },
});

/** `main` becomes `gradient(main)`: its value and the gradients, if these can be made. */
export const differentiated: Pass = pass({
  name: 'Differentiated',
  doc: 'Adds the gradients to the value of a program.',
  level: 0,
  requires: [inferType],
  run: (m) => {
    const main = m.functions.get('main');
    if (main === undefined) return right(m);
    const { params, found } = gradientOf(m, main, 'higher_order');
    const made = withFunctions(m, new Map([...m.functions, ['main', func(params, found)]]));
    const expanded = expandGradients(orElse(inferTypes(made), m));
    return right(orElse(expanded, m));
  },
});

const orElse = <A>(result: Result<A>, other: A): A => (isRight(result) ? result.right : other);

function gradientOf(m: IRModule, main: Func, mode: string) {
  const params = main.params.map((v) => variable(v.nameHint, v.typeAnnotation));
  const marker = callOp(m.ops, 'gradient', [copyFunction(main)], { mode });
  return { params, found: call(marker, params) };
}

function withGradient(m: IRModule, main: Func, mode: string): IRModule {
  const { params, found } = gradientOf(m, main, mode);
  const value = tupleGetItem(found, 0);
  const made = func(params, value, { retType: main.retType, attrs: main.attrs, span: main.span });
  return withFunctions(m, new Map([...m.functions, ['main', made]]));
}

function canExpand(m: IRModule): boolean {
  const expanded = expandGradients(m);
  return isRight(expanded) && isRight(inferTypes(expanded.right));
}
