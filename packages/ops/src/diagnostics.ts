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

/** An unknown attribute. */
export const unknownAttr = (name: string, hint: string | undefined): Diagnostic =>
  diagnostic('ATTR_UNKNOWN', `unknown attribute \`${name}\``, { hint });

/** A missing required attribute. */
export const missingAttr = (name: string, expected: string): Diagnostic =>
  diagnostic('ATTR_MISSING', `missing required attribute \`${name}\` (${expected})`);

/** An attribute value of the wrong type. `path` names the attribute and the place within it. */
export const attrType = (
  path: string,
  expected: string,
  found: string,
  hint: string | undefined,
): Diagnostic =>
  diagnostic('ATTR_TYPE', `expected ${expected} for attribute \`${path}\`, found ${found}`, {
    hint,
  });

/** A call of an operator missing from the table. */
export const unknownOp = (name: string, hint: string | undefined, span?: Span): Diagnostic =>
  diagnostic('OP_UNKNOWN', `operator \`${name}\` not found`, { hint, span });

/** A call whose number of arguments differs from the operator's inputs. */
export const wrongArity = (
  name: string,
  expected: number,
  found: number,
  span?: Span,
): Diagnostic =>
  diagnostic('OP_ARITY', `\`${name}\` expects ${expected} arguments, found ${found}`, { span });

/** A built call whose number of arguments differs from the operator's inputs. */
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

/** A built call on a value that is not an expression. */
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

/** An operator that cannot be computed: it has a type and no kernel. */
export const noKernel = (name: string, span?: Span): Diagnostic =>
  diagnostic('OP_NO_KERNEL', `operator \`${name}\` has no kernel`, { span });

/** A kernel that threw, which is a bug in it, with the first lines of the stack. */
export const kernelThrew = (name: string, error: unknown, span?: Span): Diagnostic =>
  diagnostic('OP_KERNEL_THREW', `the kernel of \`${name}\` threw: ${reasonOf(error)}`, {
    severity: 'bug',
    span,
    related: stackOf(error).map((message) => ({ message })),
  });

/** A kernel whose intermediate data are far larger than what goes in and out. */
export const tooMuchScratch = (name: string, bytes: number, span?: Span): Diagnostic =>
  diagnostic('OP_MEMORY', `\`${name}\`: its intermediate data would take ${bytes} bytes`, {
    span,
    hint: 'are its windows or its padding far larger than its data? else raise the option maxBytes',
  });

/** A kernel for which the host has no memory. */
export const noMemory = (name: string, span?: Span): Diagnostic =>
  diagnostic('OP_MEMORY', `\`${name}\`: the host has no memory for it`, { span });

/** A relation without an answer, although the types of its arguments are fully known. */
export const unsolved = (name: string, span?: Span): Diagnostic =>
  diagnostic('OP_UNSOLVED', `the type relation of \`${name}\` gave no result`, { span });

/** A value whose type differs from the relation's result. */
export const wrongValue = (
  name: string,
  expected: string,
  found: string,
  span?: Span,
): Diagnostic =>
  diagnostic('OP_VALUE', `\`${name}\` is stated to give ${expected}, gave ${found}`, { span });

/** A result that takes more memory than the caller allows. */
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

/** A failure that a relation reports while values are computed. */
export const relationFailure = (
  name: string,
  code: string,
  message: string,
  hint: string | undefined,
  span: Span | undefined,
  operands: ReadonlyArray<RelatedNote>,
): Diagnostic => diagnostic(code, `${name}: ${message}`, { hint, span, related: operands });

/** The report of a relation through `RelationContext.fail`. */
export interface RelationError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** An argument that is not a tensor. */
export const notATensor = (index: number, found: string): RelationError => ({
  code: 'OP_NOT_TENSOR',
  message: `expected a tensor as argument ${index}, found ${found}`,
});

/** An argument that is not a tuple of tensors. */
export const notATuple = (index: number, found: string): RelationError => ({
  code: 'OP_NOT_TUPLE',
  message: `expected a tuple of tensors as argument ${index}, found ${found}`,
});

/** An argument that is neither a tensor nor a tuple of tensors. */
export const notData = (index: number, found: string): RelationError => ({
  code: 'OP_NOT_TENSOR',
  message: `expected a tensor or a tuple of tensors as argument ${index}, found ${found}`,
});

