/** The bench's measurements, and its choice of models: U.14, U.15. */

import { changesOf, isFaster, isSlower, timedOf } from '@baton/report';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../bench/src/arguments.ts';
import { chosenSubjects } from '../../bench/src/subjects/chosen.ts';

describe('U.14 a time', () => {
  it('is the median of its samples, with the least and the greatest', () => {
    expect(timedOf([3, 1, 10])).toEqual({ ms: 3, low: 1, high: 10, samples: 3 });
    expect(timedOf([4, 2])).toEqual({ ms: 3, low: 2, high: 4, samples: 2 });
  });

  it.each([
    ['apart', [1, 2, 3], [4, 5, 6], true, false],
    ['apart, the other way', [4, 5, 6], [1, 2, 3], false, true],
    ['overlapping', [1, 2, 5], [4, 5, 6], false, false],
    ['touching', [1, 2, 3], [3, 4, 5], false, false],
  ])('differs from another only where no samples overlap: %s', (_, a, b, slower, faster) => {
    const [before, after] = [timedOf(a), timedOf(b)];
    expect([isSlower(before, after), isFaster(before, after)]).toEqual([slower, faster]);
  });
});

describe('U.14 worse measures', () => {
  const same = { before: 5, after: 5 };
  const figures = {
    nodes: { before: 123, after: 128 },
    kernels: { before: 9, after: 8 },
    flops: same,
    bytesMoved: { before: 0, after: 1 },
    paramBytes: same,
    run: { before: timedOf([7, 8]), after: timedOf([37, 38]) },
  };

  it('is named, measure by measure', () => {
    const { worse, better } = changesOf(figures);
    expect(worse.map((c) => c.measure)).toEqual(['nodes', 'bytes moved', 'executor time']);
    expect(better).toEqual([{ measure: 'kernels', before: 9, after: 8 }]);
  });

  it('is no time within noise, nor one that was not taken', () => {
    const within = { before: timedOf([7, 8]), after: timedOf([7.5, 9]) };
    for (const run of [within, null]) {
      expect(changesOf({ ...figures, run }).worse.map((c) => c.measure)).not.toContain(
        'executor time',
      );
    }
  });
});

describe('U.15 the models that are asked for', () => {
  const chosen = async (...argv: ReadonlyArray<string>): Promise<unknown> => {
    const args = readArguments(argv);
    if (typeof args === 'string') return args.split('\n')[0];
    const subjects = await chosenSubjects(args);
    return typeof subjects === 'string' ? subjects : subjects.map((s) => s.name);
  };

  const zoo = ['resnet18', 'mobilenet_v2', 'vit', 'bert', 'gpt2', 'lstm', 'unet', 'detector'];

  it('are the zoo of those that ship with Baton, unless they are named', async () => {
    expect(await chosen()).toEqual(zoo);
    expect(await chosen('--model', 'densenet121', '--model', 'mlp')).toEqual([
      'mlp',
      'densenet121',
    ]);
  });

  it('are refused where one name of several is wrong, with a suggestion', async () => {
    expect(await chosen('--model', 'mlp', '--model', 'resnet81')).toBe(
      '--model resnet81: no model has that name; did you mean `resnet18`?\n' +
        `models: ${zoo.join(', ')}, mlp, transformer_encoder, resnet50, squeezenet, densenet121, gpt2_124m, gpt2_124m_4bit`,
    );
    expect(await chosen('--model', 'transformer', '--onnx', 'nets/a.onnx')).toMatch(
      /^--model transformer: no model has that name.*\nmodels: a$/,
    );
  });

  it.each([
    [['--modle', 'mlp'], 'unknown option --modle; did you mean `--model`?'],
    [['--levle=3'], 'unknown option --levle; did you mean `--level`?'],
    [['--level', '4'], '--level expects 0, 1, 2 or 3, found 4'],
    [['mlp'], 'expected an option, found mlp; name a model with --model mlp'],
    [['--model'], '--model expects a value'],
    [['--no-run=yes'], '--no-run takes no value'],
  ])('%j is answered', async (argv, answer) => {
    expect(await chosen(...argv)).toBe(answer);
  });
});
