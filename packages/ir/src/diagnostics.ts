/** Every diagnostic of `@baton/ir`, one constructor each. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

// ---------------------------------------------------------------------------------------- lexing

/** `# x`, or a character that no token starts with. */
export const unexpectedCharacters = (text: string, span: Span): Diagnostic =>
  diagnostic(
    'LEX_CHARACTER',
    `unexpected ${text.length === 1 ? 'character' : 'characters'} \`${visible(text)}\``,
    {
      span,
    },
  );

/** Characters that no one would see in a message, by their numbers. */
const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Z}]/gu, (c) => {
    const code = c.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });

/** `#` that starts neither `#[version = ".."]` nor `#[metadata]`. */
export const strayHash = (span: Span): Diagnostic =>
  diagnostic('LEX_HASH', '`#` may only start an attribute `#[...]`', {
    span,
    hint: 'write `//` for a comment',
  });

/** `%` or `@` without a name. */
export const missingName = (sigil: string, what: string, span: Span): Diagnostic =>
  diagnostic('LEX_NAME', `expected the name of a ${what} after \`${sigil}\``, { span });

/** A `/*` that nothing closes. */
export const unterminatedComment = (span: Span): Diagnostic =>
  diagnostic('LEX_COMMENT', 'this block comment is never closed', { span });

/** A `"` that nothing closes on its line. */
export const unterminatedString = (span: Span): Diagnostic =>
  diagnostic('LEX_STRING', 'this string is not closed on its line', { span });

/** An escape that strings do not have. */
export const unknownEscape = (written: string, span: Span): Diagnostic =>
  diagnostic('LEX_ESCAPE', `unknown escape \`${written}\``, {
    span,
    hint: String.raw`the escapes are \" \\ \n \t \r and \xHH`,
  });

/** Brackets deeper than any program needs. */
export const nestedTooDeep = (limit: number, span: Span): Diagnostic =>
  diagnostic('PARSE_NESTING', `brackets nest deeper than ${limit}`, { span });

/** Digits followed by something that is no suffix. */
export const malformedNumber = (text: string, span: Span): Diagnostic =>
  diagnostic('LEX_NUMBER', `malformed number \`${text}\``, {
    span,
    hint: 'integers take i8 i16 i32 i64 u8 u16 u32 u64, floats f16 f (or f32) f64',
  });

/** A number that its dtype cannot hold. */
export const numberOutOfRange = (text: string, dtype: string, span: Span): Diagnostic =>
  diagnostic('LITERAL_RANGE', `\`${text}\` is not representable in ${dtype}`, { span });

// --------------------------------------------------------------------------------------- parsing

/** Another token than the grammar wants. */
export const expectedToken = (
  expected: string,
  found: string,
  span: Span,
  hint?: string,
): Diagnostic =>
  diagnostic('PARSE_EXPECTED', `expected ${expected}, found ${found}`, { span, hint });

/** A module without `#[version = "0.0.5"]`. */
export const missingHeader = (span: Span): Diagnostic =>
  diagnostic('PARSE_HEADER', 'a module starts with its version', {
    span,
    hint: 'add `#[version = "0.0.5"]` as the first line',
  });

/** A version other than the one that this parser reads. */
export const wrongVersion = (found: string, span: Span): Diagnostic =>
  diagnostic('PARSE_HEADER', `this parser reads version 0.0.5, found ${found}`, {
    span,
    hint: 'write `#[version = "0.0.5"]`',
  });

/** The parser gives up: what follows would only be noise. */
export const tooManyErrors = (limit: number, span: Span): Diagnostic =>
  diagnostic('PARSE_TOO_MANY', `more than ${limit} errors; the rest is not reported`, { span });

/** A local that nothing binds. */
export const undeclaredLocal = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_LOCAL', `this local variable has not been previously declared: \`%${name}\``, {
    span,
    hint,
  });

