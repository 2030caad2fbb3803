/** Rows of chapters: operators that are read, and operators that are written. */

import { isLeft } from '@baton/base';
import { type AttrValue, attrEqual, type Expr, type OpInfo } from '@baton/ir';
import { type OnnxAttribute, type OnnxForm, type StaticForm, staticParts } from '@baton/ops';
import { valueOfKind } from '../operator-api/attribute-values.ts';
import type { NodeAttributes } from '../operator-api/attributes.ts';
import type {
  Argument as CallArgument,
  CallContext,
  OnnxExporter,
  Operand,
  Written,
} from '../operator-api/exporter.ts';
import type { Argument, NodeContext, OnnxImporter, StandIns } from '../operator-api/importer.ts';
import { MICROSOFT } from '../operator-api/importer.ts';
import { ofType, widened } from './element-types.ts';
import { expandDims } from './words.ts';

/** The operators of a chapter: those of ONNX that are read, and those of Baton that are written. */
export type Chapter = ReadonlyArray<OnnxImporter | OnnxExporter>;

/** What a row of an operator that is read says besides its name and its code. */
type Facts = Omit<OnnxImporter, 'domain' | 'opType' | 'convert'>;

interface FormulaFacts extends Facts {
  /** Whether floats of 16 bits are computed in float32. */
  readonly isWide?: boolean;
  /** Holes that are computed; `undefined` after a failure of the node. */
  readonly let?: Readonly<
    Record<string, (context: NodeContext) => Argument | AttrValue | undefined>
  >;
}

/** The names of the arguments in formulas: the inputs of a node, or the arguments of a call. */
const PLACES = ['x', 'y', 'z', 'w'];

/** An operator of ONNX that is read by code, or as a formula of its inputs and attributes. */
export const reads = (
  opType: string,
  how: OnnxImporter['convert'] | string,
  facts: FormulaFacts = {},
): OnnxImporter => read({ opType }, how, facts);

/** A hole for an attribute of a node that is 0 or 1. */
export const flag =
  (name: string) =>
  ({ attributes }: NodeContext): boolean =>
    attributes.int(name) !== 0;

/** An operator of onnxruntime, whose nodes stay whole. */
export const microsoft = (
  opType: string,
  how: OnnxImporter['convert'] | string,
  facts: FormulaFacts = {},
): OnnxImporter => read({ domain: MICROSOFT, opType }, how, { kernelSince: 1, ...facts });

/**
 * An operator that is read as a formula, and that the export recognises in the nodes which it writes for
 * the formula.
 */
export const both = (opType: string, formula: string, facts: FormulaFacts = {}): OnnxImporter => {
  const row = reads(opType, formula, facts);
  return { formulas: standIns(attributesIn(formula)), ...row };
};

/** The holes of a formula that stand for attributes. */
const attributesIn = (formula: string): ReadonlyArray<string> => {
  const names = Array.from(formula.matchAll(/\?([a-z_]\w*)/g), ([, name = '']) => name);
  return [...new Set(names)].filter((name) => !PLACES.includes(name)).toSorted();
};

/** Any number, and those with which a step of a formula falls away. */
const NUMBERS = ['any', 1, 0] as const;

