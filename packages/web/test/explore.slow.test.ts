/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testDrawing } from './topics/drawing.ts';
import { testExplore } from './topics/explore.ts';
import { testPoints } from './topics/points.ts';

describeWeb('Explore', (running) => {
  testExplore(running);
  testDrawing(running);
  testPoints(running);
});
