/** Reads a written file again, and compares its inputs and outputs with those of the program. */
import { type Diagnostic, type Diagnostics, fail, isLeft, type Result, right } from '@baton/base';
import {
  describeType,
  type IRModule,
  inferTypes,
  type TensorType,
  type Type,
  typeOf,
} from '@baton/ir';
import { decodeModel } from './decode-model.ts';
import { differentSignature } from './diagnostics.ts';
import { outputNames } from './export/main-graph.ts';
import { importOnnx } from './import/import-onnx.ts';
import type { ImportOptions } from './import/options.ts';
import { elementType } from './protobuf/element-type.ts';
import type { ValueInfoProto } from './protobuf/messages.ts';
import { signatureOf } from './signature.ts';

/** An input or an output of a program. */
export interface Port {
  readonly name: string;
  /** A tensor, or the tensors of a tuple. */
  readonly types: ReadonlyArray<TensorType>;
}

/** The inputs and outputs of a program, in order. */
export interface Ports {
  readonly inputs: ReadonlyArray<Port>;
  readonly outputs: ReadonlyArray<Port>;
}

/**
 * The inputs and outputs that the file of a module has: the parameters and the results of `@main`,
 * with a tuple that is no sequence taken apart.
 *
 * **Errors** those of type inference.
 */
export function portsOf(m: IRModule): Result<Ports> {
  const typed = inferTypes(m);
  if (isLeft(typed)) return typed;
  const main = typed.right.functions.get('main');
  if (main === undefined) return right({ inputs: [], outputs: [] });
  const inputs = main.params.flatMap((param) => flat(typeOf(typed.right, param), param.nameHint));
  const result = typeOf(typed.right, main.body);
  const { outputNames: names, containers } = signatureOf(main.attrs);
  const fields = fieldsOf(result, names.length);
  const hasContainers = containers.some((one) => one !== undefined);
  if (hasContainers && fields !== undefined && containers.length === names.length) {
    const outputs = fields.map((field, i) => ({
      name: `${names[i]}${containers[i] === undefined ? '' : ` (${containers[i]?.container})`}`,
      types: leaves(field),
    }));
    return right({ inputs, outputs });
  }
  const types = leaves(result);
  const stated = outputNames(main, types.length);
  return right({
    inputs,
    outputs: types.map((type, i) => ({ name: stated[i] ?? '', types: [type] })),
  });
}

const fieldsOf = (type: Type | undefined, count: number): ReadonlyArray<Type> | undefined =>
  type === undefined || count === 1
    ? type && [type]
    : type._tag === 'TupleType' && type.fields.length === count
      ? type.fields
      : undefined;

/** The tensors of a type from left to right. A type nests as deep as its module states. */
function leaves(type: Type | undefined): ReadonlyArray<TensorType> {
  const found: TensorType[] = [];
  const pending = type === undefined ? [] : [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'TensorType') found.push(next);
    else if (next._tag === 'TupleType') pending.push(...next.fields.toReversed());
  }
  return found;
}

const flat = (type: Type | undefined, name: string): ReadonlyArray<Port> =>
  type?._tag === 'TupleType'
    ? leaves(type).map((field, i) => ({ name: `${name}.${i}`, types: [field] }))
    : [{ name, types: leaves(type) }];

/** A file that was read again. */
export interface Reread {
  /** The program of the file; absent if the import does not read what the export writes. */
  readonly module: IRModule | undefined;
  /** Why it is absent. */
  readonly unread: ReadonlyArray<Diagnostic>;
}

/** Codes of valid files that the import refuses: sizes and branches known only at run time. */
const NOT_READ: ReadonlySet<string> = new Set(['ONNX_NOT_CONSTANT', 'ONNX_UNSUPPORTED']);

/**
 * Reads a written file, and compares the names and the types of its inputs and outputs with those
 * of the program that it was made of; the types that the file states for its outputs must be those
 * that its nodes give them.
 *
 * **Errors** `ONNX_SIGNATURE` for each difference; the errors of the import.
 */