export const standIns = (names: ReadonlyArray<string>): ReadonlyArray<StandIns> =>
  names.reduce<ReadonlyArray<StandIns>>(
    (known, name) => known.flatMap((one) => NUMBERS.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );

const read = (
  operator: Pick<OnnxImporter, 'domain' | 'opType'>,
  how: OnnxImporter['convert'] | string,
  { isWide = false, let: lets = {}, ...facts }: FormulaFacts,
): OnnxImporter => ({
  ...operator,
  ...facts,
  convert: typeof how === 'string' ? (context) => readFormula(context, how, lets, isWide) : how,
});

/** The formula of a node, of its inputs, its attributes, and computed holes. */
export function readFormula(
  context: NodeContext,
  text: string,
  lets: NonNullable<FormulaFacts['let']> = {},
  isWide = false,
): Expr | undefined {
  const inputs = PLACES.map((name, i) => {
    const input = context.optional(i);
    return [name, isWide && input ? widened(context, input) : input] as const;
  });
  const own = attributesIn(text).map((name) => [
    name,
    (lets[name] ?? (() => context.attributes.value(name)))(context),
  ]);
  if (context.hasFailed()) return undefined;
  const made = context.formula(text, Object.fromEntries([...own, ...inputs]));
  return isWide ? ofType(context, made, context.dtypeOf(context.input(0))) : made;
}

/** The import of an operator whose node becomes one call with the same inputs. */
export function readsForm(
  op: OpInfo,
  { opType, versions: [since = 1], broadcastsSince, attributes = [] }: OnnxForm,
): OnnxImporter {
  return {
    opType,
    since,
    convert: (context) => {
      const attrs = attributes.flatMap((attribute): ReadonlyArray<[string, AttrValue]> => {
        const value = attributeValue(context.attributes, attribute);
        return value === undefined ? [] : [[attribute.as, value]];
      });
      const isAligned = context.version < (broadcastsSince ?? 0);
      if (broadcastsSince !== undefined && !isAligned) checkAligning(context);
      const args = op.inputs.map((_, index) =>
        isAligned && index === 1 ? alignedSecond(context) : context.input(index),
      );
      if (context.hasFailed()) return undefined;
      return context.call(op.name, args, Object.fromEntries(attrs));
    },
  };
}

function attributeValue(
  given: NodeAttributes,
  { name, kind, defaultValue }: OnnxAttribute,
): AttrValue | undefined {
  if (!given.has(name)) return defaultValue;
  switch (kind) {
    case 'int':
      return given.int(name, 0);
    case 'float':
      return given.float(name, 0);
    case 'string':
      return given.string(name, '');
    case 'ints':
      return given.ints(name);
  }
}

/** The attributes of these versions, and one of the first, which told what memory to use again. */
const EARLY = ['axis', 'broadcast', 'consumed_inputs'];

/** The second input with axes of size 1 after its own, so that it broadcasts as in NumPy. */
export function alignedSecond(context: NodeContext): Expr {
  const { attributes } = context;
  const second = context.input(1);
  const [rank, own] = [context.dimsOf(context.input(0)).length, context.dimsOf(second).length];
  if (attributes.int('broadcast') === 0 || !attributes.has('axis')) return second;
  const axis = context.axis(attributes.int('axis', 0), rank);
  const after = rank - axis - own;
  if (after < 0) {
    context.fail(
      'ONNX_AXIS',
      `expected ${own} axes of a tensor of rank ${rank} from axis ${axis} on`,
    );
  }
  if (context.hasFailed() || after === 0) return second;
  return expandDims(context, second, own, after);
}

/** Fails if a node of a version that broadcasts as NumPy does has these attributes. */
export function checkAligning(context: NodeContext): void {
  for (const name of EARLY) {
    if (!context.attributes.has(name)) continue;
    context.fail('ONNX_ATTRIBUTE', `expected an attribute of the operator, found ${name}`);
  }
}

/** Whether some of these inputs are known only at run time. */
export const hasOpenInput = (context: NodeContext, inputs: ReadonlyArray<number>): boolean =>
  inputs.some((index) => {
    const given = context.optional(index);
    return given !== undefined && context.valueOf(given) === undefined;
  });

/** The operands of a call, of which a writer takes those that its operator has. */
export type Operands = readonly [Operand, Operand, Operand, Operand, Operand];

/** Of a quantizer: whether the run computes its scale or its zero point. */
export const hasOpenScale = (context: NodeContext): boolean => hasOpenInput(context, [1, 2]);

/**
 * An operator of Baton that is written by code, which is given its arguments, or as a formula, some of
 * whose holes may be computed.
 */
export const writes = (
  op: string,
  how: string | ((context: CallContext, inputs: Operands) => Written),
  lets: Readonly<
    Record<string, (context: CallContext) => CallArgument | AttrValue | undefined>
  > = {},
): OnnxExporter => ({
  op,
  write: (context) => {
    if (typeof how === 'string') return writtenFormula(context, how, lets);
    // A writer of an operator whose first argument is a tuple reads that from the context.
    return how(context, context.inputs as unknown as Operands);
  },
});

/** The formula of a call, of its arguments, its attributes, and computed holes. */
function writtenFormula(
  context: CallContext,
  text: string,
  lets: Readonly<Record<string, (context: CallContext) => CallArgument | AttrValue | undefined>>,
): Written {
  const computed = Object.entries(lets).map(([name, of]) => [name, of(context)] as const);
  if (computed.some(([, value]) => value === undefined)) return undefined;
  const own = { ...context.attrs.all, ...argumentsOf(context) };
  return context.formula(text, { ...own, ...Object.fromEntries(computed) });
}

const argumentsOf = ({ args }: CallContext): Readonly<Record<string, CallArgument>> =>
  Object.fromEntries(args.map((arg, i) => [PLACES[i] ?? '', arg]));

/** The export of an operator by its form in ONNX, which its definition states. */
export function writesForm(
  op: OpInfo,
  { opType, versions, attributes = [] }: OnnxForm,
): OnnxExporter {
  const [first = 1] = versions;
  const said = new Set(attributes.map((attribute) => attribute.as));
  const unsaid = op.attrs.fields.filter(({ name }) => !said.has(name));
  return {
    op: op.name,
    write: (context) => {
      if (!context.since(first, opType)) return undefined;
      const other = unsaid.find(
        ({ name, defaultValue: usual = null }) => !attrEqual(context.attrs.value(name), usual),
      );
      if (other !== undefined) return context.fail(`${opType} has no ${other.name}`);
      const values = attributes.flatMap((attribute) => {
        const value = valueOfKind(attribute.kind, context.attrs.value(attribute.as));
        return value === undefined ? [] : [[attribute.name, value] as const];
      });
      return context.node(opType, context.inputs, Object.fromEntries(values));
    },
  };
}

/** The export of such an operator as its static form, if the operands are known. */
export const writesStatic = (op: OpInfo, form: StaticForm, to: OpInfo): OnnxExporter => ({
  op: op.name,
  write: (context) => {
    const { all } = context.attrs;
    const parts = staticParts(op, form, to, all, (index) => context.input(index).constant);
    if (parts === undefined) {
      const names = Object.keys(form.operands).join(', ');
      return context.unknown(`expected known values of ${names}`);
    }
    if (isLeft(parts)) return context.fail(parts.left[0].message);
    const { args, attrs } = parts.right;
    const results = context.callOf(form.name, args.map(context.arg), attrs);
    return context.results.length === 1 ? results[0] : results;
  },
});
