import { normalRun } from './normal-run.ts';

normalRun('language', { part: 0, of: 2 });
