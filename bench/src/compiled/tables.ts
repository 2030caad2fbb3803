/** Times of models as tables, and the goals that they are held to. */
import { table } from '@baton/base';
import type { Ablation } from './ablation.ts';
import type { ModelTimes } from './models.ts';

/** The models that the goals speak of. */
export const MODELS = [
  'bvlc_alexnet',
  'densenet121',
  'inception_v1',
  'resnet50',
  'squeezenet',
  'resnet18',
  'mobilenet_v2',
  'bert-tiny',
  'vit',
  'bert',
  'gpt2',
  'lstm',
  'unet',
  'detector',
];

/** onnxruntime-web's time over ours: in the geometric mean, and for each model. */
const LEAST_MEAN_RATIO = 1.5;
const LEAST_RATIO = 1.1;

/** The greatest ratio of the arena to the bytes that are live at one time. */
const MOST_ARENA = 1.15;

/** The models, with the geometric mean of the ratios. */
export function modelTable(models: ReadonlyArray<ModelTimes>): string {
  const ratio = (ms: number, peer: { readonly ms: number } | undefined): string =>
    peer === undefined ? '' : (peer.ms / ms).toFixed(2);
  const rows = models.map((model) => {
    const { ms, peers, arenaBytes = 0, lowerBoundBytes = 0 } = model;
    return [
      model.name,
      ...[model.prepareMs, model.firstMs, ms].map((time) => time.toFixed(2)),
      model.gflops.toFixed(1),
      (arenaBytes / Math.max(1, lowerBoundBytes)).toFixed(3),
      `${model.references.length}`,
      ...[peers.ortWeb?.ms.toFixed(2) ?? '', ratio(ms, peers.ortWeb)],
      peers.ortWeb === undefined ? '' : (peers.ortWeb.cpuMs / model.cpuMs).toFixed(2),
      ...[peers.ortNode?.ms.toFixed(2) ?? '', ratio(ms, peers.ortNode)],
      model.threads === undefined ? '' : (ms / model.threads.ms).toFixed(2),
    ];
  });
  const mean = meanRatio(models);
  const blanks = new Array<string>(7).fill('');
  const last = mean === undefined ? [] : [['geometric mean', ...blanks, mean.toFixed(2)]];
  const header = [
    ...['model', 'prepare', 'first', 'ms', 'GFLOP/s', 'arena', 'references'],
    ...['ort web', 'ratio', 'of cpu', 'ort node', 'ratio', 'threads'],
  ];
  return table(header, [...rows, ...last]);
}

/** The geometric mean of onnxruntime-web's times over ours. */
function meanRatio(models: ReadonlyArray<ModelTimes>): number | undefined {
  const logs = models.flatMap(({ ms, peers: { ortWeb } }) =>
    ortWeb === undefined ? [] : [Math.log(ortWeb.ms / ms)],
  );
  return logs.length === 0 ? undefined : Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length);
}

/** The goals that models miss. */
export function missedBy(models: ReadonlyArray<ModelTimes>): ReadonlyArray<string> {
  const mean = meanRatio(models);
  const own = models.flatMap(({ name, ms, arenaBytes = 0, lowerBoundBytes = 0, peers }) => [
    ...(peers.ortWeb !== undefined && peers.ortWeb.ms < LEAST_RATIO * ms
      ? [`${name}: ${(peers.ortWeb.ms / ms).toFixed(2)} times as fast as onnxruntime-web`]
      : []),
    ...(arenaBytes > MOST_ARENA * lowerBoundBytes
      ? [
          `${name}: an arena of ${(arenaBytes / lowerBoundBytes).toFixed(3)} times the bytes that live`,
        ]
      : []),
  ]);
  return mean === undefined || mean >= LEAST_MEAN_RATIO
    ? own
    : [...own, `${mean.toFixed(2)} times as fast as onnxruntime-web in the geometric mean`];
}

/** The times of each level, with what each is of the one before, and the time as it is over the last. */
export function ablationTable(ablations: ReadonlyArray<Ablation>): string {
  const rows = ablations.map(({ name, levels }) => {
    const all = levels.reduce((product, { ratio }) => product * ratio, 1);
    const cells = levels.map(({ ms, ratio, sameAs }, i) => {
      if (i === 0) return ms.toFixed(2);
      return sameAs === undefined ? `${ms.toFixed(2)} (${ratio.toFixed(3)})` : '=';
    });
    return [name, ...cells, (1 / all).toFixed(2)];
  });
  const header = ['model', 'as it is', 'level 0', 'level 1', 'level 2', 'level 3', 'ratio'];
  return table(header, rows);
}
