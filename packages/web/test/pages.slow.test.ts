/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testDialogs } from './topics/dialogs.ts';
import { testDrawing } from './topics/drawing.ts';
import { testLateAnswers } from './topics/lateAnswers.ts';
import { testPages } from './topics/pages.ts';
import { testViewAs } from './topics/viewAs.ts';

describeWeb('drawings, and every page and dialog', (running) => {
  testDrawing(running);
  testDialogs(running);
  testLateAnswers(running);
  testPages(running);
  testViewAs(running);
});