/** A graph binding that is used before it is made. */
export const undeclaredGraph = (name: string, span: Span): Diagnostic =>
  diagnostic('NAME_GRAPH', `the graph binding \`${name}\` has not been made`, { span });

/** A graph binding that is made twice in one definition. */
export const duplicateGraph = (name: string, span: Span, first: Span): Diagnostic =>
  diagnostic('NAME_GRAPH_TWICE', `the graph binding \`${name}\` is made twice in this definition`, {
    span,
    related: [{ message: 'first made here', span: first }],
  });

/** A bare name that is neither a constructor nor an operator. */
export const operatorNotFound = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_OPERATOR', `operator \`${name}\` not found`, { span, hint });

/** A pattern that names no constructor. */
export const unknownConstructor = (name: string, span: Span, hint: string): Diagnostic =>
  diagnostic('NAME_CONSTRUCTOR', `undefined constructor name \`${name}\``, { span, hint });

/** A type that names nothing. */
export const unknownType = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_TYPE', `the type \`${name}\` is not declared`, { span, hint });

/** A variable in a shape, dimension or dtype slot that is not declared, or is of another kind. */
export const unknownTypeVariable = (what: string, name: string, span: Span): Diagnostic =>
  diagnostic('NAME_TYPE_VARIABLE', `\`${name}\` is not a ${what} variable in scope`, {
    span,
    hint: 'declare it in the type parameters: `[s: Shape, d: BaseType, n: ShapeVar]`',
  });

/** A global, a type or a constructor defined a second time. */
export const definedTwice = (
  what: string,
  name: string,
  span: Span,
  first: Span | undefined,
): Diagnostic =>
  diagnostic('NAME_TWICE', `the ${what} \`${name}\` is defined twice`, {
    span,
    related: first === undefined ? [] : [{ message: 'first defined here', span: first }],
  });

/** `extern type T { .. }`. */
export const externConstructors = (span: Span): Diagnostic =>
  diagnostic('PARSE_EXTERN', 'an extern type has no constructors', { span });

/** `free_var` inside a definition. */
export const freeVarInDefinition = (span: Span): Diagnostic =>
  diagnostic(
    'PARSE_FREE_VAR',
    '`free_var` is for expressions: a definition has no free variables',
    {
      span,
      hint: 'make it a parameter',
    },
  );

/** A block that ends in a binding. */
export const missingResult = (found: string, span: Span): Diagnostic =>
  diagnostic('PARSE_RESULT', `expected an expression after the bindings, found ${found}`, {
    span,
    hint: 'a block ends with its value',
  });

/** `[]` as an expression. */
export const emptyTensorLiteral = (span: Span): Diagnostic =>
  diagnostic('PARSE_EMPTY_TENSOR', 'a tensor literal has at least one element', { span });

/** A dimension whose normal form would be huge. */
export const dimensionTooLarge = (limit: number, span: Span): Diagnostic =>
  diagnostic('PARSE_DIMENSION', `a dimension has at most ${limit} operations and terms`, { span });

/** A dimension that is no size: negative, too large, or a division that leaves a rest. */
export const badDimension = (message: string, span: Span): Diagnostic =>
  diagnostic('PARSE_DIMENSION', message, { span });

/** A type relation that is neither registered nor the relation of an operator. */
export const unknownRelation = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_RELATION', `the type relation \`${name}\` is not registered`, { span, hint });

/** Constraints in a place that has no function type. */
export const strayWhere = (span: Span): Diagnostic =>
  diagnostic('PARSE_WHERE', 'only function types have constraints', { span });

/** A definition that an import would replace by another one. */
export const importClash = (what: string, name: string, span: Span | undefined): Diagnostic =>
  diagnostic('IMPORT_CLASH', `the ${what} \`${name}\` is defined differently in the import`, {
    span,
    hint: 'rename one of the two',
  });

