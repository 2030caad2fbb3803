/** The inputs of a run: those of the user, and generated tensors for the rest. */
import { diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import * as check from '@baton/equivalence';
import type { HostValue } from '@baton/executor';
import { type IRModule, typeOf, type Var } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { readNpy } from '@baton/tensor/npy';
import { printType } from '@baton/text';
import type { GivenInput } from '../protocol.ts';

/** The arguments of `main`, in order, from JSON or NumPy arrays; missing ones are generated. */
export function inputsOf(
  m: IRModule,
  given: Readonly<Record<string, GivenInput>>,
): Result<ReadonlyArray<HostValue>> {
  const values: HostValue[] = [];
  for (const param of m.functions.get('main')?.params ?? []) {
    const name = param.nameHint;
    const type = typeOf(m, param) ?? param.typeAnnotation;
    const own = given[name] ?? '';
    if (typeof own === 'string' && own.trim() === '') {
      const made = madeUp(m, param);
      if (made === undefined)
        return fail(noValue(name, type === undefined ? '?' : printType(type)));
      values.push(made);
      continue;
    }
    const read = typeof own === 'string' ? fromText(own, name) : readNpy(own);
    if (isLeft(read)) return read;
    values.push(read.right);
  }
  return right(values);
}

/** Generated arguments of `main`; `undefined` if a parameter is no tensor. */
export function madeUpInputs(m: IRModule): ReadonlyArray<Tensor> | undefined {
  const made = (m.functions.get('main')?.params ?? []).map((param) => madeUp(m, param));
  return made.every((value) => value !== undefined) ? made : undefined;
}

const madeUp = (m: IRModule, param: Var): Tensor | undefined =>
  check.madeUpTensor(typeOf(m, param) ?? param.typeAnnotation, param.nameHint, {
    openSize: OPEN_SIZE,
  });

const OPEN_SIZE = 2;

const noValue = (name: string, type: string) =>
  diagnostic('PLAYGROUND_INPUT', `no value is given for the input ${name} of type ${type}`, {
    hint: 'type it as JSON: a number, or lists of numbers',
  });

/** A JSON value is plain data that an executor checks. */
function fromText(text: string, name: string): Result<HostValue> {
  try {
    return right(JSON.parse(text));
  } catch {
    return fail(
      diagnostic('PLAYGROUND_INPUT', `the input ${name} is not JSON: ${text.slice(0, 40)}`, {
        hint: 'a value is a number, or a list of lists of numbers',
      }),
    );
  }
}
