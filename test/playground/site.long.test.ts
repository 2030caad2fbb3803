/** The tasks in the site. */
import { describeTasks } from './tasks.ts';

describeTasks('site');
