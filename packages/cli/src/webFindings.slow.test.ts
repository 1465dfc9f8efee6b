/** The web interface in a real browser, against a real service with real data. Tests of one topic are in `testing/`. */
import { testCharts } from './testing/webCharts.ts';
import { testFaults } from './testing/webFaults.ts';
import { testInbox } from './testing/webInbox.ts';
import { testNumbers } from './testing/webNumbers.ts';
import { testPlaces } from './testing/webPlaces.ts';
import { testPlans } from './testing/webPlans.ts';
import { testRepairs } from './testing/webRepairs.ts';
import { testReports } from './testing/webReports.ts';
import { describeWeb } from './testing/webTest.ts';
import { testViews } from './testing/webViews.ts';

describeWeb('findings, plans and reports', (running) => {
  testFaults(running);
  testCharts(running);
  testPlaces(running);
  testPlans(running);
  testRepairs(running);
  testNumbers(running);
  testReports(running);
  testViews(running);
  testInbox(running);
});
