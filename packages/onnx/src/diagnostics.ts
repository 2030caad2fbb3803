/** The diagnostics of ONNX import: one constructor each. */
import {
  type Diagnostic,
  diagnostic,
  didYouMean,
  isRight,
  left,
  nodeSpan,
  type RelatedNote,
  type Result,
  type Span,
} from '@baton/base';
import { type DType, MAX_RANK, printShape } from '@baton/tensor';
import type { LimitName } from './protobuf/budget.ts';
import { elementTypeName } from './protobuf/element-type.ts';
import type { OtherFormat } from './protobuf/other-formats.ts';
import type { FaultKind, WireFault } from './protobuf/wire.ts';

/** Diagnostics show at most this much of a name, since names come from the file. */
const MAX_NAME_CHARACTERS = 128;

/** A name as diagnostics show it. */
export const shown = (name: string): string =>
  name.length <= MAX_NAME_CHARACTERS ? name : `${name.slice(0, MAX_NAME_CHARACTERS)}…`;

/** A value that is not the bytes of a file. */
export const notBytes = (found: unknown, source: string): Diagnostic =>
  diagnostic('ONNX_BYTES', `expected the bytes of an ONNX file, found ${kindOf(found)}`, {
    span: nodeSpan(source, 'bytes', 'importOnnx'),
    hint: BYTES_HINTS[kindOf(found)] ?? 'read the file into a Uint8Array first',
  });

const BYTES_HINTS: Readonly<Partial<Record<string, string>>> = {
  'an ArrayBuffer': 'give new Uint8Array(buffer)',
  'a Promise': 'await it first',
  'a text': 'read the file first: a path is not opened here',
};

/** The kind of any value. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Bytes that are not an ONNX file, or a file beyond the limits. */
export function malformed(
  fault: WireFault,
  format: OtherFormat | undefined,
  source: string,
): Diagnostic {
  if (format !== undefined) return noModel(format, source);
  const span = nodeSpan(source, `at byte ${fault.offset}`, fault.message);
  const code = fault.kind._tag === 'Limit' ? 'ONNX_LIMIT' : 'ONNX_MALFORMED';
  return diagnostic(code, `${faultText(fault.kind)} in ${fault.message} at byte ${fault.offset}`, {
    span,
  });
}

const LIMIT_TEXT: { readonly [L in LimitName]: string } = {
  nodes: 'more nodes than the limit allows',
  values: 'more names of values than the limit allows',
  attributeItems: 'more items of attributes than the limit allows',
  heap: 'more objects than a file of this size may stand for',
  text: 'a longer name than the limit allows',
};

function faultText(kind: FaultKind): string {
  switch (kind._tag) {
    case 'Truncated':
      return 'expected more bytes, found the end';
    case 'BadVarint':
      return 'expected an integer of at most 64 bits, found a longer one';
    case 'BadTag':
      return 'expected a field of protobuf, found bytes that are none';
    case 'WrongWireType':
      return `expected another layout of field ${kind.field}, found wire type ${kind.wireType}`;
    case 'TooDeep':
      return `messages nest deeper than ${kind.limit}`;
    case 'Limit':
      return LIMIT_TEXT[kind.limit];
    case 'Contradiction':
      return kind.reason;
  }
}

/** A file of another format. */
const noModel = ({ what, hint }: OtherFormat, source: string): Diagnostic =>
  diagnostic('ONNX_MALFORMED', `expected an ONNX model, found ${what}`, {
    span: nodeSpan(source, 'at byte 0', 'ModelProto'),
    hint,
  });

/** A file without a graph. */
export const noGraph = (source: string, format: OtherFormat | undefined): Diagnostic =>
  format === undefined
    ? diagnostic('ONNX_MALFORMED', 'expected a model with a graph, found none', {
        span: nodeSpan(source, 'graph', 'ModelProto'),
        hint: 'is this an ONNX file?',
      })
    : noModel(format, source);

