/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testDialogs } from './topics/dialogs.ts';

describeWeb('every dialog', (running) => {
  testDialogs(running);
});
