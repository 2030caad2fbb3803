/** Every diagnostic of rules and engines, one constructor each. */
import { type Diagnostic, diagnostic, didYouMean, type Span } from '@baton/base';

/** A hole on the right that nothing binds. */
export const unboundHole = (
  rule: string,
  hole: string,
  bound: Iterable<string>,
  place: string | undefined,
): Diagnostic =>
  diagnostic('RULE_UNBOUND', `rule ${rule}: ?${hole} is not bound${where(place)}`, {
    hint: didYouMean(hole, bound, '?') ?? 'bind it on the left, or compute it in `let`',
  });

/** A left side that would match every expression. */
export const matchesAll = (rule: string, place: string | undefined): Diagnostic =>
  diagnostic('RULE_MATCHES_ALL', `rule ${rule}: the left side is no call${where(place)}`, {
    hint: 'the left side names an operator, a tuple or a field',
  });

/** An operator of which a rule is wanted, and that is no formula of others. */
export const noDefinition = (op: string): Diagnostic =>
  diagnostic('RULE_DEFINITION', `the definition of ${op} is no text`, {
    hint: 'state it by `define`',
  });

/** Data that has another form than times of calls, at a place in it. */
export const wrongTimes = (place: ReadonlyArray<string>): Diagnostic =>
  diagnostic(
    'COST_TIMES',
    `expected times of calls${place.length === 0 ? '' : `, found something else at ${JSON.stringify(place)}`}`,
    { hint: 'a record by call, each with microseconds, flops and bytes of at least 0' },
  );

/** Lists of left and right sides of different lengths. */
export const unequalSides = (
  rule: string,
  lefts: number,
  rights: number,
  place: string | undefined,
): Diagnostic =>
  diagnostic(
    'RULE_SIDES',
    `rule ${rule}: ${lefts} left sides, and ${rights} right sides${where(place)}`,
    { hint: 'each left side has the right side at the same place of the other list' },
  );

/** Two rules with one name. */
export const duplicateRule = (rule: string): Diagnostic =>
  diagnostic('RULE_DUPLICATE', `two rules are called ${rule}`);

/** An operator that the table of the program does not have. */
export const unknownOperator = (
  rule: string,
  op: string,
  known: Iterable<string>,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('RULE_OPERATOR', `rule ${rule}: there is no operator ${op}`, {
    span,
    hint: didYouMean(op, known),
  });

/** A call in a pattern with another number of arguments than its operator takes. */
export const wrongArgumentCount = (
  rule: string,
  op: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('RULE_ARITY', `rule ${rule}: ${op} takes ${expected} arguments, found ${found}`, {
    span,
  });

/** An attribute that the operator does not have. */
export const unknownAttribute = (
  rule: string,
  op: string,
  name: string,
  known: Iterable<string>,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('RULE_ATTRIBUTE', `rule ${rule}: ${op} has no attribute ${name}`, {
    span,
    hint: didYouMean(name, known),
  });

/** A required attribute that the pattern neither states nor captures. */
export const missingAttribute = (
  rule: string,
  op: string,
  name: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('RULE_ATTRIBUTE', `rule ${rule}: ${op} needs the attribute ${name}`, {
    span,
    hint: `write ${name}=?a, or attrs=?a for all of them`,
  });

/** A pattern that has no node in a match. */
export const noMatchedNode = (pattern: unknown): Diagnostic =>
  diagnostic(
    'PATTERN_NO_NODE',
    typeof pattern === 'string' ? `the match has no ?${pattern}` : 'the pattern has no node here',
    { hint: 'ask for a part of the pattern that every match has, or use `all`' },
  );

/** Callbacks that change the program again and again. */
export const endlessRewrite = (passes: number): Diagnostic =>
  diagnostic('PATTERN_ENDLESS', `the callbacks still change the program after ${passes} passes`, {
    hint: 'let a callback give back `post` where nothing is left to do, or set `rewriteOnce`',
  });

const where = (place: string | undefined): string => (place === undefined ? '' : ` (${place})`);