/** An unknown option of the import. */
export const unknownOption = (
  name: string,
  known: ReadonlyArray<string>,
  source: string,
): Diagnostic =>
  diagnostic('ONNX_OPTION', `expected an option of importOnnx, found ${shown(name)}`, {
    span: optionSpan(source, name),
    hint: amongHint(name, 'options', known),
  });

const optionSpan = (source: string, name: string): Span => nodeSpan(source, name, 'option');

/** An option, or an item of one, of a wrong kind. */
export const wrongOption = (
  name: string,
  expected: string,
  found: unknown,
  source: string,
): Diagnostic =>
  diagnostic(
    'ONNX_OPTION',
    `expected ${expected} as option ${shown(name)}, found ${kindOf(found)}`,
    {
      span: optionSpan(source, name),
      hint: name === 'ops' ? 'give standardOps of @baton/ops' : undefined,
    },
  );

/** An unknown name in an option. */
export const unknownName = (
  option: string,
  things: string,
  name: string,
  known: ReadonlyArray<string>,
  source: string,
): Diagnostic =>
  diagnostic(
    'ONNX_OPTION',
    `expected one of the ${things} in the option ${option}, found ${shown(name)}`,
    { span: optionSpan(source, `${option}.${shown(name)}`), hint: amongHint(name, things, known) },
  );

/** The nearest name, and the known names. */
function amongHint(name: string, things: string, known: ReadonlyArray<string>): string {
  if (known.length === 0) return `there are no ${things}`;
  const all = `the ${things} are ${listed(known)}`;
  const meant = didYouMean(name, known);
  return meant === undefined ? all : `${meant} ${all}`;
}

/** A hint lists at most this many names. */
const MAX_LISTED = 8;

function listed(names: ReadonlyArray<string>): string {
  const some = names.slice(0, MAX_LISTED).map(shown).join(', ');
  return names.length > MAX_LISTED ? `${some} and ${names.length - MAX_LISTED} more` : some;
}

/** A graph that would become larger than the budget of its file. */
export const tooManyCalls = (span: Span | undefined): Diagnostic =>
  diagnostic('ONNX_LIMIT', 'the graph becomes more calls than a file of this size may stand for', {
    span,
  });

/** A node that needs more memory than there is. */
export const noRoom = (span: Span): Diagnostic =>
  diagnostic('LIMIT', 'the host has no memory for what this node needs', { span });

/** Functions or branches nested too deeply, for example because they call themselves. */
export const nestedTooDeep = (limit: number, span: Span | undefined): Diagnostic =>
  diagnostic('ONNX_LIMIT', `functions and branches nest deeper than ${limit}`, {
    span,
    hint: 'no function may call itself',
  });

/** A node that lacks one of its graphs. */
export const missingGraph = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_ATTRIBUTE', `expected attribute ${name} with a graph, found none`, { span });

/** Values of two types where one is expected: the results of branches, or of a loop's steps. */
export const differentTypes = (what: string, span: Span): Diagnostic =>
  diagnostic('ONNX_TYPE', `expected ${what} of one element type and one rank`, { span });

/** Branches of different ranks, both of which a run may take. */
export const differentRanks = (
  condition: string,
  openDims: ReadonlyArray<string>,
  span: Span,
): Diagnostic =>
  diagnostic('ONNX_BRANCH', 'expected results of both branches of one rank', {
    span,
    hint:
      openDims.length > 0
        ? `give the sizes in the option dims that decide ${shown(condition)}: the model leaves ${listed(openDims)} open`
        : `bind what ${shown(condition)} depends on with constants`,
  });

/** A warning: a branch whose results have another rank than the model states. */
export const otherRank = (branch: string, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_BRANCH',
    `${branch} is left out: its results have another rank than the model states`,
    { severity: 'warning', span },
  );

/** A function or a graph with fewer results than the node that it replaces. */
export const wrongResultCount = (
  operator: string,
  expected: number,
  found: number,
  span: Span,
): Diagnostic =>
  diagnostic('ONNX_VALUE', `expected ${expected} results of ${operator}, found ${found}`, { span });

