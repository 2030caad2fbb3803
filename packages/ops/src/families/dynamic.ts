/**
 * Operators with operands in place of another operator's attributes, so that their values are known
 * only when the program runs.
 */
import { InvariantError, isLeft } from '@baton/base';
import {
  type Attrs,
  anyDim,
  type Dim,
  type DTypeTerm,
  isStaticDim,
  type OpInfo,
  opTable,
  type RelationContext,
  type Type,
  tensorType,
} from '@baton/ir';
import type { TypedAttrs } from '../attrs/schema.ts';
import { type Example, kernelColumn } from '../columns.ts';
import type { Formless, Signature } from '../define-op.ts';
import { badExtent, dimMismatch } from '../diagnostics.ts';
import type { TypedKernel } from '../kernel.ts';
import { numericsColumn } from '../numerics.ts';
import { dimAgrees } from '../relation/dims.ts';
import {
  areFewDims,
  hasRank,
  inDomain,
  type KnownTensor,
  report,
  tensorArg,
} from '../relation/known.ts';
import { type OperandForm, staticParts } from '../static-form.ts';

interface Dynamic<A, I extends string> {
  /** The static operator, with attributes in place of operands. */
  readonly of: OpInfo;
  readonly inputs: ReadonlyArray<I>;
  /** The operands that are its attributes, by name. */
  readonly operands: Readonly<Record<string, OperandForm>>;
  /** Default: none. */
  readonly attrs?: TypedAttrs<A>;
  readonly open: (
    args: ReadonlyArray<KnownTensor>,
    attrs: NoInfer<A>,
    context: RelationContext,
  ) => Type | undefined;
  readonly examples: ReadonlyArray<Example<NoInfer<A>>>;
}

/** The relation and the kernel: those of the static operator, once values are known. */
export function dynamic<A, const I extends string>(
  spec: Dynamic<A, I>,
): Formless<'staticForm'> & {
  readonly signature: Signature<A, I>;
  readonly kernel: TypedKernel<A>;
} {
  const { of, inputs, operands, open, examples } = spec;
  const form = { name: of.name, operands };
  const named = { ...of, inputs: inputs.map((name) => ({ name })) };
  const table = opTable([of]);
  const run = table.read(kernelColumn, of.name);
  return {
    kind: 'other',
    numerics: table.read(numericsColumn, of.name) ?? 'exact',
    staticForm: form,
    signature: {
      source: `operators §4; Relay v0.14 dyn.${of.name}`,
      inputs,
      ...(spec.attrs && { attrs: spec.attrs }),
      relation: (args, attrs, context) => {
        const known: KnownTensor[] = [];
        for (const [index, name] of inputs.entries()) {
          const type = tensorArg(args, index, context);
          if (type === undefined || !fitsForm(type, name, operands[name], context)) {
            return undefined;
          }
          known.push(type);
        }
        const parts = staticParts(named, form, of, attrs as Attrs, context.constant);
        if (parts === undefined) return open(known, attrs, context);
        if (isLeft(parts)) {
          return report(context, badExtent('an operand', parts.left[0].message));
        }
        const { args: kept, attrs: all } = parts.right;
        const types = kept.map((index) => args[index] as Type);
        const constant = (index: number) => context.constant(kept[index] as number);
        return of.relation(types, all, { ...context, constant });
      },
      examples,
    },
    kernel: (args, given, out) => {
      const parts = staticParts(named, form, of, given as Attrs, args.tensor);
      if (parts === undefined || isLeft(parts) || run === undefined) {
        throw new InvariantError(`the relation of dyn.${of.name} has read its operands`);
      }
      const values = parts.right.args.map(args.value);
      return run(values, parts.right.attrs, out);
    },
  };
}

/** This rank, with unknown sizes. */
export const openTensor = (rank: number, dtype: DTypeTerm): Type =>
  tensorType(new Array<Dim>(rank).fill(anyDim), dtype);

/** The length of a vector, which decides a rank; reports if it is unknown. */
export function lengthOf(
  operand: KnownTensor | undefined,
  name: string,
  context: RelationContext,
): number | undefined {
  const [length] = operand?.shape ?? [];
  if (length !== undefined && isStaticDim(length)) {
    return areFewDims(length, context) ? length : undefined;
  }
  return report(context, badExtent(`\`${name}\``, 'its number of elements must be known'));
}

function fitsForm(
  type: KnownTensor,
  name: string,
  form: OperandForm | undefined,
  context: RelationContext,
): boolean {
  if (form === undefined) return true;
  const { domain, ranks, last: wanted } = FORMS[form];
  if (!inDomain(type.dtype, domain, context)) return false;
  if (!hasRank(type, `\`${name}\``, ranks, context)) return false;
  const last = type.shape.at(-1);
  if (wanted === undefined || last === undefined || dimAgrees(last, wanted)) return true;
  report(context, dimMismatch(`the last axis of \`${name}\``, wanted, last));
  return false;
}

/** The element types of each form, its ranks, and the size of its last axis. */
const FORMS: Readonly<
  Record<
    OperandForm,
    {
      readonly domain: 'int' | 'number';
      readonly ranks: ReadonlyArray<number>;
      readonly last?: number;
    }
  >
> = {
  int: { domain: 'int', ranks: [0, 1], last: 1 },
  float: { domain: 'number', ranks: [0, 1], last: 1 },
  ints: { domain: 'int', ranks: [1] },
  floats: { domain: 'number', ranks: [1] },
  'pairs of ints': { domain: 'int', ranks: [2], last: 2 },
};