/** An import that the library does not have. */
export const unknownImport = (file: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('IMPORT_UNKNOWN', `there is no library file \`${file}\``, {
    hint: `the files are ${known.join(', ')}`,
  });

/** Data that is not a module: another form, or content that does not fit. */
export const badJson = (path: string, problem: string): Diagnostic =>
  diagnostic('JSON_CONTENT', `the data is no module: at ${path}: ${problem}`);

/** Data that nests deeper than any module. */
export const jsonTooDeep = (limit: number): Diagnostic =>
  diagnostic('JSON_DEPTH', `the data nests deeper than ${limit}`);

/** A legacy graph binding that has the name of a local. */
export const graphNameOfLocal = (name: string, span: Span): Diagnostic =>
  diagnostic('NAME_GRAPH_LOCAL', `\`${name}\` is a local variable in scope here`, {
    span,
    hint: 'write `let`, or give the graph binding another name',
  });

/** `Cast(e, T)` with a type that has no dtype. */
export const castWithoutDType = (span: Span): Diagnostic =>
  diagnostic('PARSE_CAST', 'a cast names a dtype, or a tensor type with one', { span });

/** A type argument of another kind than its parameter. */
export const wrongArgumentKind = (wanted: string, found: string, span: Span): Diagnostic =>
  diagnostic('NAME_KIND', `expected a type argument of kind ${wanted}, found one of ${found}`, {
    span,
  });

/** A constant of a dtype that is not known, or has lanes. */
export const constantDType = (span: Span): Diagnostic =>
  diagnostic('PARSE_CONSTANT', 'a constant has a dtype without lanes', { span });

/** An attribute block of a function that the module does not define. */
export const unknownAttributeOwner = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_GLOBAL', `there is no definition of \`${name}\``, { span, hint });

/** A legacy constructor that says it makes another type than its own. */
export const wrongConstructorResult = (type: string, span: Span): Diagnostic =>
  diagnostic('PARSE_CONSTRUCTOR', `a constructor of \`${type}\` makes \`${type}\``, { span });

// ------------------------------------------------------------------------------------ attributes

/** An attribute that the operator does not have. */
export const unknownAttribute = (
  op: string,
  name: string,
  span: Span | undefined,
  hint?: string,
): Diagnostic => diagnostic('ATTR_UNKNOWN', `${op} has no attribute \`${name}\``, { span, hint });

/** An attribute given twice. */
export const repeatedAttribute = (name: string, span: Span): Diagnostic =>
  diagnostic('ATTR_TWICE', `the attribute \`${name}\` is given twice`, { span });

/** Attributes on a call that is not one of an operator. */
export const attributesWithoutKey = (span: Span): Diagnostic =>
  diagnostic(
    'ATTR_NO_KEY',
    'the attribute record type (`attrs_type_key`) of this call cannot be determined',
    { span, hint: 'only calls of operators take attributes' },
  );

/** Something that is no attribute value. */
export const badAttribute = (message: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('ATTR_VALUE', message, { span, hint });

// ------------------------------------------------------------------------------------ meta table

/** A reference to an entry that the meta table does not have. */
export const unknownMeta = (key: string, index: number, count: number, span: Span): Diagnostic =>
  diagnostic(
    'META_UNKNOWN',
    count === 0
      ? `the meta table has no \`${key}\``
      : `the meta table has ${count} of \`${key}\`: there is no ${index}`,
    { span },
  );

/** An entry of another kind than its place wants. */
export const wrongMeta = (key: string, wanted: string, span: Span): Diagnostic =>
  diagnostic('META_KIND', `expected ${wanted}, found an entry of \`${key}\``, { span });

/** A `#[metadata]` section that does not hold a table. */
export const badMetadata = (message: string, span: Span): Diagnostic =>
  diagnostic('META_SECTION', `the metadata section is not valid: ${message}`, { span });

// --------------------------------------------------------------------------------------- inference

/** Two types that had to be the same. */
export const typeMismatch = (
  expected: string,
  found: string,
  what: string,
  notes: ReadonlyArray<string>,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_MISMATCH', `expected ${what} of type ${expected}, found ${found}`, {
    span,
    related: notes.map((message) => ({ message })),
  });

/** A type that would have to contain itself. */
export const infiniteType = (span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_INFINITE', 'the type of this expression would have to contain itself', { span });

/** A literal that does not fit the dtype which its context demands. */
export const literalRange = (value: string, dtype: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_LITERAL_RANGE', `literal ${value} does not fit ${dtype}`, { span });

/** A condition that is no bool scalar. */
export const conditionNotBool = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_CONDITION', `expected a condition of type bool, found ${found}`, { span });

/** A call of something that is no function. */
export const notAFunction = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'TYPE_NOT_A_FUNCTION',
    `only expressions with function types can be called, found ${found}`,
    { span },
  );

/** A call with another number of arguments than the callee takes. */
export const wrongArgumentCount = (
  callee: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_ARITY',
    `${callee} is provided too ${found > expected ? 'many' : 'few'} arguments: ` +
      `expected ${expected}, found ${found}`,
    { span },
  );

/** A projection from something that is no tuple. */
export const notATupleType = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_NOT_A_TUPLE', `only tuples can be projected from, found ${found}`, { span });

/** A projection beyond the fields of a tuple. */
export const tupleIndexRange = (index: number, size: number, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_TUPLE_INDEX', `field ${index} is out of range for a tuple of ${size}`, { span });

/** An expression whose type nothing determines. */
export const underConstrained = (what: string, hint: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNDERCONSTRAINED', `unable to infer a type for ${what}`, { span, hint });

/** A variable that is used where nothing binds it. */
export const unboundVariable = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNBOUND', `variable %${name} is not bound here`, { span });

/** An operator that the module's table does not have. */
export const missingOperator = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNKNOWN_OPERATOR', `the module has no operator ${name}`, {
    span,
    hint: 'operators come from the table that the module was made with',
  });

/** A global that the module does not define. */
export const undefinedGlobal = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNDEFINED_GLOBAL', `the module defines no function @${name}`, { span });

/** What is wrong with the attributes of a call, at the call. */
export const badAttributes = (op: string, found: Diagnostic, span: Span | undefined): Diagnostic =>
  diagnostic(found.code, `${op}: ${found.message}`, { span, hint: found.hint });

/** A call of an operator that lacks attributes: whoever builds one fills in the defaults. */
export const incompleteAttributes = (
  op: string,
  missing: ReadonlyArray<string>,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_ATTRS_INCOMPLETE', `the call of ${op} lacks attributes: ${missing.join(', ')}`, {
    span,
    hint: 'complete them with the codec of the operator: `ops.get(name).attrs.decode`',
  });

/** What an operator's relation says of a call. */
export const relationFailed = (
  code: string,
  op: string,
  message: string,
  hint: string | undefined,
  span: Span | undefined,
): Diagnostic => diagnostic(code, `${op}: ${message}`, { span, hint });

/** An operator's relation that threw. */
export const relationThrew = (op: string, reason: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_RELATION_THREW', `the type relation of ${op} threw: ${reason}`, {
    span,
    severity: 'bug',
  });

