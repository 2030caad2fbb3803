/** Instruments that print the module before or after passes. */
import type { IRModule } from '@baton/ir';
import { printModule } from '@baton/text';
import type { Instrument, PassInfo } from '../instrument.ts';

export interface PrintedModule {
  readonly when: 'before' | 'after';
  readonly pass: string;
  readonly text: string;
}

export interface PrintingOptions {
  /** The names of passes. Default: all. */
  readonly passes?: ReadonlyArray<string>;
  /** Turns a module into text. Default: `printModule`. */
  readonly print?: (m: IRModule) => string;
  /** Receives each text; the instrument itself prints nothing. */
  readonly emit: (printed: PrintedModule) => void;
}

export const printBefore = (options: PrintingOptions): Instrument => ({
  name: 'PrintBefore',
  beforePass: (m, pass) => emitText('before', m, pass, options),
});

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
