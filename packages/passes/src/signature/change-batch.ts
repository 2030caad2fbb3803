/** ChangeBatch: a program takes batches of another size. */
import { aRecord, failure, isLeft, left, type Result, right, wholeNumber } from '@baton/base';
import {
  type Expr,
  type Func,
  func,
  type IRModule,
  inferTypes,
  letIn,
  postOrderExprs,
  rewriteExpr,
  type Type,
  tensorType,
  type Var,
  variable,
  withFunctions,
} from '@baton/ir';
import { inferType, type Pass, pass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { batchAxis, batchIsStated, unknownParameter } from '../diagnostics.ts';

export interface ChangeBatchOptions {
  /** The parameters of `main` with batches, by name, and the batch axis of each. */
  readonly data?: Readonly<Record<string, number>>;
  /** The new size. @defaultValue 16 */
  readonly batchSize?: number;
}

const BATCH_SIZE = 16;

/**
 * Gives parameters of `main` another size along an axis; all types that follow from it follow:
 *
 * ```
 * def @main(%x: Tensor[(1, 4), float32], %w: ..) { nn.dense(%x, %w) }              ({ x: 0 }, 8)
 * =>
 * def @main(%x: Tensor[(8, 4), float32], %w: ..) { nn.dense(%x, %w) }
 * ```
 *
 * What variables and results are annotated with is forgotten, since it states the old size.
 *
 * **Errors** `BATCH_PARAMETER` for a name that `main` has not, `BATCH_AXIS` for an axis that it has
 * not, `BATCH_STATED` if the program states the old size elsewhere, such as in a reshape.
 * **Complexity** linear in the function.
 * **Source** `ChangeBatch` of TVM 0.16.
 */
export const changeBatch: ConfigurablePass<ChangeBatchOptions> = configurable(
  { data: aRecord, batchSize: wholeNumber(1) },
  ({ data = {}, batchSize = BATCH_SIZE }): Pass =>
    pass({
      name: 'ChangeBatch',
      doc: 'Changes the batch size of a program.',
      level: 0,
      requires: [inferType],
      counters: ['parameter'],
      isIdempotent: true,
      run: (m, { count }) => {
        const main = m.functions.get('main');
        if (main === undefined) return right(m);
        const params = withSizes(main, data, batchSize);
        if (isLeft(params)) return params;
        const changed = main.params.filter((v, i) => v !== params.right[i]);
        if (changed.length === 0) return right(m);
        count('parameter', changed.length);
        const made = new Map([...m.functions, ['main', withParams(main, params.right)]]);
        return agreeing(withFunctions(m, made));
      },
    }),
);

function withSizes(
  main: Func,
  data: Readonly<Record<string, number>>,
  size: number,
): Result<ReadonlyArray<Var>> {
  const names = main.params.map(({ nameHint }) => nameHint);
  const problems = Object.keys(data)
    .filter((name) => !names.includes(name))
    .map((name) => unknownParameter(name, names));
  const params = main.params.map((v) => {
    const axis = data[v.nameHint];
    if (axis === undefined) return v;
    const type = v.typeAnnotation && withSize(v.typeAnnotation, axis, size);
    if (type === undefined) problems.push(batchAxis(v.nameHint, axis, v.span));
    return type === undefined || type === v.typeAnnotation ? v : variable(v.nameHint, type, v.span);
  });
  return failure(problems) ?? right(params);
}

/** The type of a tensor with another size along an axis; nothing if it has no such axis. */
function withSize(type: Type, axis: number, size: number): Type | undefined {
  if (type._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
  const at = axis < 0 ? axis + type.shape.length : axis;
  if (!Number.isInteger(at) || at < 0 || at >= type.shape.length) return undefined;
  if (type.shape[at] === size) return type;
  return tensorType(
    type.shape.map((dim, i) => (i === at ? size : dim)),
    type.dtype,
  );
}

/** The function with other parameters, and without annotations that state what follows from them. */
function withParams(main: Func, params: ReadonlyArray<Var>): Func {
  const made = new Map<Expr, Var>(main.params.map((v, i) => [v, params[i] ?? v]));
  for (const node of postOrderExprs([main.body])) {
    if (node._tag !== 'Let' || node.variable.typeAnnotation === undefined) continue;
    made.set(node.variable, variable(node.variable.nameHint, undefined, node.variable.span));
  }
  const body = rewriteExpr(main.body, (node, get) => {
    if (node._tag === 'Var') return made.get(node);
    if (node._tag === 'Let') {
      const v = made.get(node.variable) ?? node.variable;
      const [value, rest] = [get(node.value), get(node.body)];
      return v === node.variable && value === node.value && rest === node.body
        ? node
        : letIn(v, value, rest, node.span);
    }
    return node._tag === 'Function' && node.retType !== undefined
      ? withoutResult(node, node.params, get(node.body))
      : undefined;
  });
  return withoutResult(main, params, body);
}

function withoutResult(f: Func, params: ReadonlyArray<Var>, body: Expr): Func {
  const { typeParams, attrs, constraints, span } = f;
  return func(params, body, { typeParams, attrs, constraints, span });
}

/** The module with types, if nothing in it contradicts the new size. */
function agreeing(m: IRModule): Result<IRModule> {
  const typed = inferTypes(m);
  if (!isLeft(typed)) return typed;
  const [first, ...rest] = typed.left;
  return left([batchIsStated(first), ...rest]);
}
