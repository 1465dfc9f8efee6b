/** Tests at length of topics of the slow tests. */

import { describeWeb } from './describeWeb.ts';
import { testDrawingAtLength } from './topics/drawing.ts';
import { testFaultsAtLength } from './topics/faults.ts';
import { testFindingRowsAtLength } from './topics/findingRows.ts';
import { testJourneyToColleague } from './topics/journeys.ts';
import { testPlansAtLength } from './topics/plans.ts';
import { testViewsAtLength } from './topics/views.ts';

describeWeb('findings, plans and drawings, at length', (running) => {
  testDrawingAtLength(running);
  testFaultsAtLength(running);
  testPlansAtLength(running);
  testFindingRowsAtLength(running);
  testViewsAtLength(running);
  testJourneyToColleague(running);
});
