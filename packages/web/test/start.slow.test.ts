/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testEmpty } from './topics/empty.ts';
import { testFirstSteps, testRestart } from './topics/firstSteps.ts';

describeWeb(
  'first steps',
  (running) => {
    // Runs before the first upload.
    testEmpty(running);
    testFirstSteps(running);
    testRestart(running);
  },
  { isEmpty: true },
);
