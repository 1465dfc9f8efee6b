/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testLateAnswers } from './topics/lateAnswers.ts';
import { testPages } from './topics/pages.ts';

describeWeb('every page, and late answers', (running) => {
  testLateAnswers(running);
  testPages(running);
});
