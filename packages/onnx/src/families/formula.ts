/** Operators defined by a formula of elementwise operators. */
import type { Attrs, Expr } from '@baton/ir';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

/** A formula: an input, a number of the first input's element type, or a call. */
export type Formula = { readonly input: number } | number | FormulaCall;

interface FormulaCall {
  readonly op: string;
  readonly args: ReadonlyArray<Formula>;
  readonly attrs: Attrs;
}

/** A call of an operator of Baton. */
export const apply = (op: string, args: ReadonlyArray<Formula>, attrs: Attrs = {}): Formula => ({
  op,
  args,
  attrs,
});

/**
 * The operator whose result is the formula of its inputs. `defaults` has its attributes, all
 * floats, with their defaults.
 */
export function formula<Name extends string = never>(
  opType: string,
  versions: ReadonlyArray<number>,
  defaults: Readonly<Record<Name, number>>,
  of: (attributes: Readonly<Record<Name, number>>, ...inputs: ReadonlyArray<Formula>) => Formula,
): OnnxOperator {
  const names = Object.keys(defaults) as Name[];
  const count = of.length - 1;
  const inputs = Array.from({ length: count }, (_, input) => ({ input }));
  return {
    opType,
    versions,
    inputs: [count, count],
    attributes: Object.fromEntries(names.map((name) => [name, 'float'])),
    needs: operatorsOf(of(defaults, ...inputs)),
    convert: (context) => {
      const given = names.map((name) => [name, context.attributes.float(name, defaults[name])]);
      const args = inputs.map(({ input }) => context.input(input));
      return exprOf(context, of(Object.fromEntries(given), ...inputs), args);
    },
  };
}

/** The operators of a formula, each once. */
export function operatorsOf(root: Formula): ReadonlyArray<string> {
  if (typeof root === 'number' || 'input' in root) return [];
  return [...new Set([root.op, ...root.args.flatMap(operatorsOf)])];
}

/** The expression of a formula; a part that occurs twice is one node. */
export function exprOf(context: NodeContext, root: Formula, inputs: ReadonlyArray<Expr>): Expr {
  const made = new Map<Formula, Expr>();
  const dtype = context.dtypeOf(inputs[0] as Expr);
  const build = (part: Formula): Expr => {
    if (typeof part === 'number') return context.scalar(part, dtype);
    if ('input' in part) return inputs[part.input] as Expr;
    const known = made.get(part);
    if (known !== undefined) return known;
    const expr = context.call(part.op, part.args.map(build), part.attrs);
    made.set(part, expr);
    return expr;
  };
  return build(root);
}
