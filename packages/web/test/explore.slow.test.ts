/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testExplore } from './topics/explore.ts';
import { testExtend } from './topics/extend.ts';
import { testPoints } from './topics/points.ts';
import { testSetUp } from './topics/setUp.ts';

describeWeb(
  'administration, checks, extensions and Explore',
  (running) => {
    testSetUp(running);
    testExtend(running);
    testExplore(running);
    testPoints(running);
  },
  // Most of these tests analyze again, and none needs a plan.
  { makesPlans: false },
);
