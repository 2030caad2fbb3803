/**
 * SimplifyFCTranspose: a program takes weights as its products want them.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { aText, failure, isLeft, listOf, type Result, right } from '@baton/base';
import {
  children,
  type Expr,
  type Func,
  func,
  type IRModule,
  postOrderExprs,
  rewriteExpr,
  type Type,
  tensorType,
  type Var,
  variable,
  withFunctions,
} from '@baton/ir';
import { callOp, isCallOf, operandOf } from '@baton/ops';
import { inferType, type Pass, pass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { noMatrix, unknownParameter } from '../diagnostics.ts';

export interface SimplifyFcTransposeOptions {
  /** The parameters of `main` to take transposed. Default: those that `main` only transposes. */
  readonly weights?: ReadonlyArray<string>;
}

/**
 * Takes weights that are transposed before use as transposed ones; the caller transposes them once:
 *
 * ```
 * def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3, 4), float32]) {
 *   nn.dense(%x, transpose(%w, axes=[1, 0]))
 * }
 * =>
 * def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) { nn.dense(%x, %w) }
 * ```
 *
 * Other uses of a weight that is named get its transpose. The result, given the transposed weight,
 * computes what the program computes given the weight.
 *
 * **Errors** `MAIN_PARAMETER`, `TRANSPOSE_MATRIX` for a weight that is named and is no matrix.
 * **Complexity** linear in the function.
 * **Source** `SimplifyFCTranspose` of TVM 0.16.
 */
export const simplifyFcTranspose: ConfigurablePass<SimplifyFcTransposeOptions> = configurable(
  { weights: listOf(aText, 'names of parameters') },
  ({ weights }): Pass =>
    pass({
      name: 'SimplifyFCTranspose',
      doc: 'Changes parameters that are transposed to transposed weights.',
      level: 0,
      requires: [inferType],
      counters: ['weight'],
      run: (m, { count }) => {
        const main = m.functions.get('main');
        if (main === undefined) return right(m);
        const chosen = weights === undefined ? right(onlyTransposed(main)) : named(main, weights);
        if (isLeft(chosen)) return chosen;
        if (chosen.right.size === 0) return right(m);
        count('weight', chosen.right.size);
        const made = takingTransposed(m, main, chosen.right);
        return right(withFunctions(m, new Map([...m.functions, ['main', made]])));
      },
    }),
);

/** The matrices among the parameters of these names. */
function named(main: Func, names: ReadonlyArray<string>): Result<ReadonlySet<Expr>> {
  const known = main.params.map(({ nameHint }) => nameHint);
  const chosen = main.params.filter(({ nameHint }) => names.includes(nameHint));
  const problems = [
    ...names.filter((name) => !known.includes(name)).map((name) => unknownParameter(name, known)),
    ...chosen
      .filter((v) => transposedType(v.typeAnnotation) === undefined)
      .map((v) => noMatrix(v.nameHint, v.span)),
  ];
  return failure(problems) ?? right(new Set<Expr>(chosen));
}

/** The matrices among the parameters that have uses, all of which transpose. */
function onlyTransposed(main: Func): ReadonlySet<Expr> {
  const isUsed = new Set<Expr>();
  const isKept = new Set<Expr>([main.body]);
  for (const node of postOrderExprs([main.body])) {
    const weight = transposedBy(node);
    if (weight !== undefined) isUsed.add(weight);
    else for (const part of children(node)) isKept.add(part);
  }
  const isMatrix = (v: Var): boolean => transposedType(v.typeAnnotation) !== undefined;
  return new Set(main.params.filter((v) => isMatrix(v) && isUsed.has(v) && !isKept.has(v)));
}

/** The variable that a node transposes, as a matrix. */
function transposedBy(node: Expr): Expr | undefined {
  if (!isCallOf(node, 'transpose')) return undefined;
  const data = operandOf(node, 0);
  const type = data._tag === 'Var' ? transposedType(data.typeAnnotation) : undefined;
  if (type === undefined) return undefined;
  const { axes } = node.attrs ?? {};
  const order =
    Array.isArray(axes) && axes.length > 0 ? axes.map((a) => (Number(a) + 2) % 2) : [1, 0];
  return order[0] === 1 ? data : undefined;
}

function takingTransposed(m: IRModule, main: Func, weights: ReadonlySet<Expr>): Func {
  const made = new Map<Expr, Var>();
  for (const v of main.params) {
    if (weights.has(v)) made.set(v, variable(v.nameHint, transposedType(v.typeAnnotation), v.span));
  }
  const body = rewriteExpr(main.body, (node) => {
    const weight = transposedBy(node);
    const direct = weight === undefined ? undefined : made.get(weight);
    if (direct !== undefined) return direct;
    const other = made.get(node);
    return other && callOp(m.ops, 'transpose', [other], { axes: [1, 0] }, node.span);
  });
  return func(
    main.params.map((v) => made.get(v) ?? v),
    body,
    main,
  );
}

/** The type of a matrix the other way round; nothing for other types. */
function transposedType(type: Type | undefined): Type | undefined {
  if (type?._tag !== 'TensorType' || '_tag' in type.shape || type.shape.length !== 2)
    return undefined;
  const [rows, columns] = type.shape;
  return rows === undefined || columns === undefined
    ? undefined
    : tensorType([columns, rows], type.dtype);
}
