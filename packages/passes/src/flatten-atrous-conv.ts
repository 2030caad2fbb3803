/**
 * FlattenAtrousConv: convolutions of blocks become dilated convolutions.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import {
  type Attrs,
  type AttrValue,
  call,
  type Expr,
  type IRModule,
  referenceCounts,
} from '@baton/ir';
import {
  isCallOf,
  isOpCall,
  numbersOf,
  type OpCall,
  operandOf,
  ownPaddingOf,
  paddingLists,
} from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';

/**
 * Writes a convolution of blocks of its data, put together again, as a dilated convolution:
 *
 * ```
 * nn.batch_to_space_nd(nn.conv2d(nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[2, 3], [2, 3]]),
 *   %w, data_layout="NHWC"), block_shape=[2, 2], crops=[[0, 1], [0, 1]])
 * =>
 * nn.conv2d(%x, %w, padding=[2, 2, 2, 2], dilation=[2, 2], data_layout="NHWC")
 * ```
 *
 * The element at place `i` of the result takes those at `i + b·(k·d − p)` of the padded data, for
 * blocks of `b`, and a convolution with dilation `d` and padding `p`: that is a convolution with
 * dilation `b·d`, whose padding is `b·p` more, less the crop. The data is padded with 0, the strides
 * are 1, and no more is cropped than was padded. A convolution of blocks that has other users stays:
 * it would be computed twice.
 *
 * **Complexity** linear in the function.
 */
export const flattenAtrousConv: Pass = rewritingPass({
  name: 'FlattenAtrousConv',
  doc: 'Replaces convolutions of space-to-batch blocks by dilated convolutions.',
  subject: 'sizes',
  level: 0,
  requires: [inferType],
  needs: ['nsz', 'nnan', 'ninf'],
  rows: ['dilated convolution'],
  isIdempotent: true,
  run: (f, m, { count }) => {
    let uses: ReadonlyMap<Expr, number> | undefined;
    return rewriteFunc(f, m, (node, get) => {
      const blocks = blocksOf(m, node, get);
      const attrs = blocks && dilated(blocks);
      if (blocks === undefined || attrs === undefined) return undefined;
      uses ??= referenceCounts([f.body]);
      if (uses.get(blocks.was) !== 1) return undefined;
      count('dilated convolution');
      const { conv, data } = blocks;
      return call(conv.op, [data, operandOf(conv, 1)], { attrs, span: node.span });
    });
  },
});

/** A convolution of blocks. */
interface Blocks {
  readonly data: Expr;
  readonly from: Attrs;
  readonly conv: OpCall;
  /** The convolution in the function that is rewritten. */
  readonly was: Expr;
  readonly to: Attrs;
}

function blocksOf(m: IRModule, node: Expr, get: (node: Expr) => Expr): Blocks | undefined {
  if (!isCallOf(node, 'nn.batch_to_space_nd')) return undefined;
  const was = operandOf(node, 0);
  const conv = get(was);
  if (!isOpCall(conv)) return undefined;
  if (ownPaddingOf(m.ops, conv.op.name) !== 'convolution') return undefined;
  const split = conv.args[0];
  if (!isCallOf(split, 'nn.space_to_batch_nd')) return undefined;
  return { data: operandOf(split, 0), from: split.attrs, conv, was, to: node.attrs };
}

/** The attributes of the dilated convolution, if there is one. */
function dilated({ from, conv, to }: Blocks): Attrs | undefined {
  const { attrs } = conv;
  const blocks = numbersOf(from.block_shape);
  const others = numbersOf(to.block_shape);
  const rank = blocks.length;
  const isSpatial = /^N[A-BD-MO-Z]+C$/.test(String(attrs.data_layout));
  const keepsLayout = attrs.out_layout === '' || attrs.out_layout === attrs.data_layout;
  if (!isSpatial || !keepsLayout || String(attrs.data_layout).length !== rank + 2) return undefined;
  if (blocks.some((block, i) => block !== others[i]) || others.length !== rank) return undefined;
  if (from.pad_value !== 0 || numbersOf(attrs.strides).some((stride) => stride !== 1)) {
    return undefined;
  }
  const own = paddingLists(numbersOf(attrs.padding), rank);
  const [paddings, crops] = [listOf(from.paddings), listOf(to.crops)];
  // All befores, then all afters.
  const padding = own.map((pad, i) => {
    const [axis, side] = [i % rank, i < rank ? 0 : 1];
    const given = numbersOf(paddings[axis])[side] ?? 0;
    return given + pad * (blocks[axis] ?? 1) - (numbersOf(crops[axis])[side] ?? 0);
  });
  if (padding.some((pad) => pad < 0)) return undefined;
  const dilation = numbersOf(attrs.dilation).map((step, i) => step * (blocks[i] ?? 1));
  return { ...attrs, padding, dilation };
}

const listOf = (value: AttrValue | undefined): ReadonlyArray<AttrValue> =>
  Array.isArray(value) ? value : [];
