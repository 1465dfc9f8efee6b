/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testCharts } from './topics/charts.ts';
import { testFaults } from './topics/faults.ts';
import { testFindingRows } from './topics/findingRows.ts';
import { testHidden } from './topics/hidden.ts';
import { testInbox } from './topics/inbox.ts';
import { testJourneys } from './topics/journeys.ts';
import { testNumbers } from './topics/numbers.ts';
import { testPlaces } from './topics/places.ts';
import { testPlans } from './topics/plans.ts';
import { testRepairs } from './topics/repairs.ts';
import { testReports } from './topics/reports.ts';
import { testViews } from './topics/views.ts';

describeWeb('findings, plans and reports', (running) => {
  testFaults(running);
  testHidden(running);
  testCharts(running);
  testPlaces(running);
  testPlans(running);
  testFindingRows(running);
  testRepairs(running);
  testNumbers(running);
  testReports(running);
  testViews(running);
  testInbox(running);
  testJourneys(running);
});
