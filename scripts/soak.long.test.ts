import { expect, test } from 'vitest';
import { ATTACKS } from './soak/attacks.ts';
import { runSoak } from './soak/runSoak.ts';

// The short form: every attack runs except those with Cypher, which use complete cores and have a separate test. `npm run soak` tests
// effects that take longer.
test.skipIf(process.platform !== 'linux')(
  'a client is served during all attacks at once, and no accepted data is lost',
  async () => {
    const report = await runSoak({
      seconds: 8,
      minRequests: 20,
      only: Object.keys(ATTACKS).filter((name) => !/Cypher|selector/.test(name)),
      log: () => {},
    });
    expect(report.uploads.accepted).toBeGreaterThan(0);
    // The machine of a test may be busy, and seconds are too few to see growth of memory: the long form judges the waits of the client, and
    // growth.
    expect(report.faults.filter((fault) => !/p99|RETURN 1|stay resident|still grows/.test(fault))).toEqual(
      [],
    );
    expect(report.residentMb.after - report.residentMb.before).toBeLessThan(1_000);
    expect(report.p99Ms).toBeLessThan(10_000);
    expect(report.slowestCypherMs).toBeLessThan(30_000);
  },
  240_000,
);
