/** Mistakes in the results of passes: a wrong rewriting before, after, or instead of theirs. */
import {
  type Call,
  call,
  constant,
  type Expr,
  type IRModule,
  ifElse,
  letIn,
  match,
  namedGlobals,
  postOrderExprs,
  referenceCounts,
  substitute,
  type TypeArg,
  typeArgsOf,
  typeEqual,
  typeOf,
  variable,
  withFunctions,
} from '@baton/ir';
import { cast, toNumbers } from '@baton/tensor';
import {
  before,
  everywhere,
  inLast,
  inPlace,
  type Mutant,
  mutant,
  nodesAfter,
  nodesBefore,
} from './mutant.ts';

export const rewriteMutants: ReadonlyArray<Mutant> = [
  mutant(
    'BackwardFoldScaleAxis: reference count ignored',
    'backwardFoldScaleAxis, foldScaleAxis',
    before(scaledForAllUsers),
  ),
  mutant(
    'CanonicalizeOps: a negative axis of a bias counted from the front',
    'canonicalizeOps',
    nodesBefore((next) => {
      const axis = isCallOf(next, 'nn.bias_add') ? next.attrs?.axis : undefined;
      return isCallOf(next, 'nn.bias_add') && typeof axis === 'number' && axis < 0
        ? withAttr(next, 'axis', -axis - 1)
        : undefined;
    }),
  ),
  mutant(
    'FoldConstant: the branch not taken',
    'foldConstant',
    nodesBefore((next) =>
      next._tag === 'If' && next.cond._tag === 'Constant'
        ? ifElse(next.cond, next.falseBranch, next.trueBranch, next.span)
        : undefined,
    ),
  ),
  mutant(
    'FoldConstant: the wrong dtype',
    'foldConstant',
    nodesAfter((next) => {
      const data = next._tag === 'Constant' ? next.data : undefined;
      return data?.dtype === 'float32' && data.shape.length === 0
        ? constant(cast(data, 'float64'), next.span)
        : undefined;
    }),
  ),
  mutant(
    'SimplifyExpr: transposes composed in the wrong order',
    'simplifyExpr',
    nodesBefore((next) => {
      const inner = isCallOf(next, 'transpose') ? next.args[0] : undefined;
      const [x] = isCallOf(inner, 'transpose') ? inner.args : [];
      if (!isCallOf(next, 'transpose') || !isCallOf(inner, 'transpose') || !x) return undefined;
      return call(next.op, [call(inner.op, [x], { ...inner, ...attrsOf(next) })], {
        ...next,
        ...attrsOf(inner),
      });
    }),
  ),
  mutant(
    'SimplifyExpr: a cast that narrows is skipped',
    'simplifyExpr',
    nodesBefore((next) => {
      const inner = isCallOf(next, 'cast') ? next.args[0] : undefined;
      return isCallOf(next, 'cast') && isCallOf(inner, 'cast')
        ? call(next.op, inner.args, { ...next, ...attrsOf(next) })
        : undefined;
    }),
  ),
  mutant(
    'SimplifyExpr: 0 - x is x',
    'simplifyExpr',
    nodesBefore((next) => {
      const [zero, x] = isCallOf(next, 'subtract') ? next.args : [];
      return zero?._tag === 'Constant' && toNumbers(zero.data).every((n) => n === 0)
        ? x
        : undefined;
    }),
  ),
  mutant(
    'SimplifyInference: batch norm without epsilon',
    'simplifyInference',
    nodesBefore((next) =>
      isCallOf(next, 'nn.batch_norm') ? withAttr(next, 'epsilon', 0) : undefined,
    ),
  ),
  mutant(
    "SimplifyInference: batch norm's axis 1 taken for the last",
    'simplifyInference',
    nodesBefore((next) =>
      isCallOf(next, 'nn.batch_norm') ? withAttr(next, 'axis', -1) : undefined,
    ),
  ),
  mutant(
    'EliminateCommonSubexpr: attributes ignored',
    'eliminateCommonSubexpr',
    inPlace(mergedByArguments),
  ),
  mutant(
    'FuseOps: two arguments of a kernel swapped',
    'fuseOps',
    nodesAfter((next) => {
      if (next._tag !== 'Call' || next.op._tag !== 'Function') return undefined;
      const [a, b] = next.op.params.map((p) => p.typeAnnotation);
      const [x, y, ...rest] = next.args;
      const fits = a !== undefined && b !== undefined && typeEqual(a, b);
      return fits && x && y ? call(next.op, [y, x, ...rest], { ...next }) : undefined;
    }),
  ),
  mutant(
    'DeadCodeElimination: a ref_write dropped',
    'deadCodeElimination',
    nodesBefore((next) =>
      next._tag === 'Let' && next.value._tag === 'RefWrite' ? next.body : undefined,
    ),
    'language',
  ),
  mutant(
    'ToANormalForm: a read moved in front of a write',
    'toANormalForm',
    nodesAfter((next) => {
      const read = next._tag === 'Let' && next.value._tag === 'RefWrite' ? next.body : undefined;
      return next._tag === 'Let' && read?._tag === 'Let' && read.value._tag === 'RefRead'
        ? letIn(read.variable, read.value, letIn(next.variable, next.value, read.body))
        : undefined;
    }),
    'language',
  ),
  mutant(
    'ToANormalForm: branches filled in the wrong order',
    'toANormalForm',
    nodesAfter(withBranchesExchanged),
    'language',
  ),
  mutant(
    'Inline: parameters left in the body that is inlined',
    'inline(after outline)',
    inLast(inPlace(withBodies)),
    'language',
  ),
  mutant(
    'Inline: a polymorphic function specialised once for two uses',
    'inline(after outline)',
    before(specialisedOnce),
    'language',
  ),
  mutant(
    'rebuilding: the clauses of a match in the wrong order',
    'foldConstant, fuseOps',
    nodesAfter((next) =>
      next._tag === 'Match'
        ? match(next.data, [...next.clauses].reverse(), next.complete, next.span)
        : undefined,
    ),
    'language',
  ),
  mutant(
    'Inline: each copy of a body binds the same variables',
    'inline(after outline)',
    inLast(inPlace(inlinedAsWritten)),
    'language',
  ),
];

