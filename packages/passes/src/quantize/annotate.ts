/**
 * QuantizeAnnotate: the numbers to quantize are marked.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { remember } from '@baton/base';
import {
  type Call,
  constant,
  type Expr,
  type IRModule,
  isContextual,
  isStateful,
  tempExpr,
  tuple,
} from '@baton/ir';
import { callOp, isCallOf, isOpCall, type Quantizing } from '@baton/ops';
import { type Count, inferType, rewritingPass, visibleIn } from '@baton/pass-manager';
import { scalar } from '@baton/tensor';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { type ForwardRule, forwardRewrite } from '../forward-rewrite.ts';
import { again, isReal, KIND_NUMBERS, type Kind, kindOf, MARK, partOf, REAL } from './marks.ts';
import { ANNOTATE_TYPES, type AnnotateOptions } from './options.ts';

const COUNTERS = [
  'input',
  'weight',
  'sum',
  'passed on',
  'hint dropped',
  'kept: left out',
  'kept: after the end',
] as const;

/**
 * Marks what goes into products, and their weights:
 *
 * ```
 * nn.relu(nn.conv2d(%x, w))
 * =>
 * %0 = relay.op.annotation.simulated_quantize(%x, 0f, 0f, 0f);
 * %1 = relay.op.annotation.simulated_quantize(w, 0f, 0f, 0f, kind=2);
 * nn.relu(nn.conv2d(%0, %1))
 * ```
 *
 * A mark with the scale 0 gives its data: every bit of the program stays. Sums of products flow
 * through the operators that have a part in quantization, by their column `quantizing`; they are
 * marked where the next product, pool by maxima or hint takes them.
 *
 * - What depends on a pool over whole images that took quantized numbers stays as it is.
 * - A hint on numbers that are not quantized goes.
 *
 * **Complexity** linear in the function.
 * **Source** Relay v0.16, QuantizeAnnotate.
 */
export const quantizeAnnotate: ConfigurablePass<AnnotateOptions> = configurable(
  ANNOTATE_TYPES,
  ({ skipConvLayers = [0], skipDenseLayer = true }) =>
    rewritingPass({
      name: 'QuantizeAnnotate',
      doc: 'Marks the values to quantize.',
      subject: 'networks',
      level: 1,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (f, m, { count }) => {
        const skipped = new Set(skipConvLayers);
        let convolutions = 0;
        const isLeftOut = (part: Quantizing): boolean =>
          part === 'convolution' ? skipped.has(convolutions++) : part === 'layer' && skipDenseLayer;
        const site = { m, count, isLeftOut, marks: new Map(), none: constant(scalar(0, REAL)) };
        const rule: ForwardRule = (node, args) => annotated(site, node, args);
        const mayProject = (of: Expr): boolean => !isStateful(m, of) && !isContextual(m, of);
        return forwardRewrite(f, rule, { order: visibleIn(f.body, m).order, mayProject });
      },
    }),
);

interface Marking {
  readonly m: IRModule;
  readonly count: Count<(typeof COUNTERS)[number]>;
  /** Whether a product is left out; asked once for each, in order. */
  readonly isLeftOut: (part: Quantizing) => boolean;
  readonly marks: Map<Expr, Map<Kind, Expr>>;
  /** The scale and the bounds before calibration. */
  readonly none: Expr;
}

/** The state of a value: quantized, or after the end of quantization. */
type Known = Kind | 'ended';

interface Flow {
  readonly expr: Expr;
  readonly known: Known;
}

const flowing = (expr: Expr, known: Known): Expr => {
  const flow: Flow = { expr, known };
  return tempExpr(flow, () => expr, expr.span);
};

// The payload is what `flowing` put there.
const flowOf = (expr: Expr | undefined): Flow | undefined =>
  expr?._tag === 'TempExpr' ? (expr.payload as Flow) : undefined;

const plain = (expr: Expr): Expr => {
  if (expr._tag !== 'Tuple') return flowOf(expr)?.expr ?? expr;
  return expr.fields.some((field) => flowOf(field) !== undefined)
    ? tuple(expr.fields.map(plain), expr.span)
    : expr;
};

const knownOf = (expr: Expr | undefined): Known | undefined => flowOf(expr)?.known;

/** Whether a value, or a field of a literal tuple, comes after the end. */
const isEnded = (expr: Expr): boolean =>
  expr._tag === 'Tuple'
    ? expr.fields.some((field) => knownOf(field) === 'ended')
    : knownOf(expr) === 'ended';

