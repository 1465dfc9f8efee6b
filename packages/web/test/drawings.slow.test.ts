/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testDrawing } from './topics/drawing.ts';
import { testViewAs } from './topics/viewAs.ts';

describeWeb('drawings, and pages as another user', (running) => {
  testDrawing(running);
  testViewAs(running);
});
