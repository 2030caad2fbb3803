/** Whole models on the compiled executor, and on onnxruntime. */
import type { Subject } from '@baton/report';
import { PEERS, type PeerName } from '@baton/workshop';
import { measureModule, optimize, orThrow, runPass } from 'batonjs';
import { type EngineSpec, type Turns, timesInTurn } from './engines.ts';

/** How models are measured. */
export interface ModelChoices {
  readonly isSimd: boolean;
  /** Leaves Winograd's transforms out. */
  readonly isPlain: boolean;
  /** Threads that share the work in a second measurement; 1 leaves it out. */
  readonly threads: number;
  /** The folders from which the packages of onnxruntime are loaded. */
  readonly peers: { readonly [Name in PeerName]?: string };
}

/** The times of another engine. **Units** ms. */
export interface PeerTimes {
  readonly ms: number;
  readonly cpuMs: number;
}

/** A model's figures. **Units** ms. */
export interface ModelTimes {
  readonly name: string;
  /** The median of the runs. */
  readonly ms: number;
  /** The processor's time for a run. */
  readonly cpuMs: number;
  /** From the module as it was imported to the optimized one. */
  readonly optimizeMs: number;
  /** From the optimized module to an executable. */
  readonly prepareMs: number;
  readonly firstMs: number;
  /** Operations of the optimized program in the time of a run. **Units** GFLOP/s. */
  readonly gflops: number;
  readonly arenaBytes: number | undefined;
  readonly lowerBoundBytes: number | undefined;
  /** Reference kernels that run, by their operators. */
  readonly references: ReadonlyArray<string>;
  readonly peers: { readonly [Name in PeerName]?: PeerTimes };
  /** The time on several threads. */
  readonly threads?: { readonly count: number; readonly ms: number };
}

const TURNS: Turns = { count: 5, ms: 400 };

const timesOf = ({ ms, cpuMs }: PeerTimes = { ms: Number.NaN, cpuMs: Number.NaN }): PeerTimes => ({
  ms,
  cpuMs,
});

/** Measures a model: the engines run interleaved, so that all see the same machine. */
export async function measureModel(subject: Subject, choices: ModelChoices): Promise<ModelTimes> {
  const { module, inputs } = orThrow(await subject.load());
  const { isSimd, isPlain, threads } = choices;
  const names = (Object.keys(PEERS) as PeerName[]).filter((name) => choices.peers[name]);
  const alone: EngineSpec = {
    ...({ _tag: 'Baton', level: 3, fusion: 'all' } as const),
    ...{ isSimd, isPlain, threads: 1 },
  };
  const specs: ReadonlyArray<EngineSpec> = [
    alone,
    ...names.map((name): EngineSpec => {
      return { _tag: 'Peer', name: PEERS[name], folder: choices.peers[name] as string };
    }),
    ...(threads > 1 ? [{ ...alone, threads }] : []),
  ];
  const [own, ...others] = await timesInTurn(module, inputs, specs, TURNS);
  if (own === undefined) throw new Error('no engine ran');
  const { optimizeMs, prepareMs, firstMs, facts } = own.ready;
  const { flops } = measureModule(orThrow(runPass(optimize({ level: 3 }))(module)).module);
  return {
    name: subject.name,
    ms: own.ms,
    cpuMs: own.cpuMs,
    optimizeMs,
    prepareMs,
    firstMs,
    gflops: flops / own.ms / 1e6,
    arenaBytes: facts?.arenaBytes,
    lowerBoundBytes: facts?.lowerBoundBytes,
    references: (facts?.kernels ?? []).flatMap((it) => (it.isCompiled ? [] : [it.name])),
    peers: Object.fromEntries(names.map((name, i) => [name, timesOf(others[i])])),
    ...(threads > 1 && { threads: { count: threads, ms: others.at(-1)?.ms ?? Number.NaN } }),
  };
}
