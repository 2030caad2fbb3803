/** Passes that the user's modules export. */
import { fail, isLeft, type Result, right } from '@baton/base';
import { type Pass, sequential } from 'batonjs';
import { unfit } from './diagnostics.ts';
import type { Host } from './host.ts';

export interface OwnPass {
  readonly path: string;
  readonly exported: string;
  readonly pass: Pass;
}

export async function passesIn(
  host: Host,
  paths: ReadonlyArray<string>,
): Promise<Result<ReadonlyArray<OwnPass>>> {
  const found: OwnPass[] = [];
  for (const path of paths) {
    const exported = await host.load(path);
    if (isLeft(exported)) return exported;
    const own = Object.entries(exported.right).flatMap(([name, pass]) =>
      isPass(pass) ? [{ path, exported: name, pass }] : [],
    );
    if (own.length === 0) {
      return fail(unfit(path, 'it exports no pass', 'export the result of `pass(...)`'));
    }
    found.push(...own);
  }
  return right(found);
}

/** The passes in sequence; a single one is returned itself. */
export const inOrder = (own: ReadonlyArray<OwnPass>): Pass => {
  const [first, ...others] = own.map(({ pass }) => pass);
  return first !== undefined && others.length === 0
    ? first
    : sequential(own.map(({ pass }) => pass));
};

const isPass = (value: unknown): value is Pass =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  '_tag' in value &&
  value._tag === 'Pass';