/** A sparse tensor whose indices do not fit its values. */
export const badSparse = (name: string, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_SPARSE',
    `expected a place within the tensor for each value of the sparse ${shown(name)}`,
    { span },
  );

/** A size or a value that a node needs, and that is known only at run time. */
export const notConstant = (
  message: string,
  input: string | undefined,
  openDims: ReadonlyArray<string>,
  span: Span,
): Diagnostic => {
  const hint =
    input !== undefined
      ? `give the value of input ${shown(input)} in the option constants`
      : openDims.length > 0
        ? `give sizes in the option dims: the model leaves ${listed(openDims)} open`
        : undefined;
  return diagnostic('ONNX_NOT_CONSTANT', message, { span, hint });
};

/** The failure with each diagnostic at `span`, unless it has a place already. */
export function located<A>(result: Result<A>, span: Span): Result<A> {
  if (isRight(result)) return result;
  const [first, ...rest] = result.left;
  const at = (d: Diagnostic): Diagnostic => (d.span === undefined ? { ...d, span } : d);
  return left([at(first), ...rest.map(at)]);
}

/** An unsupported element type. */
export const unknownElementType = (dataType: number, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_ELEMENT_TYPE',
    `expected an element type of numbers or bool, found ${elementTypeName(dataType)}`,
    { span },
  );

/** A tensor whose elements do not fill its dimensions. */
export const elementCountMismatch = (
  expected: { readonly shape: ReadonlyArray<number>; readonly dtype: DType },
  found: number,
  span: Span,
  what = `${found} elements`,
): Diagnostic =>
  diagnostic(
    'ONNX_ELEMENT_COUNT',
    `expected the elements of ${expected.dtype} of shape ${printShape(expected.shape)}, found ${what}`,
    { span },
  );

/** Data outside the file without a reader for it. */
export const externalDataRefused = (location: string, span: Span): Diagnostic =>
  diagnostic('ONNX_EXTERNAL_DATA', `the elements lie outside the file, in ${shown(location)}`, {
    span,
    hint: 'give the option externalData to have them read',
  });

/** Missing data outside the file. */
export const externalDataMissing = (reason: string, span: Span): Diagnostic =>
  diagnostic('ONNX_EXTERNAL_DATA', `the elements lie outside the file: ${shown(reason)}`, { span });

/** Tensors whose ranges in an external file overlap too much. */
export const overlappingData = (location: string): Diagnostic =>
  diagnostic(
    'ONNX_LIMIT',
    `the ranges of tensors at ${shown(location)} overlap: they take more than twice the file`,
    { hint: 'tensors on the very same range share its bytes' },
  );

/** Unsupported operators of one name: the number of nodes, and the first of them. */
export const unsupportedOperator = (
  what: string,
  count: number,
  span: Span,
  hint?: string,
): Diagnostic =>
  diagnostic('ONNX_UNSUPPORTED', `${what} is not imported: ${plural(count, 'node')}`, {
    span,
    hint,
  });

/** An unsupported version of an operator set. */
export const unsupportedOpset = (
  domain: string,
  version: number | undefined,
  latest: number,
  span: Span,
): Diagnostic =>
  diagnostic(
    'ONNX_OPSET',
    `expected operator set ${domain === '' ? 'ai.onnx' : shown(domain)} of version 1 to ${latest}, found ${version ?? 'none'}`,
    {
      span,
      hint:
        (version ?? 0) > latest
          ? `export the model for operator set ${latest}, or convert it with onnx.version_converter`
          : undefined,
    },
  );

const plural = (count: number, what: string): string =>
  count === 1 ? `1 ${what}` : `${count} ${what}s`;

