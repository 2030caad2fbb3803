/** The patterns that RUN lines give to MergeComposite, by name. */
import { type IRModule, typeOf } from '@baton/ir';
import { dimsOf } from '@baton/ops';
import type { passes } from '@baton/passes';
import { dataflow } from '@baton/rewrites';

const { isConstant, isOp, isTuple, isTupleGetItem, wildcard: any } = dataflow;
type PatternInput = dataflow.PatternInput;
type Entry = Parameters<typeof passes.mergeComposite>[0][number];

const relu = (p: PatternInput) => isOp('nn.relu')(p);
const conv = () => isOp('nn.conv2d')(any(), any());
const convBias = () => isOp('nn.bias_add')(conv(), any());
const difference = () => isOp('subtract')(isOp('add')(any(), any()), any());
const channels = (at: number, size: number) => (e: Parameters<typeof typeOf>[1], m: IRModule) =>
  dimsOf(typeOf(m, e))?.[at] === size;

/** A diamond: both branches come from one node. */
const diamond = (() => {
  const source = relu(any());
  return isOp('multiply')(isOp('exp')(source), isOp('abs')(source));
})();

const ENTRIES: ReadonlyArray<Entry> = [
  { name: 'add-relu', pattern: relu(isOp('add')(any(), any())) },
  { name: 'dense-relu', pattern: relu(isOp('nn.dense')(any(), any())) },
  { name: 'conv-relu', pattern: relu(conv()) },
  { name: 'conv-bias', pattern: convBias() },
  { name: 'conv-bias-maybe-relu', pattern: convBias().optional(relu) },
  { name: 'add-subtract', pattern: difference() },
  { name: 'add-subtract-abs', pattern: isOp('abs')(difference()) },
  {
    name: 'norm-relu',
    pattern: relu(isTupleGetItem(isOp('nn.batch_norm')(...Array.from({ length: 5 }, any)), 0)),
  },
  { name: 'two-inputs', pattern: isOp('multiply')(isOp('exp')(any()), isOp('abs')(any())) },
  { name: 'diamond', pattern: diamond },
  { name: 'scaled', pattern: isOp('multiply')(isConstant(), any()) },
  { name: 'concatenated', pattern: isOp('concatenate')(isTuple()) },
  { name: 'batch-of-one', pattern: relu(conv()), check: channels(0, 1) },
  { name: 'batch-of-two', pattern: relu(conv()), check: channels(0, 2) },
  { name: 'unpadded', pattern: relu(conv().hasAttr({ padding: [0, 0] })) },
  { name: 'wide', pattern: relu(any().hasShape([4, 4])) },
  {
    name: 'residual',
    pattern: conv().dominates(
      isOp('add')(any(), any()),
      any().hasAttr({ TOpPattern: 'elemwise' })(any()),
    ),
  },
];

/** The pattern of a name. */
export function compositeNamed(name: string): Entry {
  const found = ENTRIES.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`unknown pattern: ${name}`);
  return found;
}
