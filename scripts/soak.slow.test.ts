import { expect, test } from 'vitest';
import { ATTACKS } from './soak/attacks.ts';
import { runSoak } from './soak/runSoak.ts';

// The short form: every attack has its turn but those with Cypher, which take whole cores and have a test of their own. What
// takes longer to show is in `npm run soak`.
test.skipIf(process.platform !== 'linux')(
  'a client is served beside all attacks at once, and nothing that was accepted is lost',
  async () => {
    const report = await runSoak({
      seconds: 8,
      minRequests: 20,
      only: Object.keys(ATTACKS).filter((name) => !/Cypher|selector/.test(name)),
      log: () => {},
    });
    expect(report.uploads.accepted).toBeGreaterThan(0);
    // The machine of a test may be busy with others, and seconds are too few to tell what stays in memory: how long the client
    // waits, and what grows, is for the long form to judge.
    expect(report.faults.filter((fault) => !/p99|RETURN 1|stay resident|still grows/.test(fault))).toEqual(
      [],
    );
    expect(report.residentMb.after - report.residentMb.before).toBeLessThan(1_000);
    expect(report.p99Ms).toBeLessThan(10_000);
    expect(report.slowestCypherMs).toBeLessThan(30_000);
  },
  240_000,
);