/** A weight from the caller that does not fit the graph. */
export const wrongWeight = (
  name: string,
  expected: { readonly shape: ReadonlyArray<number>; readonly dtype: DType },
  found: { readonly shape: ReadonlyArray<number>; readonly dtype: DType },
): Diagnostic =>
  diagnostic(
    'ONNX_WEIGHT',
    `expected a weight ${shown(name)} of ${expected.dtype} ${printShape(expected.shape)}, ` +
      `found ${found.dtype} ${printShape(found.shape)}`,
  );

/** A tensor beyond the limit, which only a few bytes of the file describe. */
export const constantTooLarge = (bytes: number, limit: number): Diagnostic =>
  diagnostic('ONNX_LIMIT', `expected a constant of at most ${limit} bytes, found ${bytes}`, {
    hint: 'supply it through the option weights, or raise maxConstantBytes',
  });

/** Two values of one name. */
export const duplicateName = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_DUPLICATE', `expected one value of each name, found two of ${shown(name)}`, {
    span,
  });

/** An undefined name. */
export const undefinedValue = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_VALUE', `expected a value ${shown(name)}, found none of this name`, { span });

/** A name whose node needs the node that uses it, or is that node. */
export const usedBeforeDefined = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_ORDER', `value ${shown(name)} depends on itself`, {
    span,
    hint: 'no node may depend on its own results, also through other nodes',
  });

/** A warning: a node needs two dimensions to be equal, or one to have a size. */
export const equalDimensions = (
  [a, b]: readonly [string, string | number],
  span: Span,
): Diagnostic =>
  diagnostic(
    'ONNX_DIMENSION',
    typeof b === 'number'
      ? `dimension ${shown(a)} must be ${b}: no run has another size`
      : `dimensions ${shown(a)} and ${shown(b)} must be equal: one name is used`,
    { severity: 'warning', span },
  );

/** A warning: an input whose default the import needs to know. */
export const defaultNeeded = (name: string, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_DEFAULT',
    `input ${shown(name)} has a default that the import needs to know: it becomes a constant`,
    {
      severity: 'warning',
      span,
    },
  );

/** A warning: nodes of the file come before nodes that they use. */
export const nodesOutOfOrder = (span: Span): Diagnostic =>
  diagnostic('ONNX_ORDER', 'some nodes come before nodes that they use: they are sorted', {
    severity: 'warning',
    span,
  });

/** A node with too many or too few inputs. */
export const wrongInputCount = (
  operator: string,
  [least, most]: readonly [number, number],
  found: number,
  span: Span,
): Diagnostic => {
  const expected = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  const count = least === most ? String(least) : expected;
  return diagnostic('ONNX_INPUTS', `expected ${count} inputs of ${operator}, found ${found}`, {
    span,
  });
};

/** A missing required input. */
export const missingInput = (operator: string, index: number, span: Span): Diagnostic =>
  diagnostic('ONNX_INPUTS', `expected input ${index} of ${operator}, found none`, { span });

/** A used result that the import does not support. */
export const unsupportedResult = (
  name: string,
  index: number,
  operator: string,
  span: Span,
): Diagnostic =>
  diagnostic(
    'ONNX_UNSUPPORTED',
    `result ${index} of operator ${operator} is not imported, and ${shown(name)} is used`,
    { span },
  );

/** A graph that computes nothing. */
export const noOutputs = (span: Span): Diagnostic =>
  diagnostic('ONNX_VALUE', 'expected a graph with outputs, found none', { span });

/** The end of a long list. */
export const tooManyProblems = (unlisted: number): Diagnostic =>
  diagnostic('ONNX_MORE', `${plural(unlisted, 'further problem')} not listed`);

/** A graph input that is not a tensor, or whose type is too incomplete. */
export const badInputType = (name: string, found: string, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_INPUT_TYPE',
    `expected input ${shown(name)} to be a tensor of known rank, found ${found}`,
    { span },
  );

/** A negative size, or another impossible one. */
export const badDimSize = (name: string, found: number, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_DIM',
    `expected whole sizes from 0 to ${Number.MAX_SAFE_INTEGER} for the dimensions of ` +
      `${shown(name)}, found ${found}`,
    { span },
  );

