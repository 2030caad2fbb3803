/** Operators whose attributes may be known only when the program runs, and their static forms. */
import { isLeft, type Result, right } from '@baton/base';
import { type Attrs, type AttrValue, attrInteger, type OpInfo } from '@baton/ir';
import { isBig, readBigInt, readNumber, shapeSize, type Tensor } from '@baton/tensor';

/**
 * How an operand represents an attribute: an integer or a float, as a scalar or as a vector of one;
 * a vector of either; or a matrix of two columns of integers.
 */
export type OperandForm = 'int' | 'float' | 'ints' | 'floats' | 'pairs of ints';

/** The operator that has some operands as attributes of the same names. */
export interface StaticForm {
  readonly name: string;
  /** The operands that are its attributes, by name. */
  readonly operands: Readonly<Record<string, OperandForm>>;
}

export interface StaticParts {
  readonly args: ReadonlyArray<number>;
  readonly attrs: Attrs;
}

/**
 * The parts of a call's static form; `undefined` if the value of an operand is unknown. **Errors**
 * those of the static form's attributes.
 */
export function staticParts(
  op: OpInfo,
  form: StaticForm,
  to: OpInfo,
  attrs: Attrs,
  valueAt: (index: number) => Tensor | undefined,
): Result<StaticParts> | undefined {
  const args: number[] = [];
  const given: Record<string, AttrValue> = { ...attrs };
  for (const [index, { name }] of op.inputs.entries()) {
    const kind = form.operands[name];
    if (kind === undefined) args.push(index);
    else {
      const value = valueAt(index);
      if (value === undefined) return undefined;
      given[name] = attributeOf(value, kind);
    }
  }
  const decoded = to.attrs.decode(given);
  return isLeft(decoded) ? decoded : right({ args, attrs: decoded.right });
}

function attributeOf(value: Tensor, kind: OperandForm): AttrValue {
  const elements = Array.from({ length: shapeSize(value.shape) }, (_, i) =>
    isBig(value.dtype) ? attrInteger(readBigInt(value, i)) : readNumber(value, i),
  );
  if (kind === 'ints' || kind === 'floats') return elements;
  if (kind !== 'pairs of ints') return elements[0] ?? 0;
  return Array.from({ length: elements.length / 2 }, (_, i) => elements.slice(2 * i, 2 * i + 2));
}
