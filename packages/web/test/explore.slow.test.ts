/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testExplore } from './topics/explore.ts';
import { testPoints } from './topics/points.ts';

describeWeb(
  'Explore',
  (running) => {
    testExplore(running);
    testPoints(running);
  },
  // Most of these tests analyze again, and none needs a plan.
  { makesPlans: false },
);