/** A type of a higher rank than a tensor may have. */
export const rankBeyondLimit = (rank: number, span: Span): Diagnostic =>
  diagnostic('ONNX_LIMIT', `expected at most ${MAX_RANK} dimensions, found ${rank}`, { span });

/** A constant whose type differs from its input's. */
export const wrongConstant = (
  name: string,
  found: { readonly shape: ReadonlyArray<number>; readonly dtype: DType },
  span: Span,
): Diagnostic =>
  diagnostic(
    'ONNX_WEIGHT',
    `expected a constant of the type of input ${shown(name)}, ` +
      `found ${found.dtype} ${printShape(found.shape)}`,
    { span },
  );

/** A branch that no run with the sizes of the import can take without failing. */
export const branchLeftOut = (
  branch: string,
  condition: string,
  reason: Diagnostic,
  span: Span,
): Diagnostic =>
  diagnostic(
    'ONNX_BRANCH',
    `${branch} cannot run with these sizes and is left out: the other branch is taken in every run`,
    {
      severity: 'warning',
      span,
      related: [noteOf(reason)],
      hint: `bind what ${shown(condition)} depends on with constants, or give other sizes`,
    },
  );

/** Another problem as a note. */
const noteOf = ({ message, span }: Diagnostic): RelatedNote =>
  span === undefined ? { message } : { message, span };

/** A warning: a reading of a node with which no run gets past a later node. */
export const readingLeftOut = (what: string, reason: Diagnostic, span: Span): Diagnostic =>
  diagnostic('ONNX_SQUEEZE', `${what} is left out: no run gets past a later node with it`, {
    severity: 'warning',
    span,
    related: [noteOf(reason)],
  });

/** An operator that the export has no form for. */
export const noWriter = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `ONNX has no form of ${shown(name)}`, {
    span,
    hint: 'rewrite it with other operators first',
  });

/** A part of ONNX that came after the version that is written. */
export const laterOpset = (what: string, since: number, opset: number, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `${what} came with operator set ${since}, and ${opset} is written`, {
    span,
    hint: `give opset: ${since}`,
  });

/** A node with a type or a form that its operator has in no operator set. */
export const notInOnnx = (what: string, opset: number, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `ONNX has no ${what}, in operator set ${opset} and after it`, {
    span,
    hint: 'cast to a type that the operator has',
  });

/** A written file whose inputs or outputs are not those of the program. */
export const differentSignature = (found: string, expected: string): Diagnostic =>
  diagnostic('ONNX_SIGNATURE', `the file has ${found}, and the model has ${expected}`);

/** A call whose result has no type as long as sizes are open. */
export const openType = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `the type of ${name} is not known`, {
    span,
    hint: 'give sizes to the dimensions of the inputs',
  });

/** A part of the program that ONNX cannot say. */
export const notExportable = (what: string, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `${what} cannot be exported`, { span });

/** A call of an operator whose argument is no tensor, such as a gradient. */
export const ofFunction = (name: string, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `${name} of what is not a tensor cannot be exported`, {
    span,
    hint: 'the pass ExpandGradient replaces gradients',
  });

/** A program that does not end within the limit. */
export const tooManyNodes = (limit: number, span: Span): Diagnostic =>
  diagnostic(
    'ONNX_EXPORT',
    `the program has more than ${limit} nodes once its functions are inlined`,
    {
      span,
      hint: 'export a smaller part of it, or raise `limits.nodes`',
    },
  );

/** A function that calls itself without end, as far as is known before the program runs. */
export const endless = (limit: number, span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', `calls nest deeper than ${limit} when functions are inlined`, {
    span,
    hint: 'a function that calls itself needs a condition that is known here',
  });

/** A module without the function to export. */
export const noMain = (span: Span): Diagnostic =>
  diagnostic('ONNX_EXPORT', 'expected a module with a function @main', { span });
