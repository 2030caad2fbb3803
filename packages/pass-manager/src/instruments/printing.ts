/** The module as text, before or after passes. */
import type { IRModule } from '@baton/ir';
import { printModule } from '@baton/text';
import type { Instrument, PassInfo } from '../instrument.ts';

/** One text that a printing instrument made. */
export interface PrintedModule {
  readonly when: 'before' | 'after';
  readonly pass: string;
  readonly text: string;
}

/** What to print, and where it goes. */
export interface PrintingOptions {
  /** The names of passes; all of them if left out. */
  readonly passes?: ReadonlyArray<string>;
  /** How a module becomes text; `printModule` if left out. */
  readonly print?: (m: IRModule) => string;
  /** Takes each text. Nothing is printed otherwise. */
  readonly emit: (printed: PrintedModule) => void;
}

/** Gives the module as text before passes. */
export const printBefore = (options: PrintingOptions): Instrument => ({
  name: 'PrintBefore',
  beforePass: (m, pass) => emitText('before', m, pass, options),
});

/** Gives the module as text after passes. */
export const printAfter = (options: PrintingOptions): Instrument => ({
  name: 'PrintAfter',
  afterPass: (m, pass) => emitText('after', m, pass, options),
});

function emitText(
  when: 'before' | 'after',
  m: IRModule,
  pass: PassInfo,
  options: PrintingOptions,
): void {
  if (options.passes?.includes(pass.name) === false) return;
  options.emit({ when, pass: pass.name, text: (options.print ?? printModule)(m) });
}
