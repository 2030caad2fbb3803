/**
 * Lowered programs as text: the kernels, how each is computed, and where it reads and writes. `p0` is
 * the first parameter, `c0` the first constant, `b0` the first buffer besides; a window that is not a
 * whole buffer states its type, shape, first element and strides.
 */
import type { Scalar } from '@baton/ops';
import type { Element, Product } from './element.ts';
import type { Kernel } from './kernel.ts';
import type { Lowered } from './lower.ts';
import { type Buffer, isWhole, type Window, type Windows, windowOn, windowsIn } from './window.ts';

type Name = (window: Window) => string;

/** The text of a lowered program: a line for each kernel and each buffer within another one. */
export function printLowered(lowered: Lowered): string {
  const { buffers, kernels, loops, result } = lowered;
  const nameOf = namesOf(lowered);
  const nameOfBuffer = (at: number): string => {
    const { dtype, count } = buffers[at] as Buffer;
    return nameOf(windowOn(at, dtype, [count]));
  };
  const parts = buffers.flatMap(({ within }, at) =>
    within === undefined
      ? []
      : [`${nameOfBuffer(at)} is part of ${nameOfBuffer(within.buffer)} @${within.offset}`],
  );
  const lines = kernels.map((kernel, at) => {
    const loop = loops.find(({ from, to }) => from <= at && at < to);
    const head = loop?.from === at ? `${loop.turns} times\n` : '';
    return `${head}${loop ? '  ' : ''}${kernelText(kernel, nameOf, buffers)}`;
  });
  return [...lines, ...parts, `result ${valueText(result, nameOf)}`].join('\n');
}

/** Names windows by their buffers. */
function namesOf({ buffers, params }: Lowered): Name {
  const inputs = params.flatMap(windowsIn).map(({ buffer }) => buffer);
  const counts = { p: 0, c: 0, b: 0 };
  const names = buffers.map(({ constant }, at) => {
    if (inputs.includes(at)) return `p${inputs.indexOf(at)}`;
    const kind = constant === undefined ? 'b' : 'c';
    return `${kind}${counts[kind]++}`;
  });
  return (window) => {
    const { buffer, dtype, shape, strides, offset, perTurn } = window;
    const name = names[buffer] as string;
    if (isWhole(window, buffers[buffer] as Buffer)) return name;
    const first = perTurn === undefined ? `${offset}` : `${offset}+${perTurn}i`;
    return `${name}[${dtype} ${shape.join('×')} @${first} /${strides.join(',')}]`;
  };
}

function scalarText(expr: Scalar, args: ReadonlyArray<string>): string {
  if (expr._tag === 'Argument') return args['xyz'.indexOf(expr.name)] as string;
  if (expr._tag === 'Constant') return `${expr.value}`;
  if (expr._tag === 'Width') return 'width';
  return `${expr.name}(${expr.args.map((arg) => scalarText(arg, args)).join(', ')})`;
}

function elementText(element: Element, nameOf: Name): string {
  switch (element._tag) {
    case 'Load':
      return nameOf(element.window);
    case 'Literal':
      return `${element.value}`;
    case 'Product':
      return `${productName(element)}(${element.operands.map(nameOf).join(', ')})`;
    case 'Apply': {
      const { expr, of, dtype, args } = element;
      const text = scalarText(
        expr,
        args.map((arg) => elementText(arg, nameOf)),
      );
      return of === dtype ? text : `${dtype}(${text} in ${of})`;
    }
  }
}

/** The operator, with the algorithm that the call asks for. */
const productName = ({ name, attrs }: Product): string =>
  typeof attrs.algorithm === 'string' && attrs.algorithm !== ''
    ? `${name}:${attrs.algorithm}`
    : name;

const valueText = (value: Windows, nameOf: Name): string =>
  '_tag' in value ? nameOf(value) : `(${value.map((part) => valueText(part, nameOf)).join(', ')})`;

function kernelText(kernel: Kernel, nameOf: Name, buffers: ReadonlyArray<Buffer>): string {
  switch (kernel._tag) {
    case 'Map':
      return `${nameOf(kernel.out)} = ${elementText(kernel.element, nameOf)} in ${kernel.mode}`;
    case 'Fold': {
      const { element, fold, of, mode, divisor, out } = kernel;
      const step = scalarText(fold.step, ['state', 'x']);
      const by = divisor === undefined ? '' : ` / ${divisor}`;
      return `${nameOf(out)} = fold ${step}${by} of ${elementText(element, nameOf)} in ${of} ${mode}`;
    }
    case 'Take': {
      const { data, indices, isWrapped, sizes, out } = kernel;
      const { batch, lead, dim, places, rest } = sizes;
      const how = `${isWrapped ? 'wrapped' : 'clipped'} ${batch}×${lead}×${dim}×${rest} at ${places}`;
      return `${nameOf(out)} = take ${nameOf(data)}, ${nameOf(indices)} ${how}`;
    }
    case 'Scan': {
      const { data, fold, exclusive, sizes, out } = kernel;
      const { outer, length, inner } = sizes;
      const how = `${exclusive ? 'before' : 'up to'} each of ${outer}×${length}×${inner}`;
      return `${nameOf(out)} = scan ${scalarText(fold.step, ['state', 'x'])} of ${nameOf(data)} ${how}`;
    }
    case 'Scatter': {
      const { indices, updates, fold, size, out } = kernel;
      const step = scalarText(fold.step, ['there', 'x']);
      return `${nameOf(out)} has ${step} of ${nameOf(updates)} at ${nameOf(indices)} by ${size}`;
    }
    case 'Product': {
      const { element, spreads, scratch, out } = kernel;
      const bytes = scratch === undefined ? undefined : buffers[scratch.buffer]?.bytes;
      const own = bytes === undefined ? '' : `, scratch of ${bytes} bytes`;
      return `${nameOf(out)} = ${elementText(element, nameOf)} by hand [${spreads.join(', ')}]${own}`;
    }
    case 'Reference': {
      const { call, args, results } = kernel;
      const [from, to] = [args, results].map((list) =>
        list.map((arg: Windows) => valueText(arg, nameOf)).join(', '),
      );
      return `${to} = reference ${call.name}(${from})`;
    }
  }
}
