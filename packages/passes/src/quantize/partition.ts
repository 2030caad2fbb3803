/**
 * QuantizePartition: a program is cut into the sections that quantization stores in few bits.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { type Call, type Expr, type IRModule, tempExpr } from '@baton/ir';
import { callOp, isCallOf, operandOf, type Quantizing } from '@baton/ops';
import { type Count, inferType, rewritingPass, visibleIn } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { type ForwardRule, forwardRewrite } from '../forward-rewrite.ts';
import { again, BARRIER, HINT, isReal, partOf } from './marks.ts';
import { BITS_TYPES, bitsOf, integersOf, type QuantizedBits } from './options.ts';

export type QuantizePartitionOptions = Pick<QuantizedBits, 'nbitInput'>;

const COUNTERS = ['convolution', 'passed on', 'closed'] as const;

/**
 * Ends each section that begins with a convolution by a hint and a barrier:
 *
 * ```
 * nn.softmax(nn.relu(add(nn.conv2d(%x, %w), c)))
 * =>
 * %0 = nn.relu(add(nn.conv2d(%x, %w), c));
 * nn.softmax(annotation.stop_fusion(annotation.cast_hint(%0, dtype="int8")))
 * ```
 *
 * A section goes on through sums with constants, rectifiers, bounds and pools by maxima; it ends
 * where the column `quantizing` says so, and before operators that have no part in quantization.
 *
 * **Complexity** linear in the function.
 * **Source** Relay v0.16, QuantizePartition.
 */
export const quantizePartition: ConfigurablePass<QuantizePartitionOptions> = configurable(
  { nbitInput: BITS_TYPES.nbitInput },
  (options) =>
    rewritingPass({
      name: 'QuantizePartition',
      doc: 'Cuts a program into sections whose results quantization stores in few bits.',
      subject: 'networks',
      level: 1,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (f, m, { count }) => {
        const dtype = integersOf(bitsOf(options).nbitInput);
        const close = (expr: Expr): Expr => {
          count('closed');
          const hint = callOp(m.ops, HINT, [expr], { dtype }, expr.span);
          return callOp(m.ops, BARRIER, [hint], {}, expr.span);
        };
        const rule: ForwardRule = (node, args) => {
          const part = partOf(m, node);
          return part && sectioned({ m, count, close }, { node, part, args });
        };
        const { order } = visibleIn(f.body, m);
        return forwardRewrite(f, rule, { order, mayProject: () => false });
      },
    }),
);

interface Cutting {
  readonly m: IRModule;
  readonly count: Count<(typeof COUNTERS)[number]>;
  readonly close: (expr: Expr) => Expr;
}

interface Site {
  readonly node: Call;
  readonly part: Quantizing;
  readonly args: ReadonlyArray<Expr>;
}

/** The replacement of a call: an open section, or an ordinary call. */
function sectioned({ m, count, close }: Cutting, { node, part, args }: Site): Expr | undefined {
  const open = (operands: ReadonlyArray<Expr>): Expr => {
    const made = again(node, operands);
    count(part === 'convolution' ? 'convolution' : 'passed on');
    let whole: Expr | undefined;
    const realize = (): Expr => {
      whole ??= close(made);
      return whole;
    };
    return tempExpr(made, realize, node.span);
  };
  const [first, second] = args;
  if (first === undefined || !isReal(m, node)) return undefined;
  switch (part) {
    case 'convolution':
      return open(args.map(closed));
    case 'rectifier':
    case 'bound':
    case 'maximum':
      return isOpen(first) ? open(args.map(inside)) : undefined;
    case 'sum': {
      const isBiased = second !== undefined && isOpen(first) !== isOpen(second);
      if (isBiased && isConstant(isOpen(first) ? second : first)) return open(args.map(inside));
      return second !== undefined && isOpen(first) && isOpen(second)
        ? open(args.map(closed))
        : undefined;
    }
    case 'factor':
      return args.some(isOpen) ? open(args.map(closed)) : undefined;
    case 'hint':
      return again(node, args.map(inside));
    case 'end': {
      const isCut = isOpen(first) || isClosed(first);
      return again(node, [isCut ? closed(first) : close(first)]);
    }
    default:
      return undefined;
  }
}

const isOpen = (expr: Expr): boolean => expr._tag === 'TempExpr';

const isConstant = (expr: Expr): boolean => expr._tag === 'Constant';

/** The value of a section that goes on. */
const inside = (expr: Expr): Expr =>
  // The payload is what `open` put there.
  expr._tag === 'TempExpr' ? (expr.payload as Expr) : expr;

/** The value of a section that ends here. */
const closed = (expr: Expr): Expr => (expr._tag === 'TempExpr' ? expr.realize() : expr);

/** Whether a section has ended here in an earlier run. */
const isClosed = (expr: Expr): boolean =>
  isCallOf(expr, BARRIER) && isCallOf(operandOf(expr, 0), HINT);
