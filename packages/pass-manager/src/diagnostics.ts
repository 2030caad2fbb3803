/** Every diagnostic of the pass manager, one constructor each. */
import { type Diagnostic, diagnostic, showOption, suggestion } from '@baton/base';

export const configUnknownKey = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('PASS_CONFIG_UNKNOWN', `expected a known configuration key, found ${name}`, {
    hint: suggestion(name, known),
  });

export const configWrongType = (name: string, expected: string, found: string): Diagnostic =>
  diagnostic(
    'PASS_CONFIG_TYPE',
    `expected a value of type ${expected} for ${name}, found ${found}`,
  );

export const configNull = (name: string): Diagnostic =>
  diagnostic('PASS_CONFIG_NULL', `expected a value for ${name}, found none`, {
    hint: 'leave the key out to have its default',
  });

export const passUnknown = (
  option: string,
  name: string,
  known: ReadonlyArray<string>,
): Diagnostic =>
  diagnostic('PASS_UNKNOWN', `\`${option}\` names ${name}, and no pass of that name would run`, {
    hint: suggestion(name, known),
  });

export const notAPass = (where: string, found: unknown): Diagnostic =>
  diagnostic('PASS_NOT_A_PASS', `expected a pass ${where}, found ${showOption(found)}`, {
    hint: found === undefined ? 'is its name misspelled?' : undefined,
  });

export const notAModule = (found: unknown): Diagnostic =>
  diagnostic('PASS_NOT_A_MODULE', `expected a module to run on, found ${showOption(found)}`, {
    hint: adviceOn(found, 'module'),
  });

/** A pass that threw, which is a bug in the pass. `stack` has the innermost call first. */
export const passThrew = (pass: string, reason: string, stack: ReadonlyArray<string>): Diagnostic =>
  diagnostic('PASS_THREW', `pass ${pass} threw: ${reason}`, {
    severity: 'bug',
    related: stack.map((message) => ({ message })),
  });

export const passThrewDiagnostic = (pass: string, thrown: Diagnostic): Diagnostic => ({
  ...thrown,
  related: [...thrown.related, { message: `pass ${pass} threw this` }],
});

export const instrumentThrew = (
  instrument: string,
  event: string,
  reason: string,
  stack: ReadonlyArray<string>,
): Diagnostic =>
  diagnostic('PASS_INSTRUMENT_THREW', `instrument ${instrument} threw in ${event}: ${reason}`, {
    severity: 'bug',
    related: stack.map((message) => ({ message })),
  });

export const passBroke = (pass: string, found: Diagnostic): Diagnostic =>
  diagnostic('PASS_BROKE_MODULE', `pass ${pass} left a bad module: ${found.message}`, {
    severity: 'bug',
    span: found.span,
    hint: found.hint,
    related: [{ message: `reported as ${found.code}` }, ...found.related],
  });

export const passUnbound = (pass: string, variable: string): Diagnostic =>
  diagnostic(
    'PASS_BROKE_MODULE',
    `pass ${pass} left a bad module: nothing binds variable %${variable}`,
    { severity: 'bug' },
  );

export const passMutated = (pass: string): Diagnostic =>
  diagnostic('PASS_MUTATED', `pass ${pass} changed its input module in place`, {
    severity: 'bug',
    hint: 'build new nodes; what a pass is given belongs to others as well',
  });

export const passReturned = (
  pass: string,
  wanted: 'module' | 'function',
  found: unknown,
): Diagnostic =>
  diagnostic(
    'PASS_NO_MODULE',
    `pass ${pass} is expected to return a result with a ${wanted}, returned ${showReturned(found)}`,
    { severity: 'bug', hint: adviceOn(found, wanted) },
  );

function showReturned(found: unknown): string {
  if (found === undefined) return 'nothing';
  const isResult = typeof found === 'object' && found !== null && 'right' in found;
  return isResult ? `a result with ${showOption(found.right)}` : showOption(found);
}

/** A `Result` is easily mistaken for its content, and the other way round. */
function adviceOn(found: unknown, wanted: 'module' | 'function'): string | undefined {
  if (typeof found !== 'object' || found === null || !('_tag' in found)) return undefined;
  const name = wanted === 'module' ? 'm' : 'f';
  if (found._tag === 'IRModule' || found._tag === 'Function') return `write ok(${name})`;
  const isResult = found._tag === 'Right' || found._tag === 'Left';
  return isResult && wanted === 'module' ? 'take the value out of it: orThrow(result)' : undefined;
}
