import { type Diagnostic, fail, failure, type Result } from '@baton/base';
import { type Func, type IRModule, inferTypes, type Var } from '@baton/ir';
import { dense } from '@baton/tensor';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import * as diagnostics from './diagnostics.ts';
import { type DimSizes, fromHost, type HostValue } from './host.ts';
import { makeInterpreter } from './interpreter.ts';
import { tupleValue, type Value } from './value.ts';

/** Arguments by position, or by the names of parameters. */
export type Arguments = ReadonlyArray<HostValue> | Readonly<Record<string, HostValue>>;

/** Options of {@link evaluate}. */
export interface EvaluateOptions {
  /**
   * The function to call.
   * @defaultValue `main`
   */
  readonly entry?: string;
}

/**
 * Runs a function of a module. The module is type-checked first, which costs nothing where its
 * types are known. Tensors in the result are dense: `data` holds just their elements, row-major.
 *
 * **Errors** those of `inferTypes`; `EXEC_UNKNOWN_ENTRY`, `EXEC_ARGUMENT_COUNT`,
 * `EXEC_MISSING_ARGUMENT`, `EXEC_UNKNOWN_ARGUMENT`, `EXEC_AMBIGUOUS_PARAMETER`,
 * `EXEC_ARGUMENT_TYPE`; those of operators at run time.
 * **Source** language.md §7.
 */
export function evaluate(
  m: IRModule,
  args: Arguments = [],
  options: EvaluateOptions = {},
): Result<Value> {
  const typed = inferTypes(m);
  if (isLeft(typed)) return typed;
  const name = options.entry ?? 'main';
  const entry = typed.right.functions.get(name);
  if (entry === undefined) {
    return fail(diagnostics.unknownEntry(name, [...typed.right.functions.keys()]));
  }
  const ordered = inOrder(entry, args);
  if (isLeft(ordered)) return ordered;
  const values = convert(entry, ordered.right);
  if (isLeft(values)) return values;
  const result = makeInterpreter(typed.right).callGlobal(name, values.right);
  return isLeft(result) ? result : right(denseValue(result.right));
}

const isByPosition = (args: Arguments): args is ReadonlyArray<HostValue> => Array.isArray(args);

function inOrder(entry: Func, args: Arguments): Result<ReadonlyArray<HostValue>> {
  if (isByPosition(args)) {
    return args.length === entry.params.length
      ? right(args)
      : fail(diagnostics.argumentCount(entry.params.length, args.length, entry.span));
  }
  const problems: Diagnostic[] = [];
  const names = new Set<string>();
  for (const { nameHint, span } of entry.params) {
    if (names.has(nameHint)) problems.push(diagnostics.ambiguousParameter(nameHint, span));
    else if (!Object.hasOwn(args, nameHint)) {
      problems.push(diagnostics.missingArgument(nameHint, span));
    }
    names.add(nameHint);
  }
  for (const given of Object.keys(args)) {
    if (!names.has(given)) problems.push(diagnostics.unknownArgument(given, [...names]));
  }
  return (
    failure(problems) ?? right(entry.params.map(({ nameHint }) => args[nameHint] as HostValue))
  );
}

function convert(entry: Func, args: ReadonlyArray<HostValue>): Result<ReadonlyArray<Value>> {
  const sizes: DimSizes = new Map();
  const values: Value[] = [];
  const problems: Diagnostic[] = [];
  entry.params.forEach((param: Var, i) => {
    const type = param.typeAnnotation;
    if (type === undefined) {
      problems.push(
        diagnostics.notCovered(`parameter %${param.nameHint} without a type`, param.span),
      );
      return;
    }
    const target = { name: param.nameHint, type, span: param.span };
    const value = fromHost(args[i] as HostValue, target, sizes);
    if (isLeft(value)) problems.push(...value.left);
    else values.push(value.right);
  });
  return failure(problems) ?? right(values);
}

/** The value with every tensor in it dense; shared parts are converted once. */
function denseValue(value: Value): Value {
  const converted = new Map<Value, Value>();
  const stack: Value[] = [value];
  while (stack.length > 0) {
    const top = stack[stack.length - 1] as Value;
    if (converted.has(top)) stack.pop();
    else if (top._tag === 'Tuple') {
      const missing = top.fields.filter((field) => !converted.has(field));
      if (missing.length > 0) stack.push(...missing);
      else converted.set(top, tupleValue(top.fields.map((field) => converted.get(field) as Value)));
    } else converted.set(top, top._tag === 'Tensor' ? dense(top) : top);
  }
  return converted.get(value) as Value;
}
