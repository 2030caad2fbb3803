/** The models that the arguments of the bench name. */
import { resolve } from 'node:path';
import { didYouMean } from '@baton/base';
import type { Subject } from '@baton/report';
import type { Arguments } from '../arguments.ts';
import { corpusSubjects } from './corpus.ts';
import { embeddedDefaults, embeddedSubjects } from './embedded.ts';
import { onnxSubject } from './onnx-file.ts';

/**
 * The models to report on, or the mistake in a name: every `--model` names a network that ships
 * with Baton or a model of `--onnx` or `--corpus`.
 */
export async function chosenSubjects(args: Arguments): Promise<ReadonlyArray<Subject> | string> {
  const isEmbedded = args.onnx.length === 0 && args.corpus === undefined;
  if (isEmbedded && args.models.length === 0) return embeddedDefaults();
  const known = isEmbedded
    ? embeddedSubjects()
    : [
        ...args.onnx.map((file) => onnxSubject(file, args)),
        ...(args.corpus === undefined ? [] : await corpusSubjects(resolve(args.corpus), args.dims)),
      ];
  if (args.models.length === 0) return known;
  const names = known.map((subject) => subject.name);
  const unknown = args.models.find((model) => !names.includes(model));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names);
    return `--model ${unknown}: no model has that name${hint === undefined ? '' : `; ${hint}`}
models: ${names.join(', ')}`;
  }
  return known.filter((subject) => args.models.includes(subject.name));
}
