/** PrintIR: the module as text, where a list of passes has it. [passes §0.2](https://batonjs.github.io/baton/spec/passes#0.2) */
import { right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { printModule } from '@baton/text';
import { type Pass, pass } from '../pass.ts';

/** A pass that changes nothing and hands the module as text to `emit`, each time that it runs. */
export const printIr = (
  emit: (text: string) => void,
  print: (m: IRModule) => string = printModule,
): Pass =>
  pass({
    name: 'PrintIR',
    doc: 'Passes the module as text to a function.',
    level: 0,
    isIdempotent: true,
    run: (m) => {
      emit(print(m));
      return right(m);
    },
  });
