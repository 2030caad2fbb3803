/** The texts of a drawing's row about an operator call. */
import {
  type Attrs,
  type AttrValue,
  attrEqual,
  type Call,
  type Expr,
  type IRModule,
  type Type,
  typeOf,
} from '@baton/ir';
import { printType } from '@baton/text';

/** `1×64×56×56 float32` for a tensor of known rank; any other type as in programs. */
export function typeLabel(type: Type | undefined): string {
  if (type === undefined) return '';
  if (type._tag === 'TupleType') return `(${type.fields.map(fieldLabel).join(', ')})`;
  return fieldLabel(type);
}

export const inputLabels = (call: Call, m: IRModule): string =>
  call.args.map((arg) => argumentLabel(arg, m)).join('\n');

export function attrsLabel(op: string, attrs: Attrs | undefined, m: IRModule): string {
  if (attrs === undefined) return '';
  const defaults = new Map(m.ops.get(op)?.attrs.fields.map((f) => [f.name, f.defaultValue]));
  return Object.entries(attrs)
    .filter(([name, value]) => {
      const normal = defaults.get(name);
      return normal === undefined || !attrEqual(value, normal);
    })
    .map(([name, value]) => `${name}=${valueLabel(value)}`)
    .join(', ');
}

/** The window of a convolution or a pool, with its stride: `3×3 /2`. */
export function windowLabel(attrs: Attrs | undefined): string {
  const size = dimsOf(attrs?.kernel_size) ?? dimsOf(attrs?.pool_size);
  if (size === undefined) return '';
  const strides = dimsOf(attrs?.strides) ?? [];
  const stride = new Set(strides).size === 1 ? `${strides[0]}` : strides.join('×');
  return strides.some((s) => s !== 1) ? `${size.join('×')} /${stride}` : size.join('×');
}

function fieldLabel(type: Type): string {
  if (type._tag !== 'TensorType' || '_tag' in type.shape) return printType(type);
  if (!type.shape.every((dim) => typeof dim === 'number') || typeof type.dtype !== 'string') {
    return printType(type);
  }
  return type.shape.length === 0 ? `scalar ${type.dtype}` : `${type.shape.join('×')} ${type.dtype}`;
}

function argumentLabel(arg: Expr, m: IRModule): string {
  if (arg._tag !== 'Constant') return typeLabel(typeOf(m, arg));
  const { shape, dtype } = arg.data;
  return `constant ${shape.length === 0 ? 'scalar' : shape.join('×')} ${dtype}`;
}

function dimsOf(value: AttrValue | undefined): ReadonlyArray<number> | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every((dim): dim is number => typeof dim === 'number') ? value : undefined;
}

const valueLabel = (value: AttrValue): string =>
  Array.isArray(value) ? `[${value.map((v) => `${v}`).join(', ')}]` : `${value}`;
