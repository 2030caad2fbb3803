/** Rows of chapters: operators that are read, and operators that are written. */

import { isLeft } from '@baton/base';
import { type AttrValue, attrEqual, type Expr, type OpInfo } from '@baton/ir';
import { type OnnxAttribute, type OnnxForm, type StaticForm, staticParts } from '@baton/ops';
import { valueOfKind } from '../operator-api/attribute-values.ts';
import type { NodeAttributes } from '../operator-api/attributes.ts';
import { MICROSOFT } from '../operator-api/domains.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import type { NodeContext, OnnxImporter, StandIns } from '../operator-api/importer.ts';
import { ofType, widened } from './element-types.ts';

/** The operators of a chapter: those of ONNX that are read, and those of Baton that are written. */
export type Chapter = ReadonlyArray<OnnxImporter | OnnxExporter>;

/** What a row of an operator that is read says besides its name and its code. */
type Facts = Omit<OnnxImporter, 'domain' | 'opType' | 'convert'>;

/** An operator of ONNX that is read by `convert`. */
export const reads = (
  opType: string,
  convert: OnnxImporter['convert'],
  facts: Facts = {},
): OnnxImporter => ({ opType, convert, ...facts });

/** An operator of onnxruntime's own that is read by `convert`. */
export const microsoft = (
  opType: string,
  convert: OnnxImporter['convert'],
  facts: Facts = {},
): OnnxImporter => ({ domain: MICROSOFT, opType, convert, ...facts });

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
export function readsFormula<Name extends string = never>(
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

/** A {@link readsFormula} of several steps, which floats of 16 bits take in float32. */
export function readsWideFormula<Name extends string = never>(
  ...parts: Parameters<typeof readsFormula<Name>>
): OnnxImporter {
  const narrow = readsFormula<Name>(...parts);
  return {
    ...narrow,
    convert: (context) => {
      const input = (index: number): Expr => widened(context, context.input(index));
      const value = narrow.convert({ ...context, input });
      return ofType(context, value, context.dtypeOf(context.input(0)));
    },
  };
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
  const [rank, own] = [context.input(0), second].map((x) => context.dimsOf(x).length) as [
    number,
    number,
  ];
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
  return context.call('expand_dims', [second], { axis: own, num_newaxis: after });
}

/** Fails if a node of a version that broadcasts as NumPy does has these attributes. */
export function checkAligning(context: NodeContext): void {
  for (const name of EARLY) {
    if (!context.attributes.has(name)) continue;
    context.fail('ONNX_ATTRIBUTE', `expected an attribute of the operator, found ${name}`);
  }
}

/** The operator `op`, whose arguments are tensors, as a formula of them. */
export const writes = (
  op: string,
  of: (context: CallContext, ...inputs: ReadonlyArray<Operand>) => Written,
): OnnxExporter => ({
  op,
  write: (context) => {
    const inputs = Array.from({ length: of.length - 1 }, (_, index) => context.input(index));
    return of(context, ...inputs);
  },
});

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

/** The operator as a node with the same inputs and no attributes. */
export const writesNode = (op: string, opType: string): OnnxExporter => ({
  op,
  write: (context) => context.node(opType, context.inputs),
});

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
