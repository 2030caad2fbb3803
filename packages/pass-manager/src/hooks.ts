/**
 * Calls the hooks of instruments, in the order and with the rules of
 * [passes §0.3](https://batonjs.github.io/baton/spec/passes#0.3).
 */
import {
  type Diagnostic,
  DiagnosticsError,
  fail,
  isLeft,
  left,
  type Result,
  reasonOf,
  right,
  stackOf,
} from '@baton/base';
import type { IRModule } from '@baton/ir';
import { instrumentThrew } from './diagnostics.ts';
import type { Instrument, PassInfo } from './instrument.ts';

type Instruments = ReadonlyArray<Instrument>;

/**
 * Enters the instruments, runs `body`, and leaves the instruments in every case. If one cannot be
 * entered, those already entered are left, latest first, and `body` is not run. If one cannot be
 * left, those after it are not left either.
 */
export function around<A>(instruments: Instruments, body: () => Result<A>): Result<A> {
  const entered: Instrument[] = [];
  for (const instrument of instruments) {
    const failed = attempt(instrument, 'enter', () => instrument.enter?.());
    if (failed !== undefined) {
      const more = leave([...entered].reverse());
      return fail(failed, ...(more === undefined ? [] : [more]));
    }
    entered.push(instrument);
  }
  const result = body();
  const failed = leave(instruments);
  if (failed === undefined) return result;
  return isLeft(result) ? left([...result.left, failed]) : fail(failed);
}

/** Calls a hook of each instrument, and returns the failure of the first that throws. */
export function notify(
  instruments: Instruments,
  event: string,
  call: (instrument: Instrument) => void,
): Result<never> | undefined {
  for (const instrument of instruments) {
    const failed = attempt(instrument, event, () => call(instrument));
    if (failed !== undefined) return fail(failed);
  }
  return undefined;
}

/** Whether every instrument lets the pass run. Each is asked, even after one refused. */
export function wanted(instruments: Instruments, m: IRModule, pass: PassInfo): Result<boolean> {
  let isWanted = true;
  const failed = notify(instruments, 'shouldRun', (i) => {
    if (i.shouldRun?.(m, pass) === false) isWanted = false;
  });
  return failed ?? right(isWanted);
}

function leave(instruments: Instruments): Diagnostic | undefined {
  for (const instrument of instruments) {
    const failed = attempt(instrument, 'exit', () => instrument.exit?.());
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function attempt(instrument: Instrument, event: string, call: () => void): Diagnostic | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.diagnostics[0];
    return instrumentThrew(instrument.name, event, reasonOf(error), stackOf(error));
  }
}
