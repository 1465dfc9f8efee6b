/** The questions of a new user, asked about the organization of the demo, and about a forest of 20,000 objects. */
import { describeWeb } from './describeWeb.ts';
import { loadDemo, loadLarge } from './organizations.ts';
import { testWhoCanReach } from './topics/explore.ts';
import { testJourneys, testJourneyToColleague } from './topics/journeys.ts';

for (const [about, load] of [
  ['the demo', loadDemo],
  ['20,000 objects', loadLarge],
] as const)
  describeWeb(
    `questions of a new user, about ${about}`,
    (running) => {
      testWhoCanReach(running);
      testJourneyToColleague(running);
      testJourneys(running);
    },
    { load },
  );
