/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testFaults } from './topics/faults.ts';
import { testHidden } from './topics/hidden.ts';
import { testInbox } from './topics/inbox.ts';
import { testViews } from './topics/views.ts';

describeWeb('faults, hidden environments, views and the inbox', (running) => {
  testFaults(running);
  testHidden(running);
  testViews(running);
  testInbox(running);
});