export function rereadOnnx(
  expected: Ports,
  file: Uint8Array,
  options: ImportOptions,
): Result<Reread> {
  // The import may move the bytes, if it owns them.
  const stated = outputsIn(file);
  const imported = importOnnx(file, { defaults: 'inputs', ...options });
  if (isLeft(imported)) {
    return imported.left.every(({ code }) => NOT_READ.has(code))
      ? right({ module: undefined, unread: imported.left })
      : imported;
  }
  const found = portsOf(imported.right);
  if (isLeft(found)) return found;
  const [first, ...others]: ReadonlyArray<Diagnostic> = [
    ...portDifferences(expected, found.right),
    ...misstated(found.right, stated),
  ];
  if (first !== undefined) return fail(...([first, ...others] as Diagnostics));
  return right({ module: imported.right, unread: [] });
}

/** The differences in names, types and order between inputs and outputs. */
export const portDifferences = (expected: Ports, found: Ports): ReadonlyArray<Diagnostic> => [
  ...differences('input', expected.inputs, found.inputs),
  ...differences('output', expected.outputs, found.outputs),
];

function differences(
  kind: string,
  expected: ReadonlyArray<Port>,
  found: ReadonlyArray<Port>,
): ReadonlyArray<Diagnostic> {
  if (expected.length !== found.length) {
    return [differentSignature(`${found.length} ${kind}s`, `${expected.length}`)];
  }
  return expected.flatMap((port, i) => {
    const other = found[i];
    if (other === undefined) return [];
    if (port.name !== other.name) {
      return [differentSignature(`the ${kind} ${other.name}`, `the ${kind} ${port.name}`)];
    }
    const isSame =
      port.types.length === other.types.length &&
      port.types.every((type, at) => agrees(type, other.types[at]));
    return isSame
      ? []
      : [differentSignature(`the ${kind} ${port.name} of type ${shown(other)}`, shown(port))];
  });
}

const shown = ({ types }: Port): string => types.map(describeType).join(', ') || 'nothing';

/** Whether a tensor may have both types: they have one element type, one rank, and no two sizes. */
function agrees(a: TensorType, b: TensorType | undefined): boolean {
  if (b === undefined || a.dtype !== b.dtype) return false;
  const [left, right] = [a.shape, b.shape];
  if ('_tag' in left || '_tag' in right) return true;
  return left.length === right.length && left.every((dim, i) => fits(dim, right[i]));
}

const fits = (a: unknown, b: unknown): boolean =>
  typeof a !== 'number' || typeof b !== 'number' || a === b;

/**
 * The outputs whose stated element type or rank is not the one that the nodes of the file give them:
 * runtimes refuse such files.
 */
export const misstatedOutputs = (found: Ports, file: Uint8Array): ReadonlyArray<Diagnostic> =>
  misstated(found, outputsIn(file));

/** The outputs that a file states. */
function outputsIn(file: Uint8Array): ReadonlyArray<ValueInfoProto> {
  const decoded = decodeModel(file);
  return isLeft(decoded) ? [] : (decoded.right.graph?.outputs ?? []);
}

function misstated(found: Ports, stated: ReadonlyArray<ValueInfoProto>): ReadonlyArray<Diagnostic> {
  return stated.flatMap(({ name, type }, i) => {
    const [own, ...others] = found.outputs[i]?.types ?? [];
    if (type?._tag !== 'Tensor' || own === undefined || others.length > 0) return [];
    const { shape } = own;
    const hasDType = elementType(type.elemType)?.dtype === own.dtype;
    const hasRank =
      '_tag' in shape || type.shape === undefined || type.shape.length === shape.length;
    if (hasDType && hasRank) return [];
    const sizes = type.shape?.map((dim) => dim ?? '?').join(', ') ?? 'any shape';
    return [differentSignature(`the output ${name} stated as (${sizes})`, describeType(own))];
  });
}