/** A constraint by a relation that nothing defines. */
export const missingRelation = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNKNOWN_RELATION', `the module has no type relation ${name}`, {
    span,
    hint: 'register it in the operator table: `ops.withRelation({ .. })`',
  });

/** A constraint with another number of arguments than its relation has. */
export const relationArity = (
  name: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_RELATION_ARITY',
    `the relation ${name} holds between ${expected} types, found ${found}`,
    { span },
  );

/** Two dimensions that had to be the same. */
export const dimensionsDiffer = (a: string, b: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_DIMENSION', `dimension ${a} does not match ${b}`, { span });

/** A constructor, or its type, that the module does not define. */
export const undefinedAdt = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNDEFINED_ADT', `the module defines no algebraic data type ${name}`, { span });

/** More type arguments than the callee has parameters. */
export const typeArgumentCount = (
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_ARGUMENT_COUNT',
    `too many type arguments: expected at most ${expected}, found ${found}`,
    { span },
  );

/** A type argument of another kind than its parameter. */
export const typeArgumentKind = (
  parameter: string,
  expected: string,
  found: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_KIND',
    `the type parameter ${parameter} is of kind ${expected}, found an argument of kind ${found}`,
    { span },
  );

/** A variable in a slot of another kind. */
export const wrongKind = (
  name: string,
  role: string,
  found: string,
  expected: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_KIND',
    `incorrect kind for a ${role}: ${name} is of kind ${found} but was expected to be ${expected}`,
    { span },
  );

/** A type parameter that nothing around it declares. */
export const freeTypeVariable = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_FREE_VARIABLE', `the type variable ${name} is undefined`, {
    span,
    hint: 'declare it in the type parameters of a function around it',
  });

