/** Operators that move blocks between the channels and the pixels of an image. */
import { type Dim, divideDims, multiplyDims, type OpInfo, tensorType } from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import { oneOf, positiveInt, text } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import type { Example } from '../columns.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { dimMismatch } from '../diagnostics.ts';
import type { BlockMode } from '../kernels/blocks.ts';
import { layoutDims } from '../layout/layout.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import { sameOnIntegers } from '../on-integers/rules.ts';
import type { OnnxForm } from '../onnx-form.ts';
import { dimsInLayout, layoutAttr } from '../relation/in-layout.ts';
import { report, tensorArg } from '../relation/known.ts';
import { imageLayouts, onImages } from '../relayout/rules.ts';

export interface Blocks extends Required<Facts<'name' | 'doc' | 'source'>> {
  readonly onnx: OnnxForm;
  /** Whether channels become pixels; otherwise the reverse. */
  readonly toSpace: boolean;
  /** `x` is (N, C, H, W). */
  readonly kernel: (x: Tensor, size: number, mode: BlockMode, memory: Memory) => Tensor;
  readonly examples: ReadonlyArray<
    Example<{ readonly block_size: number; readonly layout: string; readonly mode: BlockMode }>
  >;
}

const PLAIN = 'NCHW';

export function movingBlocks(spec: Blocks): OpInfo {
  const { toSpace, kernel, source, examples, ...facts } = spec;
  return defineOp({
    ...facts,
    signature: {
      source,
      examples,
      attrs: attrs({
        block_size: positiveInt,
        layout: withDefault(text, PLAIN),
        mode: withDefault(oneOf('DCR', 'CRD'), 'DCR'),
      }),
      relation: (args, { block_size: size, layout: name }, context) => {
        const layout = layoutAttr('layout', name, PLAIN, context);
        const data = tensorArg(args, 0, context);
        if (layout === undefined || data === undefined) return undefined;
        const dims = dimsInLayout(data, '`data`', layout, name, PLAIN, context);
        if (dims === undefined) return undefined;
        const [batch = 1, channels = 1, height = 1, width = 1] = dims;
        const divided = (dim: Dim, by: number, what: string): Dim | undefined => {
          const part = divideDims(dim, by);
          const isWhole = part !== undefined && (typeof dim !== 'number' || dim % by === 0);
          if (isWhole) return part;
          return report(context, dimMismatch(what, `a multiple of ${by}`, dim));
        };
        const [c, h, w] = toSpace
          ? [
              divided(channels, size * size, 'the channels'),
              multiplyDims(height, size),
              multiplyDims(width, size),
            ]
          : [
              multiplyDims(channels, size * size),
              divided(height, size, 'the height'),
              divided(width, size, 'the width'),
            ];
        if (c === undefined || h === undefined || w === undefined) return undefined;
        const shape = layoutDims([batch, c, h, w], PLAIN, layout);
        return shape && tensorType(shape, data.dtype);
      },
    },
    kernel: (args, { block_size: size, layout: name, mode }, out) => {
      const plain = toPlain(args.tensor(0), name, PLAIN, out);
      return fromPlain(kernel(plain, size, mode, out), PLAIN, name, out);
    },
    kind: 'movement',
    onIntegers: sameOnIntegers,
    relayout: onImages,
    layoutAttributes: imageLayouts,
    gradient: ({ g, attrs: given, op }) => [
      op(toSpace ? 'nn.space_to_depth' : 'nn.depth_to_space', [g], given),
    ],
  });
}