const isCallOf = (node: Expr | undefined, name: string): node is Call =>
  node?._tag === 'Call' && node.op._tag === 'Op' && node.op.name === name;

const attrsOf = ({ attrs }: Call): Pick<Call, 'attrs'> => ({ attrs });

const withAttr = (node: Call, name: string, value: number): Call =>
  call(node.op, node.args, { ...node, attrs: { ...node.attrs, [name]: value } });

/** Moves a product with a constant into its other operand, which other users share. */
function scaledForAllUsers(m: IRModule): IRModule {
  const roots = [...m.functions.values()];
  const counts = referenceCounts(roots);
  const scales = new Map<Expr, Call>();
  for (const node of postOrderExprs(roots)) {
    const [x, scale] = isCallOf(node, 'multiply') ? node.args : [];
    if (!isCallOf(node, 'multiply') || x?._tag !== 'Call' || scale?._tag !== 'Constant') continue;
    const [type, scaled] = [typeOf(m, x), typeOf(m, node)];
    if (type === undefined || scaled === undefined || !typeEqual(type, scaled)) continue;
    if ((counts.get(x) ?? 0) > 1 && !scales.has(x)) scales.set(x, node);
  }
  const products = new Set<Expr>(scales.values());
  return everywhere((next, node) => {
    // The other operand has the scale already.
    if (products.has(node)) return next._tag === 'Call' ? next.args[0] : undefined;
    const product = scales.get(node);
    return product && call(product.op, [next, ...product.args.slice(1)], { ...product });
  })(m);
}

function mergedByArguments(m: IRModule): IRModule {
  const known = new Map<string, Call[]>();
  return everywhere((next) => {
    if (next._tag !== 'Call' || next.op._tag !== 'Op') return undefined;
    const others = known.get(next.op.name) ?? [];
    const same = others.find((other) => other.args.every((arg, i) => arg === next.args[i]));
    if (same === undefined) known.set(next.op.name, [...others, next]);
    return same;
  })(m);
}

/** The branches exchanged, if neither calls a function: a recursion might not end. */
function withBranchesExchanged(next: Expr): Expr | undefined {
  if (next._tag !== 'If') return undefined;
  const { cond, trueBranch, falseBranch, span } = next;
  const mayRecur = postOrderExprs([trueBranch, falseBranch]).some(isCallOfFunction);
  return mayRecur ? undefined : ifElse(cond, falseBranch, trueBranch, span);
}

const isCallOfFunction = (node: Expr): boolean =>
  node._tag === 'Call' && (node.op._tag === 'Var' || node.op._tag === 'GlobalVar');

/** Replaces calls by bodies that keep their own parameters. */
function withBodies(m: IRModule): IRModule {
  return everywhere((next) =>
    next._tag === 'Call' && next.op._tag === 'GlobalVar'
      ? m.functions.get(next.op.nameHint)?.body
      : undefined,
  )(m);
}

/** Specializes every call of a function for the types of the first. */
function specialisedOnce(m: IRModule): IRModule {
  const first = new Map<string, ReadonlyArray<TypeArg>>();
  return everywhere((next, node) => {
    if (next._tag !== 'Call' || next.op._tag !== 'GlobalVar') return undefined;
    const name = next.op.nameHint;
    const own = m.functions.get(name)?.typeParams.length ? typeArgsOf(m, node) : undefined;
    const typeArgs = first.get(name);
    if (own !== undefined && typeArgs === undefined) first.set(name, own);
    const differ = own?.some((arg, i) => !sameType(arg, typeArgs?.[i])) ?? false;
    return differ && typeArgs ? call(next.op, next.args, { ...next, typeArgs }) : undefined;
  })(m);
}

const sameType = (a: TypeArg, b: TypeArg | undefined): boolean =>
  a.kind !== 'Type' || (b?.kind === 'Type' && typeEqual(a.value, b.value));

/** Calls of functions marked `Inline`, as lets of the arguments around the very body. What nothing names goes. */
function inlinedAsWritten(m: IRModule): IRModule {
  const made = everywhere((next) => {
    const f =
      next._tag === 'Call' && next.op._tag === 'GlobalVar'
        ? m.functions.get(next.op.nameHint)
        : undefined;
    if (next._tag !== 'Call' || f?.attrs.Inline === undefined || f.attrs.Compiler !== undefined)
      return undefined;
    if (f.typeParams.length > 0 || namedGlobals(f).size > 0) return undefined;
    const bound = f.params.map((p) => variable(p.nameHint, p.typeAnnotation));
    const body = substitute(f.body, new Map(f.params.map((p, i) => [p, bound[i] ?? p])));
    return bound.reduceRight<Expr>((rest, v, i) => letIn(v, next.args[i] ?? v, rest), body);
  })(m);
  const named = new Set([...made.functions.values()].flatMap((f) => [...namedGlobals(f)]));
  const kept = [...made.functions].filter(([name]) => name === 'main' || named.has(name));
  return withFunctions(made, new Map(kept));
}
