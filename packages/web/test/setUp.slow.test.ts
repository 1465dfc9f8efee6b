/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testExtend } from './topics/extend.ts';
import { testSetUp } from './topics/setUp.ts';

describeWeb(
  'administration, checks and extensions',
  (running) => {
    testSetUp(running);
    testExtend(running);
  },
  // Most of these tests analyze again, and none needs a plan.
  { makesPlans: false },
);
