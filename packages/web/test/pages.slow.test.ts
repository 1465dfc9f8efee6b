/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testDialogs } from './topics/dialogs.ts';
import { testDrawing } from './topics/drawing.ts';
import { testExplore } from './topics/explore.ts';
import { testExtend } from './topics/extend.ts';
import { testLateAnswers } from './topics/lateAnswers.ts';
import { testPages } from './topics/pages.ts';
import { testPoints } from './topics/points.ts';
import { testViewAs } from './topics/viewAs.ts';

describeWeb('Explore, and every page and dialog', (running) => {
  testExtend(running);
  testExplore(running);
  testDrawing(running);
  testPoints(running);
  testDialogs(running);
  testLateAnswers(running);
  testPages(running);
  testViewAs(running);
});
