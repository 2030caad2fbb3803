/** The parts that the benchmarks use, too. */
export { begin, Mistake } from './begin.ts';
export { executorNamed } from './executors.ts';
export { installedPeers, PEERS, type PeerName } from './onnxruntime/peers.ts';
