/** What RUN lines give to the passes about layouts. */
import { typeOf } from '@baton/ir';
import { callOp } from '@baton/ops';
import type { AlterRule, ConvertLayoutOptions, LegalizeRule } from '@baton/passes';

/** `nn.conv2d: NCHW default; skip: 0 2` as options of ConvertLayout. */
export function layoutsIn(text: string): ConvertLayoutOptions {
  const entries = text
    .split(';')
    .filter((entry) => entry.trim() !== '')
    .map((entry): readonly [string, ReadonlyArray<string>] => {
      const [name = '', words = ''] = entry.split(':');
      return [name.trim(), words.trim().split(/ +/)];
    });
  const desired = Object.fromEntries(entries.filter(([name]) => name !== 'skip'));
  return { desired, skip: (new Map(entries).get('skip') ?? []).map(Number) };
}

const blocked = (attrs: Parameters<AlterRule>[0]['attrs'], size: number) => ({
  data_layout: `NCHW${size}c`,
  kernel_layout: `OIHW${size}i${size}o`,
  ...(attrs.out_layout === '' ? {} : { out_layout: `NCHW${size}c` }),
});

const ALTERING: Readonly<Record<string, Readonly<Record<string, AlterRule>>>> = {
  // Convolutions in blocks of four channels.
  blocks: { 'nn.conv2d': ({ attrs }) => blocked(attrs, 4) },
  // Nothing that a convolution has.
  mistake: { 'nn.conv2d': () => ({ data_layout: 4 }) },
  // Blocks of a vector, and one image in which nothing is chosen.
  some: { 'nn.conv2d': ({ attrs }) => (attrs.groups === 1 ? blocked(attrs, 2) : undefined) },
};

const LEGALIZING: Readonly<Record<string, Readonly<Record<string, LegalizeRule>>>> = {
  // A backend without dense products, and without products of odd sizes.
  matmul: {
    'nn.dense': ({ call, args, module }) => {
      const [, weight] = args;
      const isEven =
        weight?._tag === 'TensorType' && Array.isArray(weight.shape) && weight.shape[0] % 2 === 0;
      return isEven
        ? callOp(module.ops, 'nn.matmul', call.args, { transpose_b: true }, call.span)
        : undefined;
    },
  },
  // A rule that forgets a cast.
  mistake: {
    sqrt: ({ call, module }) =>
      typeOf(module, call) && callOp(module.ops, 'cast', call.args, { dtype: 'int32' }),
  },
};

/** The rules of this name for AlterOpLayout. */
export const altering = (name: string): Readonly<Record<string, AlterRule>> =>
  ALTERING[name.trim()] ?? {};

/** The rules of this name for Legalize. */
export const legalizing = (name: string): Readonly<Record<string, LegalizeRule>> =>
  LEGALIZING[name.trim()] ?? {};
