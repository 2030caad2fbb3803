/** Every diagnostic of the pass manager, one constructor each. */
import { type Diagnostic, diagnostic } from '@baton/base';

/** A configuration key that nobody declared. */
export const configUnknownKey = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('PASS_CONFIG_UNKNOWN', `expected a known configuration key, found ${name}`, {
    hint: `known keys: ${known.join(', ')}`,
  });

/** A configuration value of another type than its key's. */
export const configWrongType = (name: string, expected: string, found: string): Diagnostic =>
  diagnostic(
    'PASS_CONFIG_TYPE',
    `expected a value of type ${expected} for ${name}, found ${found}`,
  );

/** A configuration key without a value. */
export const configNull = (name: string): Diagnostic =>
  diagnostic('PASS_CONFIG_NULL', `expected a value for ${name}, found none`, {
    hint: 'leave the key out to have its default',
  });

/** A pass that threw: a bug in the pass. */
export const passThrew = (pass: string, reason: string): Diagnostic =>
  diagnostic('PASS_THREW', `pass ${pass} threw: ${reason}`, { severity: 'bug' });

/** An instrument that threw. */
export const instrumentThrew = (instrument: string, event: string, reason: string): Diagnostic =>
  diagnostic('PASS_INSTRUMENT_THREW', `instrument ${instrument} threw in ${event}: ${reason}`, {
    severity: 'bug',
  });

/** A diagnostic about what a pass returned: the pass is at fault, whatever the diagnostic says. */
export const passBroke = (pass: string, found: Diagnostic): Diagnostic =>
  diagnostic('PASS_BROKE_MODULE', `pass ${pass} left a bad module: ${found.message}`, {
    severity: 'bug',
    span: found.span,
    hint: found.hint,
    related: [{ message: `reported as ${found.code}` }, ...found.related],
  });

/** A pass that dropped a binding whose variable is still used. */
export const passUnbound = (pass: string, variable: string): Diagnostic =>
  diagnostic(
    'PASS_BROKE_MODULE',
    `pass ${pass} left a bad module: nothing binds variable %${variable}`,
    { severity: 'bug' },
  );

/** A pass that changed the module that it was given. */
export const passMutated = (pass: string): Diagnostic =>
  diagnostic('PASS_MUTATED', `pass ${pass} changed its input module in place`, {
    severity: 'bug',
    hint: 'build new nodes; what a pass is given belongs to others as well',
  });

/** A pass that returned neither what it had to nor diagnostics. */
export const passReturnedNothing = (pass: string, wanted: 'module' | 'function'): Diagnostic =>
  diagnostic('PASS_NO_MODULE', `pass ${pass} returned no ${wanted}`, { severity: 'bug' });
