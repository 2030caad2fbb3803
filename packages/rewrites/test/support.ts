import { type IRModule, orThrow } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, passesRun, runPass } from '@baton/pass-manager';
import { parseModule, printModule } from '@baton/text';

/** The module of a `main` with these parameters, of shape (2, 3) unless a type is given. */
export const program = (
  params: string,
  body: string,
  others: ReadonlyArray<string> = [],
): IRModule => {
  const typed = params.split(' ').map((name) => {
    const [own, type = 'Tensor[(2, 3), float32]'] = name.split(':');
    return `${own}: ${type}`;
  });
  const text = `#[version = "0.0.5"]\ndef @main(${typed.join(', ')}) { ${body} }\n${others.join('\n')}`;
  return orThrow(parseModule(text, { ops: standardOps }));
};

/** The body of `main`, one line a binding. */
export function bodyOf(m: IRModule): string {
  const lines = printModule(m, { showTypes: false }).split('\n');
  const first = lines.findIndex((line) => line.startsWith('def @main')) + 1;
  const body = lines.slice(first, lines.indexOf('}', first));
  return body.map((line) => line.trim()).join(' ');
}

/** The body after a pass, and what the pass counted. */
export function after(
  pass: Pass,
  m: IRModule,
): readonly [string, Readonly<Record<string, number>>] {
  const { module, report } = orThrow(runPass(pass)(m));
  return [bodyOf(module), passesRun(report).find(({ name }) => name === pass.name)?.counts ?? {}];
}
