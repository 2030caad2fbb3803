/** The target of a `Reshape`: sizes that the node copies, or finds itself, need not be computed. */
import { fromNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { rangesOf } from './slices.ts';
import { numberAttribute, numbersOf, type Step, type Surroundings, sourceOfCast } from './steps.ts';

/** An element of a target: a number, or the size of an axis of a tensor; `undefined` is any other. */
export type Size = number | { readonly of: Operand; readonly axis: number } | undefined;

export const targets: Step = (node, { maker }) => {
  const [data, target] = node.inputs;
  if (node.opType !== 'Reshape' || data === undefined || target === undefined) return undefined;
  if (target.constant !== undefined || (numberAttribute(node, 'allowzero') ?? 0) !== 0) {
    return undefined;
  }
  const sizes = sizesOfList(target, maker);
  const codes = sizes.map((size, place) => codeOf(size, place, data));
  const open = codes.filter((code) => code === undefined).length;
  // A size that is not known is what the others leave, if none of them can be 0.
  const isFound =
    open === 0 || (open === 1 && codes.every((code) => code === undefined || code > 0));
  if (!isFound || codes.length !== rankOf(node)) return undefined;
  const list = Float64Array.from(codes, (code) => code ?? -1);
  return [{ ...node, inputs: [data, constantOperand(fromNumbers(list, [list.length], 'int64'))] }];
};

/** The sizes in a list, which may be joined of parts. */
export function sizesOfList(list: Operand, maker: Surroundings['maker']): ReadonlyArray<Size> {
  const made = joinedBy(list, maker);
  const parts = made?.opType === 'Concat' ? made.inputs : [list];
  return parts.flatMap((part) => sizesIn(part, maker));
}

/** The node that makes a list, before casts of it. */
function joinedBy(list: Operand, maker: Surroundings['maker']): DraftNode | undefined {
  let made = maker(list);
  while (made !== undefined && sourceOfCast(made) !== undefined) made = maker(sourceOfCast(made));
  return made;
}

const rankOf = ({ outputs: [result] }: DraftNode): number | undefined =>
  result === undefined || '_tag' in result.type.shape ? undefined : result.type.shape.length;

/** The code of a size in the target of a reshape of `data`. */
function codeOf(size: Size, place: number, data: Operand): number | undefined {
  if (typeof size === 'number') return size;
  return size?.of === data && size.axis === place ? 0 : undefined;
}

/** Nodes that leave the elements of a list of sizes as they are. */
const PLAIN: ReadonlySet<string> = new Set(['Cast', 'Identity', 'Reshape', 'Squeeze', 'Unsqueeze']);

function sizesIn(part: Operand | undefined, maker: Surroundings['maker']): ReadonlyArray<Size> {
  const known = numbersOf(part);
  if (part === undefined || known !== undefined) return known ?? [];
  const count = '_tag' in part.type.shape ? undefined : part.type.shape[0];
  const unknown = typeof count === 'number' ? new Array<Size>(count).fill(undefined) : [];
  let at: Operand | undefined = part;
  let by = maker(at);
  while (by !== undefined && PLAIN.has(by.opType)) {
    [at] = by.inputs;
    by = maker(at);
  }
  const axes = by && axesRead(by, maker);
  return axes === undefined || axes.length !== unknown.length ? unknown : axes;
}

/** The sizes that a node reads of a shape: all, a range, or those that it gathers. */
export function axesRead(
  by: DraftNode,
  maker: Surroundings['maker'],
): ReadonlyArray<Size> | undefined {
  const shape = by.opType === 'Shape' ? by : maker(by.inputs[0]);
  const [of] = shape?.inputs ?? [];
  if (shape?.opType !== 'Shape' || of === undefined || '_tag' in of.type.shape) return undefined;
  const rank = of.type.shape.length;
  const axes = of.type.shape.map((_, axis) => axis);
  const whole = axes
    .slice(numberAttribute(shape, 'start') ?? 0, numberAttribute(shape, 'end') ?? rank)
    .map((axis) => ({ of, axis }));
  if (by === shape) return whole;
  if (by.opType === 'Gather') return numbersOf(by.inputs[1])?.map((i) => whole.at(i));
  const [range, ...others] = rangesOf(by) ?? [];
  if (range === undefined || others.length > 0 || range.step !== 1) return undefined;
  return whole.slice(range.start, range.end);
}
