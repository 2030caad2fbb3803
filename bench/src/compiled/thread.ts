/** A thread of a compiled program: it serves until the process ends. */
import { workerData } from 'node:worker_threads';
import { serveThread } from '@baton/wasm';

serveThread(workerData);
