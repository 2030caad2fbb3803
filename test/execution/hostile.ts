/** Names that are code in a text that is put together by hand, and a program that carries one. */
import { func, type IRModule, irModule, tensorType, tuple, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';

export const HOSTILE: ReadonlyArray<string> = [
  '\u0024{globalThis.PWNED=1}',
  '`;globalThis.PWNED=1;`',
  '*/globalThis.PWNED=1;/*',
  '";globalThis.PWNED=1;"',
  "';globalThis.PWNED=1;'",
  'a\nglobalThis.PWNED=1\n',
  '\u2028globalThis.PWNED=1\u2028',
  '\\',
  '\\"',
  '__proto__',
  'constructor',
  'run',
  '</script>',
  '#?%41 %',
];

const F4 = tensorType([4], 'float32');

/** `(x + x, x * x)` of an input of this name. */
export function twice(input: string): IRModule {
  const x = variable(input, F4);
  const body = tuple([callOp(standardOps, 'add', [x, x]), callOp(standardOps, 'multiply', [x, x])]);
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], body)]]) });
}