/** A type parameter that would have to hold outside the function that declares it. */
export const escapedTypeVariable = (
  name: string,
  variable: { readonly nameHint: string; readonly span: Span | undefined },
): Diagnostic =>
  diagnostic(
    'TYPE_FREE_VARIABLE',
    `the type of %${variable.nameHint} would mention the type variable ${name}, ` +
      'which is not declared there',
    { span: variable.span },
  );

/** An algebraic data type with another number of arguments than its definition has parameters. */
export const adtArgumentCount = (
  name: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_ARGUMENT_COUNT', `expected ${expected} arguments for ${name}, found ${found}`, {
    span,
  });

/** A constraint on a type parameter of a type, for which nothing states it. */
export const unprovedConstraint = (
  relation: string,
  parameter: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_UNPROVED',
    `nothing states that ${relation} holds for the type parameter ${parameter}`,
    { span, hint: 'add the relation to a `where` list' },
  );

/** A function that calls itself at ever larger types, and asks more of them each time. */
export const growingConstraints = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'TYPE_GROWING_CONSTRAINTS',
    `@${name} calls itself at other types, and what it asks of them has no end`,
    { span, hint: 'call it at its own type parameters, or state a `where` list' },
  );

/** A pattern for another type than that of the value. */
export const patternMismatch = (
  pattern: string,
  found: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_PATTERN', `${pattern} does not match a value of type ${found}`, { span });

/** A constructor pattern with another number of parts than the constructor has inputs. */
export const patternArity = (
  name: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_PATTERN_ARITY',
    `the constructor ${name} has ${expected} inputs, found ${found} patterns`,
    { span },
  );

/** A match that does not cover every value. */
export const incompleteMatch = (cases: ReadonlyArray<string>, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_MATCH_INCOMPLETE', `not covered: ${listed(cases)}`, {
    span,
    hint: 'add clauses for these cases, or write `match?`',
  });

/** How many cases a message lists. */
const MAX_LISTED_CASES = 16;

const listed = (cases: ReadonlyArray<string>): string => {
  const shown = cases.slice(0, MAX_LISTED_CASES).map((one) => `\`${one}\``);
  const rest = cases.length - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
};

/** A match whose coverage takes more work to decide than is allowed. */
export const matchTooLarge = (span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_MATCH_TOO_LARGE', 'it takes too long to find out what this match covers', {
    span,
    hint: 'split the match into several, or write `match?`',
  });

/** A node that a pass should have taken out before it returned. */
export const temporaryLeft = (span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_TEMP_EXPR', "a pass's private node is left in the program", {
    span,
    severity: 'bug',
  });

// ---------------------------------------------------------------------------------------- binding

/** A name that no parameter has. */
export const missingParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('BIND_UNKNOWN', `the function has no parameter %${name}`, { span });

/** A name that several parameters have. */
export const ambiguousParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('BIND_AMBIGUOUS', `the function has several parameters %${name}`, { span });
