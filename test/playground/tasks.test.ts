/** The tasks in the page of one file; `site.long.test.ts` has them in the site. */
import { describeTasks } from './tasks.ts';

describeTasks('file');
