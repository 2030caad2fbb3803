import { normalRun } from './normal-run.ts';

normalRun('networks');
