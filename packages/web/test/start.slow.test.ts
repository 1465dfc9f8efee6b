/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testEmpty } from './topics/empty.ts';
import { testFirstSteps, testRestart } from './topics/firstSteps.ts';
import { testSignIn } from './topics/signIn.ts';

describeWeb(
  'first steps and signing in',
  (running) => {
    // Runs before the first upload.
    testEmpty(running);
    testFirstSteps(running);
    testSignIn(running);
    testRestart(running);
  },
  { isEmpty: true },
);