/** Two dtypes that should be equal. */
export const dtypeMismatch = (expected: string, found: string, where: string): RelationError => ({
  code: 'OP_DTYPE_MISMATCH',
  message: `expected ${where} of dtype ${expected}, found ${found}`,
  hint: 'give both the same dtype: `cast(.., dtype=..)` converts',
});

/** A dtype outside the operator's domain. */
export const dtypeDomain = (expected: string, found: string): RelationError => ({
  code: 'OP_DTYPE_DOMAIN',
  message: `expected ${expected}, found a tensor of ${found}`,
  hint: '`cast(.., dtype=..)` converts',
});

/** Shapes that do not broadcast; `axis` counts in the result. */
export const incompatibleBroadcast = (a: string, b: string, dims: string): RelationError => ({
  code: 'OP_BROADCAST',
  message: `incompatible broadcast type: ${a} and ${b}${dims}`,
  hint: 'axes are compared from the last on: `expand_dims` and `reshape` put sizes elsewhere',
});

/** A rank that the operator does not accept. */
export const wrongRank = (what: string, expected: string, found: number): RelationError => ({
  code: 'OP_RANK',
  message: `expected ${what} of ${expected}, found rank ${found}`,
});

/** An axis beyond the rank. */
export const axisOutOfRange = (axis: number, rank: number): RelationError => ({
  code: 'OP_AXIS',
  message:
    rank === 0
      ? `expected a tensor with axes for axis ${axis}, found a scalar`
      : `expected an axis from ${-rank} to ${rank - 1}, found ${axis}`,
  ...(rank === 0 ? {} : { hint: 'a negative axis counts from the end' }),
});

/** An axis that is named twice. */
export const duplicateAxis = (axis: number): RelationError => ({
  code: 'OP_AXIS',
  message: `axis ${axis} is listed twice`,
});

/** A dimension that differs from the demand of `from`: an axis of an argument, an attribute. */
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

/** A shape that differs from the one that the operator derives from `from`. */
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

/** A result whose number of elements differs from the argument's. */
export const elementCountMismatch = (from: string, to: string): RelationError => ({
  code: 'OP_SHAPE_MISMATCH',
  message: `expected as many elements as \`data\` of shape ${from} has, found shape ${to}`,
  hint: 'one entry may be -1: it is what the others leave',
});

/** An attribute whose value does not fit these arguments. */
export const badAttr = (name: string, message: string): RelationError => ({
  code: 'OP_ATTR',
  message: `attribute \`${name}\`: ${message}`,
});

/** A dimension that would come out negative or empty where it may not. */
export const badExtent = (what: string, message: string): RelationError => ({
  code: 'OP_EXTENT',
  message: `${what}: ${message}`,
});

/** A call whose gradient is wanted, of an operator that has none, or not for this call. */
export const noGradient = (name: string, reason: string | undefined, span?: Span): Diagnostic =>
  diagnostic(
    'GRADIENT_MISSING',
    `operator \`${name}\` has no gradient${reason === undefined ? '' : ` here: ${reason}`}`,
    { span, hint: 'a definition states one in the field `gradient`' },
  );

/** A gradient that depends on a part of a type that is not known. */
export const unknownInDefinition = (name: string, what: string, span?: Span): Diagnostic =>
  diagnostic(
    'GRADIENT_UNKNOWN_SIZE',
    `the gradient of \`${name}\` depends on ${what} that is not known`,
    {
      span,
      hint: 'annotate the parameters with sizes',
    },
  );

/** A gradient of more calls than a rule may make. */
export const tooManyCalls = (name: string, most: number, span?: Span): Diagnostic =>
  diagnostic('LIMIT', `the gradient of \`${name}\` takes more than ${most} calls`, {
    span,
    hint: 'its window is too long',
  });

/** A value whose gradient is wanted and that is not a function. */
export const notAFunction = (found: Type): RelationError => ({
  code: 'OP_ARGUMENT',
  message: `expected a function whose gradient is taken, found ${describeType(found)}`,
});

/** An expression that cannot be part of a pattern. */
export const notAPattern = (node: Expr): Diagnostic =>
  diagnostic('RULE_PATTERN', `a pattern has no ${node._tag}`, {
    span: node.span,
    hint: 'a pattern is made of calls of operators, tuples, fields, numbers and holes',
  });

/** An operator in a definition that does more than give a value. */
export const notTotal = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('OP_EFFECT', `a definition calls \`${name}\`, which does more than give a value`, {
    span,
    hint: 'a definition is made of operators without effects that never fail',
  });
