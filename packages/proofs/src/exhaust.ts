/** Rules of operators without a meaning in terms: both sides are evaluated at every value of 8 bits. */
import { isLeft } from '@baton/base';
import { evaluate } from '@baton/executor';
import {
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  opRef,
  tensorType,
  tuple,
  type Var,
  variable,
} from '@baton/ir';
import { applyRule, type CompiledRule, IN_PLACE } from '@baton/rewrites';
import {
  type DType,
  fromNumbers,
  isFloat,
  readNumber,
  shapeSize,
  type Tensor,
  tensorsEqual,
} from '@baton/tensor';
import { attributeText } from './attributes.ts';
import type { FoundCalls } from './calls.ts';
import { RuleThrows } from './conditions.ts';
import { type Setting, settingsOf } from './settings.ts';
import { indexText, valueText } from './values.ts';

/** What was found about a rule at all values. */
export type Exhaustion =
  | { readonly state: 'equal'; readonly reason: string }
  | { readonly state: 'differ'; readonly reason: string };

/** The scales that are tried: their ratios give ties, and are above and below 1. */
const SCALES = [1, 0.5, 0.25, 0.75, 0.1, 1 / 3, 2 ** -7, 3.5, 2 ** -10, 40];
/** The zero points that are tried: the ends of the types, and some between. */
const POINTS = [0, -128, 127, 255, 3, -7, 128];

/** The choices of parameters for one setting, and for all of them together. */
const CHOICES: Readonly<Record<Setting['unit'], number>> = { value: 40, 'pair of values': 12 };
const MOST_CHOICES = 480;

/**
 * Whether both sides of a rule are equal bit for bit, at every value of int8 and uint8 with typical
 * scales and zero points; `undefined` if the rule is not of operators that work element by element
 * on such values, or fits none.
 *
 * **Errors** throws `RuleThrows`.
 */
export function exhausted(
  { rule, ...compiled }: CompiledRule,
  m: IRModule,
  calls: FoundCalls,
): Exhaustion | undefined {
  // What a rule costs is no matter of its truth.
  const free = { ...compiled, rule: { ...rule, profitable: [] } };
  const dtypes = new Set<DType>();
  const units = new Set<Setting['unit']>();
  const settings = settingsOf(rule, m.ops, calls);
  let choice = 0;
  let count = 0;
  for (const setting of settings) {
    const tries = Math.min(CHOICES[setting.unit], Math.ceil(MOST_CHOICES / settings.length));
    for (let i = 0; i < tries; i++) {
      const compared = compare(free, m, setting, parametersOf(setting, choice++));
      if (compared === undefined) continue;
      if (compared !== 'equal') return { state: 'differ', reason: compared };
      count += 1;
      units.add(setting.unit);
      for (const { dtype } of setting.data.values()) dtypes.add(dtype);
    }
  }
  if (count === 0) return undefined;
  const values = `every ${[...units].join(' and ')} of ${[...dtypes].join(' and ')}`;
  const choices = `${count} choices of element types, scales, zero points and attributes`;
  return { state: 'equal', reason: `evaluated at ${values}; ${choices}` };
}

/** Values of the parameters: a fixed choice that mixes those of the lists. */
function parametersOf({ parameters }: Setting, choice: number): ReadonlyMap<string, Tensor> {
  let mixed = Math.imul(choice + 1, 0x9e3779b1) >>> 0;
  return new Map(
    [...parameters].map(([name, { shape, dtype }]) => {
      const list = isFloat(dtype) ? SCALES : POINTS;
      const first = Math.floor((mixed / 2 ** 32) * list.length);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0x5bd1e995) >>> 0;
      const values = Array.from(
        { length: shapeSize(shape) },
        (_, i) => list[(first + i) % list.length] as number,
      );
      return [name, fromNumbers(values, shape, dtype)];
    }),
  );
}

/** Whether both sides of one call are equal: a counterexample if not, nothing if the rule does not match. */
function compare(
  compiled: CompiledRule,
  m: IRModule,
  { left, attrs, holes, data }: Setting,
  parameters: ReadonlyMap<string, Tensor>,
): string | undefined {
  const variables = new Map(
    [...data].map(([name, { shape, dtype }]) => [name, variable(name, tensorType(shape, dtype))]),
  );
  const constants = [...parameters].map(([name, value]) => [name, constant(value)] as const);
  const terms = new Map<string, Expr>([...variables, ...constants]);
  const args = left.args.map((p) => {
    const exprs = (p._tag === 'Tuple' ? p.fields : [p]).flatMap((part) =>
      part._tag === 'Hole' ? [terms.get(part.name) as Expr] : [],
    );
    return p._tag === 'Tuple' ? tuple(exprs) : (exprs[0] as Expr);
  });
  const root = call(opRef(left.op), args, { attrs });
  const right = rightOf(compiled, m, root, { terms, attrs: new Map(holes), nodes: [] });
  if (right === undefined) return undefined;
  const run = (expr: Expr): Tensor | string => resultOf(m, [...variables.values()], expr, data);
  const [known, other] = [run(root), run(right)];
  if (typeof known === 'string') return undefined;
  const place = typeof other === 'string' ? other : differenceOf(known, other, data);
  if (place === undefined) return 'equal';
  const given = [...parameters].map(([name, value]) => `${name} = ${valueText(value)}`);
  const chosen = [...holes].map(([name, value]) => `${name} = ${attributeText(value)}`);
  return `${[...given, ...chosen].join(', ')}: ${place}`;
}

/** The right side of a step by the rule at a call; `undefined` if there is none. */
function rightOf(
  compiled: CompiledRule,
  m: IRModule,
  root: Expr,
  bindings: Parameters<typeof applyRule>[3],
): Expr | undefined {
  try {
    const step = applyRule(m, compiled, [root], bindings, IN_PLACE);
    return typeof step === 'string' ? undefined : step.results[0];
  } catch (error) {
    throw new RuleThrows(String(error));
  }
}

/** What an expression comes to, or why it has no value. */
function resultOf(
  { ops }: IRModule,
  params: ReadonlyArray<Var>,
  expr: Expr,
  data: ReadonlyMap<string, Tensor>,
): Tensor | string {
  const m = irModule({ ops, functions: new Map([['main', func(params, expr)]]) });
  const value = evaluate(m, [...data.values()]);
  if (isLeft(value)) return value.left[0].message;
  return value.right._tag === 'Tensor' ? value.right : 'no tensor';
}

/** The first element in which two results differ, with both its values. */
function differenceOf(
  known: Tensor,
  other: Tensor,
  data: ReadonlyMap<string, Tensor>,
): string | undefined {
  if (tensorsEqual(known, other)) return undefined;
  const size = shapeSize(known.shape);
  const at = Array.from({ length: size }, (_, i) => i).find(
    (i) => !Object.is(readNumber(known, i), readNumber(other, i)),
  );
  if (at === undefined) return `results of ${known.dtype} and ${other.dtype}`;
  const types = [...data].map(([name, { shape, dtype }]) => `${name}: ${dtype}(${shape})`);
  return `element ${indexText(at, known.shape)} of ${types.join(', ')}: ${readNumber(known, at)} and ${readNumber(other, at)}`;
}
