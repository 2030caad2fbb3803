/** Operators defined by a formula of elementwise operators. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter, StandIns } from '../operator-api/importer.ts';
import { ofType, widened } from './wide.ts';

/** Makes a call of an operator of Baton, see {@link NodeContext.call}. */
export type MakeCall = NodeContext['call'];

/** Any number, and those with which a step of a formula falls away. */
const NUMBERS = ['any', 1, 0] as const;

/** An operator with one result. */
interface Formula extends OnnxImporter {
  readonly convert: (context: NodeContext) => Expr;
}

/**
 * The operator whose result is the formula of its inputs. `defaults` has its attributes, all
 * floats, with their defaults.
 */
export function formula<Name extends string = never>(
  opType: string,
  defaults: Readonly<Record<Name, number>>,
  of: (
    tools: Readonly<Record<Name, number>> & { readonly call: MakeCall },
    ...inputs: ReadonlyArray<Expr>
  ) => Expr,
  since?: number,
): Formula {
  const names = Object.keys(defaults) as Name[];
  const count = of.length - 1;
  return {
    opType,
    ...(since === undefined ? {} : { since }),
    formulas: names.reduce<ReadonlyArray<StandIns>>(
      (known, name) => known.flatMap((one) => NUMBERS.map((value) => ({ ...one, [name]: value }))),
      [{}],
    ),
    convert: (context) => {
      const given = names.map((name) => [name, context.attributes.float(name, defaults[name])]);
      const inputs = Array.from({ length: count }, (_, index) => context.input(index));
      return of({ ...Object.fromEntries(given), call: context.call }, ...inputs);
    },
  };
}

/** A {@link formula} of several steps, which floats of 16 bits take in float32. */
export function wideFormula<Name extends string = never>(
  ...parts: Parameters<typeof formula<Name>>
): OnnxImporter {
  const narrow = formula<Name>(...parts);
  return {
    ...narrow,
    convert: (context) => {
      const input = (index: number): Expr => widened(context, context.input(index));
      const value = narrow.convert({ ...context, input });
      return ofType(context, value, context.dtypeOf(context.input(0)));
    },
  };
}
