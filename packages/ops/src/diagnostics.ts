/** The diagnostics of operators: one constructor each. */
import {
  type Diagnostic,
  diagnostic,
  type RelatedNote,
  reasonOf,
  type Span,
  stackOf,
} from '@baton/base';
import {
  type Dim,
  describeDim,
  describeShape,
  describeType,
  type Expr,
  type Type,
} from '@baton/ir';

export const unknownAttr = (name: string, hint: string | undefined): Diagnostic =>
  diagnostic('ATTR_UNKNOWN', `unknown attribute \`${name}\``, { hint });

export const missingAttr = (name: string, expected: string): Diagnostic =>
  diagnostic('ATTR_MISSING', `missing required attribute \`${name}\` (${expected})`);

/** `path` names the attribute and the location within it. */
export const attrType = (
  path: string,
  expected: string,
  found: string,
  hint: string | undefined,
): Diagnostic =>
  diagnostic('ATTR_TYPE', `expected ${expected} for attribute \`${path}\`, found ${found}`, {
    hint,
  });

export const unknownOp = (name: string, hint: string | undefined, span?: Span): Diagnostic =>
  diagnostic('OP_UNKNOWN', `operator \`${name}\` not found`, { hint, span });

export const wrongArity = (
  name: string,
  expected: number,
  found: number,
  span?: Span,
): Diagnostic =>
  diagnostic('OP_ARITY', `\`${name}\` expects ${expected} arguments, found ${found}`, { span });

/** As {@link wrongArity}, for a call made by a builder. */
export const wrongArgs = (
  name: string,
  inputs: ReadonlyArray<string>,
  found: number,
  span?: Span,
): Diagnostic =>
  diagnostic('OP_ARITY', `\`${name}\` expects ${count(inputs.length)}, found ${found}`, {
    hint: `it takes (${inputs.join(', ')})`,
    span,
  });

const count = (n: number): string => (n === 1 ? '1 argument' : `${n} arguments`);

export const notAnExpr = (
  name: string,
  input: string,
  found: string,
  hint: string | undefined,
  span?: Span,
): Diagnostic =>
  diagnostic(
    'OP_ARGUMENT',
    `expected an expression as \`${input}\` of \`${name}\`, found ${found}`,
    {
      hint,
      span,
    },
  );

export const noKernel = (name: string, span?: Span): Diagnostic =>
  diagnostic('OP_NO_KERNEL', `operator \`${name}\` has no kernel`, { span });

/** A bug in a kernel, with the first lines of the stack. */
export const kernelThrew = (name: string, error: unknown, span?: Span): Diagnostic =>
  diagnostic('OP_KERNEL_THREW', `the kernel of \`${name}\` threw: ${reasonOf(error)}`, {
    severity: 'bug',
    span,
    related: stackOf(error).map((message) => ({ message })),
  });

/** A kernel whose intermediates are far larger than its operands and its result. */
export const tooMuchScratch = (name: string, bytes: number, span?: Span): Diagnostic =>
  diagnostic('OP_MEMORY', `\`${name}\`: its intermediate data would take ${bytes} bytes`, {
    span,
    hint: 'are its windows or its padding far larger than its data? else raise the option maxBytes',
  });

export const noMemory = (name: string, span?: Span): Diagnostic =>
  diagnostic('OP_MEMORY', `\`${name}\`: the host has no memory for it`, { span });

/** A relation without an answer although all types of its arguments are known. */
export const unsolved = (name: string, span?: Span): Diagnostic =>
  diagnostic('OP_UNSOLVED', `the type relation of \`${name}\` has no result`, { span });

/** A kernel's value whose type differs from the relation's result. */
export const wrongValue = (
  name: string,
  expected: string,
  found: string,
  span?: Span,
): Diagnostic =>
  diagnostic('OP_VALUE', `\`${name}\` must return ${expected}, returned ${found}`, { span });

export const tooManyBytes = (
  name: string,
  expected: number,
  found: number,
  span?: Span,
): Diagnostic =>
  diagnostic(
    'OP_MEMORY',
    `\`${name}\`: expected a result of at most ${expected} bytes, found ${found}`,
    {
      span,
      hint: 'raise the option maxBytes if there is memory for it',
    },
  );

/** An error that a relation reports during evaluation. */
export const relationFailure = (
  name: string,
  code: string,
  message: string,
  hint: string | undefined,
  span: Span | undefined,
  operands: ReadonlyArray<RelatedNote>,
): Diagnostic => diagnostic(code, `${name}: ${message}`, { hint, span, related: operands });

/** The argument of `RelationContext.fail`. */
export interface RelationError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export const notATensor = (index: number, found: string): RelationError => ({
  code: 'OP_NOT_TENSOR',
  message: `expected a tensor as argument ${index}, found ${found}`,
});

export const notATuple = (index: number, found: string): RelationError => ({
  code: 'OP_NOT_TUPLE',
  message: `expected a tuple of tensors as argument ${index}, found ${found}`,
});

