/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testCharts } from './topics/charts.ts';
import { testFindingRows } from './topics/findingRows.ts';
import { testNumbers } from './topics/numbers.ts';
import { testPlaces } from './topics/places.ts';

describeWeb('findings and their numbers', (running) => {
  testFindingRows(running);
  testNumbers(running);
  testPlaces(running);
  testCharts(running);
});
