/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testJourneys } from './topics/journeys.ts';
import { testPlans } from './topics/plans.ts';
import { testRepairs } from './topics/repairs.ts';
import { testReports } from './topics/reports.ts';

describeWeb('plans, repairs and reports', (running) => {
  testPlans(running);
  testRepairs(running);
  testReports(running);
  testJourneys(running);
});
