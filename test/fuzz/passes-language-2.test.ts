import { normalRun } from './normal-run.ts';

normalRun('language', { part: 1, of: 2 });
