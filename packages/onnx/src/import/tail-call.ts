/** Loops: local functions that call themselves in last position. */
import type { Span } from '@baton/base';
import {
  call,
  type Expr,
  func,
  funcType,
  ifElse,
  letIn,
  tuple,
  tupleGetItem,
  tupleType,
  variable,
} from '@baton/ir';
import type { LoopParts, Values } from '../operator-api/importer.ts';
import type { ValueTypes } from './types.ts';

/**
 * The state in which a loop ends, field by field:
 *
 * ```
 * let %loop = fn (%state) { if (goesOn(%state)) { %loop(next(%state)) } else { %state } };
 * %loop(start)
 * ```
 */
export function loop<const Fixed extends Values, const State extends ReadonlyArray<Expr>>(
  { typeOf, set }: ValueTypes,
  parts: LoopParts<Fixed, State>,
  span: Span,
): State {
  const local = (name: string) => (value: Expr, i: number) =>
    variable(`${name}${i}`, typeOf(value), span);
  const constants = parts.fixed.map((value, i) => value && local('fixed')(value, i));
  const params = parts.start.map(local('state'));
  // Each list has a variable for each value, so it is of the values' kind.
  const [fixed, state] = [constants as Values as Fixed, params as ReadonlyArray<Expr> as State];
  const types = params.flatMap(({ typeAnnotation }) => typeAnnotation ?? []);
  // A value without a type comes after a failure.
  if (types.length < params.length) return parts.start;
  const type = tupleType(types);
  const self = variable('loop', funcType(types, type), span);
  const round = call(self, parts.next(fixed, state), { span });
  const body = ifElse(parts.goesOn(fixed, state), round, tuple(state, span), span);
  const made = letIn(
    self,
    func(params, body, { retType: type, span }),
    call(self, parts.start, { span }),
    span,
  );
  const whole = constants.reduceRight<Expr>((inner, name, i) => {
    const value = parts.fixed[i];
    return name === undefined || value === undefined ? inner : letIn(name, value, inner, span);
  }, made);
  set(whole, type);
  return types.map((_, i) => tupleGetItem(whole, i, span)) as ReadonlyArray<Expr> as State;
}
