/** The web interface in a real browser, against a real service with real data. Tests of one topic are in `testing/`. */
import { testFirstSteps, testRestart } from './testing/webFirstSteps.ts';
import { testSetUp } from './testing/webSetUp.ts';
import { testSignIn } from './testing/webSignIn.ts';
import { describeWeb } from './testing/webTest.ts';

describeWeb(
  'first steps and administration',
  (running) => {
    testFirstSteps(running);
    testSetUp(running);
    testSignIn(running);
    testRestart(running);
  },
  { isEmpty: true },
);
