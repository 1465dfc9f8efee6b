/** The web interface in a real browser, against a real service with real data. Tests of one topic are in `testing/`. */
import { testDialogs } from './testing/webDialogs.ts';
import { testExtend } from './testing/webExtend.ts';
import { testPages } from './testing/webPages.ts';
import { describeWeb } from './testing/webTest.ts';

describeWeb('every page and dialog', (running) => {
  testExtend(running);
  testDialogs(running);
  testPages(running);
});