export const notData = (index: number, found: string): RelationError => ({
  code: 'OP_NOT_TENSOR',
  message: `expected a tensor or a tuple of tensors as argument ${index}, found ${found}`,
});

export const dtypeMismatch = (expected: string, found: string, where: string): RelationError => ({
  code: 'OP_DTYPE_MISMATCH',
  message: `expected ${where} of dtype ${expected}, found ${found}`,
  hint: 'give both the same dtype: `cast(.., dtype=..)` converts',
});

export const dtypeDomain = (expected: string, found: string): RelationError => ({
  code: 'OP_DTYPE_DOMAIN',
  message: `expected ${expected}, found a tensor of ${found}`,
  hint: '`cast(.., dtype=..)` converts',
});

export const incompatibleBroadcast = (a: string, b: string, dims: string): RelationError => ({
  code: 'OP_BROADCAST',
  message: `incompatible broadcast type: ${a} and ${b}${dims}`,
  hint: 'axes are compared from the last on: `expand_dims` and `reshape` align them',
});

export const wrongRank = (what: string, expected: string, found: number): RelationError => ({
  code: 'OP_RANK',
  message: `expected ${what} of ${expected}, found rank ${found}`,
});

export const axisOutOfRange = (axis: number, rank: number): RelationError => ({
  code: 'OP_AXIS',
  message:
    rank === 0
      ? `expected a tensor with axes for axis ${axis}, found a scalar`
      : `expected an axis from ${-rank} to ${rank - 1}, found ${axis}`,
  ...(rank === 0 ? {} : { hint: 'a negative axis counts from the end' }),
});

export const duplicateAxis = (axis: number): RelationError => ({
  code: 'OP_AXIS',
  message: `axis ${axis} is listed twice`,
});

/** `from` names the source of the expected dimension: an axis of an argument, an attribute. */
export const dimMismatch = (
  what: string,
  expected: string | Dim,
  found: Dim,
  from?: string,
  hint?: string,
): RelationError => ({
  code: 'OP_DIM_MISMATCH',
  message: `expected ${typeof expected === 'string' ? expected : describeDim(expected)} for ${what}${source(from)}, found ${describeDim(found)}`,
  ...(hint === undefined ? {} : { hint }),
});

/** `from` names the source of the expected shape. */
export const shapeMismatch = (
  what: string,
  expected: string | ReadonlyArray<Dim>,
  found: ReadonlyArray<Dim>,
  from?: string,
  hint?: string,
): RelationError => ({
  code: 'OP_SHAPE_MISMATCH',
  message: `expected ${what} of shape ${typeof expected === 'string' ? expected : describeShape(expected)}${source(from)}, found ${describeShape(found)}`,
  ...(hint === undefined ? {} : { hint }),
});

const source = (from: string | undefined): string => (from === undefined ? '' : ` (${from})`);

export const elementCountMismatch = (from: string, to: string): RelationError => ({
  code: 'OP_SHAPE_MISMATCH',
  message: `expected as many elements as \`data\` of shape ${from} has, found shape ${to}`,
  hint: 'one entry may be -1: it is inferred',
});

export const badAttr = (name: string, message: string): RelationError => ({
  code: 'OP_ATTR',
  message: `attribute \`${name}\`: ${message}`,
});

/** A dimension that would be negative, or empty if it must not be. */
export const badExtent = (what: string, message: string): RelationError => ({
  code: 'OP_EXTENT',
  message: `${what}: ${message}`,
});

export const noGradient = (name: string, reason: string | undefined, span?: Span): Diagnostic =>
  diagnostic(
    'GRADIENT_MISSING',
    `operator \`${name}\` has no gradient${reason === undefined ? '' : ` here: ${reason}`}`,
    { span, hint: 'a definition states one in the field `gradient`' },
  );

export const unknownInDefinition = (name: string, what: string, span?: Span): Diagnostic =>
  diagnostic(
    'GRADIENT_UNKNOWN_SIZE',
    `the gradient of \`${name}\` depends on ${what} that is not known`,
    {
      span,
      hint: 'annotate the parameters with sizes',
    },
  );

export const tooManyCalls = (name: string, most: number, span?: Span): Diagnostic =>
  diagnostic('LIMIT', `the gradient of \`${name}\` takes more than ${most} calls`, {
    span,
    hint: 'its window is too long',
  });

export const notAFunction = (found: Type): RelationError => ({
  code: 'OP_ARGUMENT',
  message: `expected a function whose gradient is taken, found ${describeType(found)}`,
});

export const notAPattern = (node: Expr): Diagnostic =>
  diagnostic('RULE_PATTERN', `a pattern has no ${node._tag}`, {
    span: node.span,
    hint: 'a pattern is made of calls of operators, tuples, fields, numbers and holes',
  });

export const notTotal = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('OP_EFFECT', `a definition calls \`${name}\`, which does more than return a value`, {
    span,
    hint: 'a definition is made of operators without effects that never fail',
  });
