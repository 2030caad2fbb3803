/** The export of one call of an operator. */
import { type Diagnostic, diagnostic, invariant, isLeft } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  anyDim,
  type Expr,
  isStaticDim,
  noAttrs,
  postOrderExprs,
  type TensorType,
  type Type,
  tensorType,
  tupleType,
  variable,
} from '@baton/ir';
import { definitionColumn, definitionOf, FOLDING, foldedValue } from '@baton/ops';
import {
  type DType,
  dtypeInfo,
  fromNumbers,
  isDType,
  isSplat,
  isTensor,
  scalar,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { onnxExporters } from '../catalogue.ts';
import { located, noWriter, openType } from '../diagnostics.ts';
import { valueOfKind } from '../operator-api/attribute-values.ts';
import { typeOfCall } from '../operator-api/call-type.ts';
import type {
  Argument,
  CallAttributes,
  CallContext,
  NodeAttributeValues,
  OnnxExporter,
  Operand,
} from '../operator-api/exporter.ts';
import { formulaReader } from '../operator-api/formula.ts';
import { goesOn, roomOf, withinRoom } from '../room.ts';
import { factsOf } from '../schemas/schemas.ts';
import { constantOperand, operand } from './graph-builder.ts';
import { addNode, need, type Site } from './run.ts';

interface OperatorCall {
  readonly name: string;
  readonly args: ReadonlyArray<Argument>;
  /** Complete. */
  readonly attrs: Attrs;
}

/**
 * The results of a call of an operator, whose nodes are added to the graph. Small calls of constants
 * are computed: what is larger is a matter of passes. After a failure the results stand for ones of the
 * right types.
 */
export function writeCall(site: Site, call: OperatorCall): Argument | undefined {
  return computed(site, call) ?? nodesOf(site, call);
}

function nodesOf(site: Site, call: OperatorCall): Argument | undefined {
  const { run, span } = site;
  const problems: Diagnostic[] = [];
  const type = callType(site, call, problems);
  const results = type === undefined ? undefined : tensorsOf(type);
  const writer = onnxExporters.get(call.name) ?? definitionExporter(site, call, type);
  if (writer === undefined) problems.push(noWriter(call.name, span));
  if (results === undefined && problems.length === 0) problems.push(openType(call.name, span));
  if (results === undefined || writer === undefined || problems.length > 0) {
    run.problems.add(...problems);
    return results && unwritten(type, results);
  }
  const made = withinRoom(() => {
    goesOn(run.room, 'the export', span);
    return writer.write(writerContext(site, call, results, problems));
  }, span);
  if (isLeft(made)) problems.push(...made.left);
  run.problems.add(...problems);
  if (problems.length > 0) return unwritten(type, results);
  const written = isLeft(made) ? undefined : made.right;
  invariant(written !== undefined, `a writer without result says why: ${call.name}`);
  return written;
}

/** The exporter of an operator without one that is its definition: a user's own. */
const definitionExporter = (
  { run }: Site,
  { name, args }: OperatorCall,
  type: Type | undefined,
): Pick<OnnxExporter, 'write'> | undefined => {
  const cases = run.module.ops.read(definitionColumn, name);
  const isExact = Array.isArray(cases) && cases.every((one) => one.isExact);
  return isExact && type?._tag === 'TensorType' && args.every(isOperand)
    ? { write: (context) => context.definition() }
    : undefined;
};

const unwritten = (type: Type | undefined, results: ReadonlyArray<TensorType>): Argument => {
  const made = results.map((result) => operand(result));
  return type?._tag === 'TupleType' ? made : (made[0] ?? made);
};

/**
 * The type of a call. Sizes that the run must find equal may have different names: a call that has
 * no type because of them gets the type that it has without names.
 */
function callType(site: Site, call: OperatorCall, problems: Diagnostic[]): Type | undefined {
  const found: Diagnostic[] = [];
  const type = typeWith(site, call, (own) => own, found);
  if (type !== undefined && found.length === 0) return type;
  const unnamed: Diagnostic[] = [];
  const wider = typeWith(site, call, withoutNames, unnamed);
  if (wider !== undefined && unnamed.length === 0) return wider;
  problems.push(...found);
  return type;
}

/** The type with unknown sizes in place of names. */
const withoutNames = (type: TensorType): TensorType =>
  '_tag' in type.shape
    ? type
    : tensorType(
        type.shape.map((dim) => (isStaticDim(dim) ? dim : anyDim)),
        type.dtype,
      );

function typeWith(
  site: Site,
  call: OperatorCall,
  typeOf: (own: TensorType) => TensorType,
  problems: Diagnostic[],
): Type | undefined {
  const types = call.args.map((arg) =>
    isOperand(arg) ? typeOf(arg.type) : tupleType(arg.map((field) => typeOf(field.type))),
  );
  const constant = (index: number): Tensor | undefined => {
    const arg = call.args[index];
    return arg !== undefined && isOperand(arg) ? arg.constant : undefined;
  };
  const report = (code: string, message: string, hint?: string): undefined => {
    problems.push(diagnostic(code, message, { span: site.span, hint }));
    return undefined;
  };
  const { ops } = site.run.module;
  return typeOfCall(ops, call.name, { types, constant }, call.attrs, report);
}

/** The types of the results, if all are tensors. */
function tensorsOf(type: Type): ReadonlyArray<TensorType> | undefined {
  const types = type._tag === 'TupleType' ? type.fields : [type];
  const tensors = types.filter((one) => one._tag === 'TensorType');
  return tensors.length === types.length ? tensors : undefined;
}

export const isOperand = (arg: Argument): arg is Operand => '_tag' in arg;

function writerContext(
  site: Site,
  { name, args, attrs }: OperatorCall,
  results: ReadonlyArray<TensorType>,
  problems: Diagnostic[],
): CallContext {
  const { run, span } = site;
  const fail = (message: string, hint?: string): undefined => {
    problems.push(diagnostic('ONNX_EXPORT', message, { span, hint }));
    return undefined;
  };
  const unknown = (message: string): undefined => fail(message, SIZES_HINT);
  const nodeOf: CallContext['nodeOf'] = (opType, inputs, attributes, types) => {
    const outputs = types.map((type) => operand(type));
    const node = { opType, inputs, outputs, attributes, graphs: {} };
    addNode(site, node);
    return outputs;
  };
  const argument = (index: number): Argument => {
    const arg = args[index];
    invariant(arg !== undefined, `a call has all its arguments: ${name} ${index}`);
    return arg;
  };
  const callOf: CallContext['callOf'] = (callee, given, some = {}) => {
    const made = innerCall(site, callee, withNumbers(given), some, problems);
    return made === undefined ? [] : isOperand(made) ? [made] : made;
  };
  const node: CallContext['node'] = (opType, inputs, attributes = {}, type = results[0]) =>
    onlyOne(nodeOf(opType, inputs, attributes, type === undefined ? [] : [type]));
  const read = formulaReader<Argument>({
    call: (callee, given, some) => {
      if (/^[A-Z]/.test(callee)) {
        return node(callee, withNumbers(given).flat(), nodeAttributes(callee, some));
      }
      const made = callOf(callee, given, some);
      return made.length > 1 ? made : onlyOne(made);
    },
    scalar: (value, dtype) => constantOperand(scalar(value, dtype)),
    tuple: (fields) => withNumbers(fields).flat(),
    field: (of, index) => (isOperand(of) ? of : (of[index] ?? onlyOne(of))),
  });
  return {
    opset: run.opset,
    args,
    arg: argument,
    inputs: args.filter(isOperand),
    attrs: attributeReaders(attrs),
    input: (index) => {
      const arg = argument(index);
      invariant(isOperand(arg), `argument ${index} of ${name} is a tensor`);
      return arg;
    },
    fields: (index) => {
      const arg = argument(index);
      invariant(!isOperand(arg), `argument ${index} of ${name} is a tuple`);
      return arg;
    },
    results,
    node,
    nodeOf,
    call: (callee, given, some) => onlyOne(callOf(callee, given, some)),
    callOf,
    formula: (...given) => {
      const made = read(...given);
      return isOperand(made) ? made : onlyOne(made);
    },
    definition: () => writtenDefinition(site, { name, args, attrs }, results, problems),
    constant: (value) => constantOperand(value),
    room: roomOf(run.room, `\`${name}\``, span),
    ints: (values) => constantOperand(int64s(values)),
    scalar: (value, dtype) => constantOperand(scalar(value, dtype)),
    ...typeReaders(unknown),
    since: (version, what) => need(run, version, what, span, (...found) => problems.push(...found)),
    unknown,
    fail,
  };
}

const SIZES_HINT = 'give sizes to the dimensions of the inputs';

/** The first of some results; after a failure there may be none. */
const onlyOne = (results: ReadonlyArray<Operand>): Operand =>
  results[0] ?? operand(tensorType([], 'float32'));

const int64s = (values: ReadonlyArray<number>): Tensor =>
  fromNumbers(Float64Array.from(values), [values.length], 'int64');

/** The arguments, with numbers as constants. */
function withNumbers(args: ReadonlyArray<Argument | number>): ReadonlyArray<Argument> {
  const isGiven = (arg: Argument | number): arg is Argument => typeof arg !== 'number';
  const last = args.findLast((arg): arg is Operand => isGiven(arg) && isOperand(arg));
  const dtype = last === undefined ? 'float32' : dtypeOf(last);
  return args.map((arg) => (isGiven(arg) ? arg : constantOperand(scalar(arg, dtype))));
}

/** The attributes of a node, whose kinds its schema states. */
function nodeAttributes(opType: string, attrs: Attrs): NodeAttributeValues {
  const { attributes } = factsOf({ opType });
  const given = Object.entries(attrs).map(([name, value]) => {
    const kind = attributes.get(name);
    const found = kind && valueOfKind(kind, value);
    invariant(found !== undefined, `${opType} has an attribute ${name} of this kind`);
    return [name, found] as const;
  });
  return Object.fromEntries(given);
}

/** The bytes of a constant; one element stands for those that are all equal. */
function storedBytes(arg: Argument): number {
  const { constant } = isOperand(arg) ? arg : {};
  if (constant === undefined) return 0;
  return dtypeInfo(constant.dtype).bytes * (isSplat(constant) ? 1 : shapeSize(constant.shape));
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0);

/** A call that a writer makes of another operator. */
function innerCall(
  site: Site,
  name: string,
  args: ReadonlyArray<Argument>,
  given: Attrs,
  problems: Diagnostic[],
): Argument | undefined {
  const { ops } = site.run.module;
  const info = ops.get(name);
  if (info === undefined) {
    problems.push(noWriter(name, site.span));
    return undefined;
  }
  const attrs = located(info.attrs.decode(given), site.span);
  if (isLeft(attrs)) {
    problems.push(...attrs.left);
    return undefined;
  }
  const call = { name, args, attrs: attrs.right };
  return computed(site, call, sum(args.map(storedBytes))) ?? nodesOf(site, call);
}

/** The nodes of a call's definition, each call of it in its place. */
function writtenDefinition(
  site: Site,
  { name, args, attrs }: OperatorCall,
  results: ReadonlyArray<TensorType>,
  problems: Diagnostic[],
): Operand {
  const values = new Map<Expr, Operand>();
  const operands = args.filter(isOperand);
  const params = operands.map(({ type }, i) => variable(`x${i}`, type));
  for (const [i, param] of params.entries()) values.set(param, operands[i] as Operand);
  const [type] = results;
  invariant(type !== undefined, `a call with a definition has one result: ${name}`);
  const called = { name, attrs, args: params, types: operands.map(({ type }) => type), type };
  const defined = definitionOf(site.run.module.ops, { ...called, span: site.span });
  if (defined === undefined || isLeft(defined)) {
    problems.push(openType(name, site.span));
    return operand(type);
  }
  const definition = defined.right;
  for (const node of postOrderExprs([definition])) {
    if (node._tag === 'Constant') values.set(node, constantOperand(node.data));
    if (node._tag !== 'Call' || node.op._tag !== 'Op') continue;
    const parts = node.args.map((arg) => values.get(arg) as Operand);
    const made = innerCall(site, node.op.name, parts, node.attrs ?? noAttrs, problems);
    values.set(node, made !== undefined && isOperand(made) ? made : operand(type));
  }
  return values.get(definition) as Operand;
}

/** The value of a call of constants, if it is small or takes no more bytes than `stored`. */
function computed(
  { run, span }: Site,
  { name, args, attrs }: OperatorCall,
  stored = 0,
): Operand | undefined {
  const values = args.map((arg) => (isOperand(arg) ? arg.constant : undefined));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  const budget = FOLDING.onnxExport;
  const resultBytes = Math.max(budget.resultBytes, stored);
  const call = { name, attrs, span };
  const result = foldedValue(run.module.ops, call, known, { ...budget, resultBytes });
  return isLeft(result) || !result.right || !isTensor(result.right)
    ? undefined
    : constantOperand(result.right);
}

function attributeReaders(all: Attrs): CallAttributes {
  const value: CallAttributes['value'] = (name) => {
    invariant(Object.hasOwn(all, name), `the call has the attribute ${name}`);
    return all[name] ?? null;
  };
  return {
    all,
    value,
    int: (name) => Number(value(name)),
    float: (name) => Number(value(name)),
    bool: (name) => value(name) === true,
    text: (name) => String(value(name) ?? ''),
    ints: (name) => {
      const list = value(name);
      return Array.isArray(list) ? list.map(Number) : [];
    },
    pairs: (name) => {
      const list = value(name);
      const pairOf = (pair: AttrValue): readonly [number, number] =>
        Array.isArray(pair) ? [Number(pair[0]), Number(pair[1])] : [0, 0];
      return Array.isArray(list) ? list.map(pairOf) : [];
    },
  };
}

function typeReaders(
  unknown: CallContext['unknown'],
): Pick<CallContext, 'dims' | 'shape' | 'dtype'> {
  const dims: CallContext['dims'] = ({ type }) => ('_tag' in type.shape ? [] : type.shape);
  return {
    dims,
    shape: (of) => {
      const sizes = dims(of).filter(isStaticDim);
      if (sizes.length === dims(of).length && !('_tag' in of.type.shape)) return sizes;
      return unknown('expected a tensor of known shape');
    },
    dtype: dtypeOf,
  };
}

const dtypeOf = ({ type }: Operand): DType => (isDType(type.dtype) ? type.dtype : 'float32');
