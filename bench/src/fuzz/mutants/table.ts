/** Passes broken on purpose, one thing at a time: what the fuzz run must notice. */

/** A mistake that somebody might make. */
export interface Mutant {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The source that is right: it stands in the file exactly once. */
  readonly fragment: string;
  readonly replacement: string;
  /** The group whose programs show it. */
  readonly group: string;
  /** The passes to look at; those of the group by default. */
  readonly passes?: ReadonlyArray<string>;
}

const PASSES = 'packages/passes/src';
const SCALE_AXIS = `${PASSES}/fold-scale-axis`;
const SIMPLIFY = `${PASSES}/simplify-expr`;

/** Every mutant. */
export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: 'FoldScaleAxis: no positivity guard',
    file: `${SCALE_AXIS}/site.ts`,
    fragment: 'toNumbers(scale).every((value) => value > 0 && value <',
    replacement: 'toNumbers(scale).every((value) => value <',
    group: 'scales',
  },
  {
    name: 'BackwardFoldScaleAxis: reference count ignored',
    file: `${SCALE_AXIS}/backward-messages.ts`,
    fragment: 'const isSingle = references.get(node) === 1;',
    replacement: 'const isSingle = references.size > 0;',
    group: 'scales',
  },
  {
    name: 'BackwardFoldScaleAxis: scale on the input in place of the output axis',
    file: `${SCALE_AXIS}/backward.ts`,
    fragment: 'const axes = fact.output(site)?.weight;',
    replacement: 'const axes = fact.input(site)?.weight;',
    group: 'scales',
  },
  {
    name: 'FoldScaleAxis: dense treated as depthwise',
    file: 'packages/ops/src/scale-axis/products.ts',
    fragment: "axesOf(letter === 'O' || isPart ? outputs : inputs)",
    replacement: 'axesOf(isPart || channels.main >= 0 ? outputs : inputs)',
    group: 'scales',
  },
  {
    name: 'ForwardFoldScaleAxis: shift not divided by the scale',
    file: `${SCALE_AXIS}/forward.ts`,
    fragment: "const divided = callOp(r.m.ops, 'divide', [other, divisor], {}, span);",
    replacement: 'const divided = divisor === undefined ? divisor : other;',
    group: 'scales',
  },
  {
    name: 'BackwardFoldScaleAxis: every field of a concatenation gets the first part',
    file: `${SCALE_AXIS}/backward-messages.ts`,
    fragment: 'begin += size;',
    replacement: 'begin += 0;',
    group: 'scales',
  },
  {
    name: 'scale axis: a maximum over windows takes any scale',
    file: 'packages/ops/src/scale-axis/maps.ts',
    fragment: 'maxPoolScale: ScaleMap = pool(true)',
    replacement: 'maxPoolScale: ScaleMap = pool(false)',
    group: 'scales',
  },
  {
    name: 'scale axis: transposed axes mapped the other way round',
    file: 'packages/ops/src/scale-axis/maps.ts',
    fragment: 'axes.map((axis) => normalAxis(axis, rank)) : undefined',
    replacement: 'axes.map((_, axis) => axes.indexOf(axis)) : undefined',
    group: 'scales',
  },
  {
    name: 'SimplifyInference: batch norm without epsilon',
    file: 'packages/ops/src/decomposition/normalizations.ts',
    fragment: "op('add', operandOf(n, 4), number(n.attrs.epsilon))",
    replacement: 'operandOf(n, 4)',
    group: 'layers',
  },
  {
    name: "SimplifyInference: batch norm's axis 1 taken for the last",
    file: 'packages/ops/src/decomposition/normalizations.ts',
    fragment: `operandOf(n, 3)];
  const axis = axisOf(n);`,
    replacement: `operandOf(n, 3)];
  const axis = n.data.rank - 1;`,
    group: 'layers',
  },
  {
    name: 'CanonicalizeOps: a negative axis of a bias counted from the front',
    file: 'packages/ops/src/decomposition/decomposition.ts',
    fragment: 'given < 0 ? given + rank : given',
    replacement: 'given < 0 ? -given - 1 : given',
    group: 'layers',
  },
  {
    name: 'FoldExplicitPadding: any value is what the operator pads with',
    file: `${PASSES}/fold-explicit-padding.ts`,
    fragment: "if (op.kind !== 'maximum') return number === 0;",
    replacement: "if (op.kind !== 'maximum') return !Number.isNaN(number);",
    group: 'layers',
  },
  {
    name: 'FoldExplicitPadding: padding left out of a mean',
    file: `${PASSES}/fold-explicit-padding.ts`,
    fragment: 'next.count_include_pad = true;',
    replacement: 'next.count_include_pad = false;',
    group: 'layers',
  },
  {
    name: 'FoldConstant: the wrong dtype',
    file: `${PASSES}/fold-constant.ts`,
    fragment: 'return toExpr(value.right, foldedSpan(node, resultOf));',
    replacement: `const scalarOf = (v: OpValue): OpValue =>
    isTensor(v) && v.shape.length === 0 ? splat([], 'float64', readNumber(v, 0)) : v;
  return toExpr(scalarOf(value.right), foldedSpan(node, resultOf));`,
    group: 'algebra',
  },
  {
    name: 'FoldConstant: the branch not taken',
    file: `${PASSES}/fold-constant.ts`,
    fragment: 'resultOf(isTrue ? node.trueBranch : node.falseBranch)',
    replacement: 'resultOf(isTrue ? node.falseBranch : node.trueBranch)',
    group: 'algebra',
  },
  {
    name: 'SimplifyExpr: 0 - x is x',
    file: 'packages/ops/src/ops/binary/subtract.ts',
    fragment: 'neutral: { value: 0, commutes: false }',
    replacement: 'neutral: { value: 0, commutes: true }',
    group: 'algebra',
  },
  {
    name: 'SimplifyExpr: transposes composed in the wrong order',
    file: `${SIMPLIFY}/movement.ts`,
    fragment: 'outer.map((axis) => inner[axis] ?? axis)',
    replacement: 'inner.map((axis) => outer[axis] ?? axis)',
    group: 'algebra',
  },
  {
    name: 'SimplifyExpr: a cast that narrows is skipped',
    file: `${SIMPLIFY}/casts.ts`,
    fragment: 'return to.bits >= from.bits;',
    replacement: 'return to.bits > 0;',
    group: 'algebra',
  },
  {
    name: 'EliminateCommonSubexpr: attributes ignored',
    file: `${PASSES}/eliminate-common-subexpr.ts`,
    fragment: "node._tag === 'Call' ? (node.attrs ?? noAttrs) : noAttrs",
    replacement: 'node === undefined ? node : noAttrs',
    group: 'structure',
  },
  {
    name: 'EliminateCommonSubexpr: stateful calls merged',
    file: `${PASSES}/eliminate-common-subexpr.ts`,
    fragment: "effect === 'stateful'",
    replacement: "effect === 'none'",
    group: 'structure',
  },
  {
    name: 'DeadCodeElimination: a stateful call dropped',
    file: `${PASSES}/dead-code-elimination.ts`,
    fragment: 'if (isStateful(node.value)) keep(node);',
    replacement: '',
    group: 'structure',
  },
  {
    name: 'FuseOps: fusion across a tuple root',
    file: `${PASSES}/fuse-ops/partition.ts`,
    fragment: 'if (group.pattern <= INJECTIVE && throughTuple) fuseIf((p) => p <= INJECTIVE);',
    replacement:
      'if (group.pattern <= INJECTIVE && sinkGroup.pattern === TUPLE) ' +
      'fuseIf((p) => p <= INJECTIVE || p === TUPLE);',
    group: 'structure',
  },
  {
    name: 'DeadCodeElimination: a ref_write dropped',
    file: `${PASSES}/dead-code-elimination.ts`,
    fragment: 'options.ignoreImpurity !== true && isStatefulIn(m, expr);',
    replacement:
      "options.ignoreImpurity !== true && expr._tag !== 'RefWrite' && isStatefulIn(m, expr);",
    group: 'language',
    passes: ['deadCodeElimination'],
  },
  {
    name: 'ToANormalForm: two reads swapped around a write',
    file: `${PASSES}/normal-forms/filler.ts`,
    fragment: 'else known.push(binding);',
    replacement: `else if (value._tag === 'RefRead' && known.at(-1)?.value._tag === 'RefWrite')
      known.splice(-1, 0, binding);
    else known.push(binding);`,
    group: 'language',
    passes: ['toANormalForm'],
  },
  {
    name: 'ToANormalForm: a partial call hoisted out of a branch',
    file: `${PASSES}/normal-forms/blocks.ts`,
    fragment: '(isStateful(m, node) || !isDemanded(home, uses.get(node) ?? [], alternatives));',
    replacement: 'isStateful(m, node);',
    group: 'language',
    passes: ['toANormalForm'],
  },
  {
    name: 'Inline: a variable captured',
    file: `${PASSES}/inline/copy.ts`,
    fragment: 'variables.set(v, made);',
    replacement: 'variables.set(v, v);',
    group: 'language',
    passes: ['inline(after outline)'],
  },
  {
    name: 'Inline: a polymorphic function specialised once for two uses',
    file: `${PASSES}/inline/inline.ts`,
    fragment: 'const typeArgs = typeArgsAt(inlining.m, callee.f, node);',
    replacement: `const typeArgs = callee.once ?? typeArgsAt(inlining.m, callee.f, node);
    callee.once = typeArgs;`,
    group: 'language',
    passes: ['inline(after outline)'],
  },
  {
    name: 'rebuilding: the clauses of a match in the wrong order',
    file: 'packages/ir/src/expr/children.ts',
    fragment: 'expr.clauses.map((c, i) => build.clause(c.pattern, at(i + 1))),',
    replacement: 'expr.clauses.map((c, i) => build.clause(c.pattern, at(i + 1))).reverse(),',
    group: 'language',
    passes: ['foldConstant', 'fuseOps'],
  },
];
