/** Every diagnostic of the e-graph, one constructor each. */
import {
  type Diagnostic,
  diagnostic,
  type RelatedNote,
  showOption,
  type TextSpan,
} from '@baton/base';

export const unexpectedEnd = (span: TextSpan, open: TextSpan | undefined): Diagnostic =>
  diagnostic(
    'EGRAPH_UNEXPECTED_END',
    `expected ${open ? '`)`' : 'an expression'}, found the end of the text`,
    { span, related: open ? [{ message: 'it would close this', span: open }] : [] },
  );

export const trailingText = (found: string, span: TextSpan): Diagnostic =>
  diagnostic('EGRAPH_TRAILING_TEXT', `expected the end of the text, found \`${found}\``, { span });

export const missingOperator = (found: string, span: TextSpan): Diagnostic =>
  diagnostic('EGRAPH_MISSING_OPERATOR', `expected an operator after \`(\`, found \`${found}\``, {
    span,
    hint: 'write a leaf or `(operator child …)`',
  });

export const variableInTerm = (name: string, span: TextSpan): Diagnostic =>
  diagnostic('EGRAPH_VARIABLE_IN_TERM', `expected a term, found the variable \`${name}\``, {
    span,
    hint: 'variables belong to patterns',
  });

export const patternTooDeep = (limit: number, span: TextSpan): Diagnostic =>
  diagnostic('EGRAPH_PATTERN_TOO_DEEP', `expected a pattern at most ${limit} levels deep`, {
    span,
    hint: 'name a ground part by a leaf',
  });

export const badClause = (found: string, span: TextSpan): Diagnostic =>
  diagnostic('EGRAPH_BAD_CLAUSE', `expected \`?variable = pattern\`, found \`${found}\``, {
    span,
    hint: 'commas separate clauses; the first pattern is no bare variable',
  });

/** A right-hand side, condition or applier that uses a variable the left-hand side does not bind. */
export const unboundVariable = (
  rule: string,
  variable: string,
  bound: ReadonlyArray<string>,
): Diagnostic =>
  diagnostic('EGRAPH_UNBOUND_VARIABLE', `rule \`${rule}\`: \`${variable}\` is not bound`, {
    hint: `the left side binds ${bound.join(', ') || 'none'}`,
  });

export const mixedVariable = (rule: string, variable: string): Diagnostic =>
  diagnostic(
    'EGRAPH_MIXED_VARIABLE',
    `rule \`${rule}\`: \`${variable}\` stands for a class and for a payload`,
  );

export const duplicateRule = (rule: string): Diagnostic =>
  diagnostic('EGRAPH_DUPLICATE_RULE', `two rules are named \`${rule}\``, {
    hint: 'rules are told apart by name',
  });

export const arityMismatch = (
  name: string,
  expected: ReadonlyArray<number>,
  found: number,
): Diagnostic =>
  diagnostic(
    'EGRAPH_ARITY_MISMATCH',
    `operator \`${name}\` takes ${expected.join(' or ')} children, found ${found}`,
  );

export const unknownOperator = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EGRAPH_UNKNOWN_OPERATOR', `operator \`${name}\` is not in the language`, {
    hint: `the language has ${known.join(', ')}`,
  });

/** An id of a class that was never made, or not since the last `pop`. */
export const unknownClass = (id: unknown): Diagnostic =>
  diagnostic(
    'EGRAPH_UNKNOWN_CLASS',
    `expected the id of a class of this e-graph, found ${typeof id === 'number' ? id : showOption(id)}`,
    {
      hint:
        typeof id === 'object' && id !== null && '_tag' in id
          ? '`addExpr` and `addChecked` return a result: `orThrow` takes the id out of it'
          : undefined,
    },
  );

/** A limit of time without a clock: the package itself reads none. */
export const clockMissing = (owner: string): Diagnostic =>
  diagnostic('OPTION_MISSING', `${owner} needs \`now\`, a clock, for \`timeLimitMs\``, {
    hint: 'for example `now: () => performance.now()`',
  });

/** A condition or a right-hand side, written by the user, that threw. */
export const ruleThrew = (rule: string, error: unknown): Diagnostic =>
  diagnostic('EGRAPH_RULE_THREW', `rule \`${rule}\` threw ${error}`, { related: thrownAt(error) });

/** The first location that the stack of an exception names. */
const thrownAt = (error: unknown): ReadonlyArray<RelatedNote> => {
  const place = error instanceof Error && error.stack?.match(/\S.*:\d+:\d+.*/);
  return place ? [{ message: place[0] }] : [];
};

export const analysisDiverges = (name: string, limit: number): Diagnostic =>
  diagnostic(
    'EGRAPH_ANALYSIS_DIVERGES',
    `analysis \`${name}\` changed the data of one class ${limit} times in one rebuild`,
    { hint: 'merge must climb a lattice of finite height' },
  );

export const nothingToPop = (): Diagnostic =>
  diagnostic('EGRAPH_NOTHING_TO_POP', 'expected an earlier `push`');

export const explanationsOff = (): Diagnostic =>
  diagnostic('EGRAPH_EXPLANATIONS_OFF', 'this e-graph keeps no explanations', {
    hint: 'make it with `new EGraph({ explanations: true })`',
  });

export const termNotFound = (term: string): Diagnostic =>
  diagnostic('EGRAPH_TERM_NOT_FOUND', `the e-graph does not hold \`${term}\``);

export const notEqual = (left: string, right: string): Diagnostic =>
  diagnostic('EGRAPH_NOT_EQUAL', `\`${left}\` and \`${right}\` are not known to be equal`);

export const badProof = (step: number, why: string): Diagnostic =>
  diagnostic('EGRAPH_BAD_PROOF', `step ${step} of the proof does not hold: ${why}`);

export const proofTooLong = (limit: number): Diagnostic =>
  diagnostic('EGRAPH_PROOF_TOO_LONG', `the flat form of the proof has more than ${limit} steps`, {
    hint: 'the tree form shares its parts: use `printProof`',
  });

export const unknownRoot = (root: number): Diagnostic =>
  diagnostic('EXTRACT_UNKNOWN_ROOT', `expected a class of the e-graph as root, found ${root}`);

export const noTerm = (root: number): Diagnostic =>
  diagnostic('EXTRACT_NO_TERM', `expected a term of finite cost in class ${root}, found none`, {
    hint: 'every node of the class costs infinitely much or needs the class itself',
  });

export const badCost = (name: string, found: unknown, expected: string): Diagnostic =>
  diagnostic('EXTRACT_BAD_COST', `expected ${expected} as the cost of ${name}, found ${found}`);

export const badGraphData = (path: string, expected: string): Diagnostic =>
  diagnostic('EGRAPH_BAD_DATA', `expected ${expected} at ${path}`, {
    hint: 'the format is that of the package egraph-serialize',
  });

export const classWithoutTerm = (eclass: string): Diagnostic =>
  diagnostic('EGRAPH_CLASS_WITHOUT_TERM', `class ${eclass} holds no finite term`, {
    hint: 'every node of the class needs, directly or not, the class itself',
  });