/** The replacement of a call; `undefined` for an ordinary call of ordinary arguments. */
function annotated(site: Marking, node: Call, args: ReadonlyArray<Expr>): Expr | undefined {
  if (!isOpCall(node)) return undefined;
  const part = partOf(site.m, node);
  const isProduct = part === 'convolution' || part === 'layer' || part === 'product';
  const isLeftOut = isProduct && site.isLeftOut(part);
  if (args.some(isEnded)) {
    if (isProduct) site.count('kept: after the end');
    return flowing(part === 'hint' ? plain(args[0] as Expr) : forwarded(node, args), 'ended');
  }
  if (part === undefined || !isReal(site.m, node)) return undefined;
  if (isProduct) {
    if (!isLeftOut)
      return flowing(
        again(
          node,
          args.map((arg) => narrowed(site, arg)),
        ),
        'sum',
      );
    site.count('kept: left out');
    return undefined;
  }
  return passedOn(site, node, part, args);
}

const forwarded = (node: Call, args: ReadonlyArray<Expr>): Expr => {
  const operands = args.map(plain);
  // A literal tuple that was taken apart and put together again is the same one.
  return again(
    node,
    operands.map((made, i) => sameTuple(node.args[i], made)),
  );
};

const sameTuple = (was: Expr | undefined, made: Expr): Expr =>
  was?._tag === 'Tuple' &&
  made._tag === 'Tuple' &&
  was.fields.every((field, i) => field === made.fields[i])
    ? was
    : made;

/** The result of an operator other than a product on quantized numbers. */
function passedOn(
  site: Marking,
  node: Call,
  part: Quantizing,
  args: ReadonlyArray<Expr>,
): Expr | undefined {
  const [first] = args;
  if (first === undefined) return undefined;
  if (part === 'mark') {
    const kind = isOpCall(node) ? kindOf(node) : undefined;
    return kind && flowing(forwarded(node, args), kind);
  }
  if (part === 'joined') return joined(site, node, first);
  const known = args.map(knownOf);
  if (known.every((kind) => kind === undefined)) {
    if (part !== 'hint') return undefined;
    site.count('hint dropped');
    return first;
  }
  site.count('passed on');
  switch (part) {
    case 'sum':
      return flowing(again(node, addends(site, args)), 'sum');
    case 'factor':
      return flowing(
        again(
          node,
          args.map((arg) => narrowed(site, arg)),
        ),
        'sum',
      );
    case 'maximum':
    case 'hint':
      return flowing(again(node, [narrowed(site, first)]), 'input');
    case 'end':
      return flowing(forwarded(node, args), 'ended');
    default:
      return flowing(forwarded(node, args), known[0] ?? 'sum');
  }
}

/** Two addends: what is not quantized is marked, and one of two sums of products. */
function addends(site: Marking, args: ReadonlyArray<Expr>): ReadonlyArray<Expr> {
  const [left, right] = args.map(knownOf);
  const isTwoSums = left === 'sum' && right === 'sum';
  return args.map((arg, i) => {
    const known = knownOf(arg);
    return known === undefined || (isTwoSums && i === 1) ? narrowed(site, arg) : plain(arg);
  });
}

/** The concatenation of tensors, if some of them are quantized: then all are. */
function joined(site: Marking, node: Call, fields: Expr): Expr | undefined {
  if (fields._tag !== 'Tuple') return undefined;
  if (fields.fields.every((field) => flowOf(field) === undefined)) return undefined;
  site.count('passed on');
  const all = fields.fields.map((field) =>
    flowOf(field) === undefined ? marked(site, field, 'sum') : plain(field),
  );
  const made = sameTuple(node.args[0], tuple(all, fields.span));
  return flowing(again(node, [made]), 'sum');
}

/** An operand of a product: a sum of products, or what is not quantized, is marked. */
function narrowed(site: Marking, arg: Expr): Expr {
  const known = knownOf(arg);
  return known === 'input' || known === 'weight' ? plain(arg) : marked(site, plain(arg), 'input');
}

/** A value with a mark of a kind; a constant is a weight. */
function marked({ m, count, marks, none }: Marking, data: Expr, kind: Kind): Expr {
  const as = data._tag === 'Constant' ? 'weight' : kind;
  if (isCallOf(data, MARK) && kindOf(data) === as) return data;
  const own = remember(marks, data, () => new Map<Kind, Expr>());
  return remember(own, as, () => {
    count(as);
    return callOp(m.ops, MARK, [data, none, none, none], { kind: KIND_NUMBERS[as] }, data.span);
  });
}
