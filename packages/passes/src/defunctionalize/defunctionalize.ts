/**
 * Defunctionalization: functions as values become data, and are called by functions that know them.
 * [passes §17](https://batonjs.github.io/baton/spec/passes#17).
 */
import { aText, isLeft, type Result, right } from '@baton/base';
import {
  children,
  type Expr,
  type Func,
  freeTypeVars,
  type IRModule,
  inferTypes,
  irModule,
  isTotal,
  postOrderExprs,
  typeOf,
} from '@baton/ir';
import { type Count, inferType, isOpaque, pass, type RunningContext } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { etaExpand } from '../eta-expand.ts';
import { mentionsFunction } from '../facts.ts';
import { toBasicBlockNormalForm } from '../normal-forms/basic-block-normal-form.ts';
import { isAtom } from '../normal-forms/walk.ts';
import { COUNTERS, type Counter } from './counters.ts';
import { instantiated } from './instantiate.ts';
import { Program } from './program.ts';

export interface DefunctionalizeOptions {
  /** The function that a program is entered by. Default: `main`. */
  readonly entry?: string;
}

/**
 * Writes the program of an entry without functions as values:
 *
 * ```
 * def @main(%l: List[int32], %n: int32) { @map(fn (%x: int32) { %x + %n }, %l) }
 * =>
 * type Fn0 { Fn0_0(int32) }
 * def @apply_0(%f: Fn0, %x0: int32) -> int32 { match (%f) { Fn0_0(%n) => %x0 + %n } }
 * def @map_1(%f: Fn0, %xs: List[int32]) { .. Cons(@apply_0(%f, %y), @map_1(%f, %ys)) .. }
 * def @main(%l: List[int32], %n: int32) { @map_1(Fn0_0(%n), %l) }
 * ```
 *
 * Each type of functions is a data type, with a constructor for each function literal, which holds
 * what the literal captures. Functions that take or make function values are copied for the types at
 * which they are called; all others stay, and so do the originals of the copies.
 *
 * A program stays unchanged if its entry is generic, or takes or returns functions; if a variable
 * has a generic function; if constructors of its data types state function types; if a literal
 * shares an evaluation with its surroundings that may fail or has effects; and if generic recursion
 * never ends. Unlike TVM's, it takes functions from variables, data, references and results.
 *
 * **Complexity** linear in what it writes, times the number of function types.
 *
 * **Source** J. C. Reynolds, Definitional interpreters for higher-order programming languages, 1972.
 */
export const defunctionalize: ConfigurablePass<DefunctionalizeOptions> = configurable(
  { entry: aText },
  ({ entry = 'main' }) =>
    pass({
      name: 'Defunctionalization',
      doc: 'Replaces function values by data.',
      subject: 'language',
      level: 1,
      requires: [inferType],
      passes: [etaExpand, toBasicBlockNormalForm],
      counters: COUNTERS,
      run: (m, context) => withoutFunctionValues(m, entry, context),
    }),
);

function withoutFunctionValues(
  m: IRModule,
  entry: string,
  { apply, count }: RunningContext<Counter>,
): Result<IRModule> {
  const main = m.functions.get(entry);
  if (main === undefined || isOpaque(main) || !isFirstOrder(main, m)) return right(m);
  const expanded = apply(etaExpand, m);
  if (isLeft(expanded)) return expanded;
  const typed = inferTypes(instantiated(expanded.right));
  if (isLeft(typed)) return right(m);
  const formed = apply(toBasicBlockNormalForm, typed.right);
  if (isLeft(formed)) return formed;
  const made = written(m, formed.right, entry, count);
  if (made === undefined) count('kept');
  return right(made ?? m);
}

/** Whether the parameters and the result of an entry are data only. */
function isFirstOrder(f: Func, m: IRModule): boolean {
  const types = [...f.params, f.body].map((node) => typeOf(m, node));
  const isData = types.every((type) => type !== undefined && !mentionsFunction(type));
  return f.typeParams.length === 0 && freeTypeVars(f).length === 0 && isData;
}

/** The module with the program that is entered by a function; `undefined` if it has none. */
function written(
  m: IRModule,
  formed: IRModule,
  entry: string,
  count: Count<Counter>,
): IRModule | undefined {
  const counted: Parameters<Count<Counter>>[] = [];
  if ([...formed.functions.values()].some((f) => sharesEvaluations(f, formed))) return undefined;
  const program = new Program(formed, (...entry) => counted.push(entry));
  if (!program.write(entry)) return undefined;
  if (program.encodings.size === 0) return m;
  const { types, constructors, functions } = program.encodings.definitions();
  const made = irModule({
    ...m,
    functions: new Map([...m.functions, ...program.functions, ...functions]),
    typeDefinitions: new Map([...m.typeDefinitions, ...types]),
    constructors: new Map([...m.constructors, ...constructors]),
  });
  const typed = inferTypes(made);
  if (isLeft(typed)) return undefined;
  for (const entry of counted) count(...entry);
  return typed.right;
}

/** Whether functions of a module share an evaluation that is not total. */
function sharesEvaluations(f: Func, m: IRModule): boolean {
  const order = postOrderExprs([f]);
  const owners = new Map<Expr, Func | 'several'>();
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const owner = node._tag === 'Function' ? node : (owners.get(node) ?? 'several');
    for (const child of children(node)) {
      const known = owners.get(child);
      owners.set(child, known === undefined || known === owner ? owner : 'several');
    }
  }
  return order.some((node) => owners.get(node) === 'several' && !isAtom(node) && !isTotal(m, node));
}
