/** The web interface in a real browser, against a real service with real data. Tests by topic are in `topics/`. */

import { describeWeb } from './describeWeb.ts';
import { testSignIn } from './topics/signIn.ts';

describeWeb('signing in', (running) => testSignIn(running));
