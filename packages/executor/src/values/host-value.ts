/** The values that a host may pass for a parameter. */
import type { Diagnostic, Span } from '@baton/base';
import type { Type } from '@baton/ir';
import { describeTensor, isTensorData, type TensorData } from '@baton/tensor';
import { printType } from '@baton/text';
import * as diagnostics from '../diagnostics.ts';
import { printValue, SHOWN_CHARACTERS } from './print-value.ts';
import type { Value } from './value.ts';

/** A value of an algebraic data type, in plain data. */
export interface HostAdt {
  readonly constructor: string;
  readonly fields?: ReadonlyArray<HostValue>;
}

/** A new reference, in plain data. */
export interface HostRef {
  readonly ref: HostValue;
}

/**
 * What a host may pass: values, or plain data. Where the type is
 * - a tensor: a number, bigint or boolean, or nested arrays of them, which the element type must
 *   be able to hold: whole numbers in its range for an integer, 0 and 1 for bool, and no number
 *   that a float type makes infinite. Or a typed array that stores the element type, as ONNX
 *   Runtime takes it: it is not copied, and its shape is the type's, one dimension of which may be
 *   left open. float16 and bfloat16 are stored as bits in a `Uint16Array`, bool as 0 and 1 in a
 *   `Uint8Array`. The rows of nested arrays may be typed arrays, too;
 * - a tuple: an array of what its fields may be;
 * - an algebraic data type: `{ constructor: 'Cons', fields: [1, ..] }`; `fields` may be left out
 *   where there are none. A type with a constructor of an element and the rest, and one without
 *   inputs, such as `List[A]`, also takes an array of its elements;
 * - a reference: `{ ref: .. }`, which makes a new one;
 * - a function, or a type parameter: only a value.
 */
export type HostValue =
  | Value
  | number
  | bigint
  | boolean
  | TensorData
  | HostAdt
  | HostRef
  | ReadonlyArray<HostValue>;

/** The parameter for a value. */
export interface Target {
  readonly name: string;
  readonly type: Type;
  readonly span: Span | undefined;
}

// JavaScript programs pass null, too: `args` is a user's input.
/** Whether it is a value rather than plain data. */
export const isTagged = (given: HostValue): given is Value =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && '_tag' in given;

/** Whether it represents a value of an algebraic data type. */
export const isHostAdt = (given: HostValue): given is HostAdt =>
  typeof given === 'object' &&
  given !== null &&
  Object.hasOwn(given, 'constructor') &&
  typeof given.constructor === 'string';

/** Whether it represents a new reference. */
export const isHostRef = (given: HostValue): given is HostRef =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, 'ref');

/** The type error of data for a parameter or a part of it. */
export const mismatch = (target: Target, type: Type, found: string, hint?: string): Diagnostic =>
  diagnostics.argumentType(target.name, describeType(type), found, target.span, hint);

/** A short description of data. */
export function describe(given: HostValue): string {
  if (Array.isArray(given)) return `a list of ${given.length}`;
  if (isTensorData(given)) return `${arrayName(given)} of ${given.length}`;
  if (isHostAdt(given)) return `an object for ${given.constructor}`;
  if (!isTagged(given)) {
    return given !== null && typeof given === 'object' ? 'an object' : String(given);
  }
  if (given._tag === 'Tensor') return describeTensor(given);
  return given._tag === 'Closure' ? 'a function' : printValue(given, SHOWN_CHARACTERS);
}

/** The kind of a typed array: `a Float32Array`. */
export function arrayName(data: TensorData): string {
  const name = Object.prototype.toString.call(data).slice('[object '.length, -1);
  return `${/^[AEIOU](?!int)/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The text of a type that shares its parts may be far longer than the type. */
function describeType(type: Type): string {
  if (type._tag === 'TupleType') return `a tuple of ${type.fields.length}`;
  if (type._tag === 'FuncType') return 'a function';
  if (type._tag === 'RefType') return 'a reference';
  return type._tag === 'TypeCall' ? `a value of ${type.func.nameHint}` : printType(type);
}
