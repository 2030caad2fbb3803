/**
 * Legalize: calls become what functions of the user's make of them.
 * [passes §28](https://batonjs.github.io/baton/spec/passes#28).
 */
import { type Diagnostic, failure, isLeft, right, someOf } from '@baton/base';
import {
  type Call,
  call,
  describeType,
  type Expr,
  type IRModule,
  mapFunctions,
  type Type,
  typeOf,
  unifyTypes,
} from '@baton/ir';
import { isOpCall, type OpCall } from '@baton/ops';
import {
  FAST_MATH,
  type FastMath,
  inferType,
  isDecidedByCallers,
  isOpaque,
  pass,
  rewriteFunc,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { illegalType } from '../diagnostics.ts';
import { functionsByName } from './alter-op-layout.ts';

/** The argument of a function that legalizes a call. */
export interface LegalizedCall {
  /** The call with its arguments rewritten. */
  readonly call: Call;
  readonly args: ReadonlyArray<Type>;
  readonly result: Type;
  readonly module: IRModule;
}

/** An expression of the call's type, or `undefined` to leave the call as it is. */
export type LegalizeRule = (site: LegalizedCall) => Expr | undefined;

export interface LegalizeOptions {
  /** A function for each operator. Default: none, so that nothing changes. */
  readonly rules?: Readonly<Record<string, LegalizeRule>>;
  /** The freedoms that the rules take. Default: none, they keep every bit. */
  readonly needs?: ReadonlyArray<FastMath>;
}

/**
 * Replaces calls by what functions of the user's make of them, such as operators that a backend
 * has. A rule sees the types of its call:
 *
 * ```
 * nn.dense(%x, %w)
 * =>  (rules: { 'nn.dense': ({ call, module }) =>
 *        callOp(module.ops, 'nn.matmul', call.args, { transpose_b: true }) })
 * nn.matmul(%x, %w, transpose_b=True)
 * ```
 *
 * What a rule makes is not legalized again.
 *
 * **Errors** `LEGALIZE_TYPE` for an expression of another type than its call: `?` may stand for a size.
 * **Complexity** linear in the function, besides the functions of the user's.
 */
export const legalize: ConfigurablePass<LegalizeOptions> = configurable(
  { rules: functionsByName, needs: someOf(FAST_MATH) },
  ({ rules = {}, needs = [] }) =>
    pass({
      name: 'Legalize',
      doc: 'Replaces calls by the results of user functions.',
      level: 1,
      requires: [inferType],
      needs,
      counters: ['legalized', 'kept'],
      run: (m, { count }) => {
        const problems: Diagnostic[] = [];
        const legalized = (node: OpCall, get: (node: Expr) => Expr): Expr | undefined => {
          const rule = Object.hasOwn(rules, node.op.name) ? rules[node.op.name] : undefined;
          const result = typeOf(m, node);
          if (rule === undefined || result === undefined || isDecidedByCallers(m, node)) {
            return undefined;
          }
          const args = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
          const own = call(node.op, node.args.map(get), node);
          const made = rule({ call: own, args, result, module: m });
          count(made === undefined ? 'kept' : 'legalized');
          const type = made && typeOf(m, made);
          if (type !== undefined && isLeft(unifyTypes(type, result))) {
            problems.push(
              illegalType(node.op.name, describeType(result), describeType(type), node.span),
            );
          }
          return made;
        };
        const made = mapFunctions(m, (f) =>
          isOpaque(f)
            ? f
            : rewriteFunc(f, m, (node, get) => (isOpCall(node) ? legalized(node, get) : undefined)),
        );
        return failure(problems) ?? right(made);
      },
    }),
);
