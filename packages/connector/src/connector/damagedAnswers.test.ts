/**
 * Runs of the connector while answers of the service fail or are damaged: no finding is closed by mistake, and later runs catch
 * up.
 */
import { describe, expect, it } from 'vitest';
import { ConnectorHarness } from '../../test/connectorHarness.ts';

const HOUR = 3_600_000;

describe('a text of a finding type', () => {
  it.each([403, 404, 429, 500])(
    'that fails with %i makes the run partial, and is corrected in the platform later',
    async (status) => {
      await using harness = await ConnectorHarness.make();
      const { service, platform } = harness;
      service.add();
      service.fault = (target) => (target.includes('long_remediation') ? { status } : undefined);
      const first = await harness.run();
      expect(first).toMatchObject({ status: 'partial', created: 1, delivery: { delivered: 1 } });
      expect(first.faults.join()).toMatch(/long_remediation of .* could not be read.*next run/);
      // Requested again in each run, reported once it exists, and not again.
      expect(await harness.run()).toMatchObject({ status: 'partial', delivery: { delivered: 0 } });
      service.fault = () => undefined;
      expect(await harness.run()).toMatchObject({
        status: 'complete',
        updated: 1,
        delivery: { delivered: 1 },
      });
      expect(platform.kinds.at(-1)).toBe('update 1');
      expect(await harness.run()).toMatchObject({
        status: 'complete',
        updated: 0,
        delivery: { delivered: 0 },
      });
    },
  );

  it('that is refused with 401 stops the run', async () => {
    await using harness = await ConnectorHarness.make();
    const { service } = harness;
    service.add();
    service.fault = (target) => (target.includes('title') ? { status: 401 } : undefined);
    const report = await harness.run();
    expect(report).toMatchObject({ status: 'failed', created: 0, delivery: { delivered: 0 } });
    expect(report.faults.join()).toMatch(/new token/);
  });
});

describe('answers that are damaged', () => {
  it('a place of the feed that the service refuses is followed by a look at everything', async () => {
    await using harness = await ConnectorHarness.make();
    const { service, platform } = harness;
    const [fixed] = [service.add(), service.add()];
    service.mangle = (target, answer) => {
      if (target.startsWith('/api/v2/changes')) answer.next = 'nowhere';
    };
    await harness.run();
    service.mangle = undefined;
    service.change(fixed, { status: 'remediated' });
    service.add();
    expect(await harness.run()).toMatchObject({ status: 'partial', closed: 1, created: 1 });
    expect(platform.open.size).toBe(2);
    service.add();
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 1, closed: 0 });
  });

  it.each([null, '', 5, 'x'.repeat(501), 'a\nb', undefined])(
    'a next that is %j is not kept',
    async (next) => {
      await using harness = await ConnectorHarness.make();
      const { service, platform } = harness;
      service.add();
      await harness.run();
      service.mangle = (target, answer) => {
        if (target.startsWith('/api/v2/changes')) answer.next = next;
      };
      service.add();
      expect(await harness.run()).toMatchObject({ status: 'partial', created: 1 });
      service.mangle = undefined;
      service.add();
      expect(await harness.run()).toMatchObject({ status: 'complete', created: 1, closed: 0 });
      expect(platform.open.size).toBe(3);
    },
  );

  it.each([true, false])('an unreadable record closes nothing of its type (feed: %s)', async (hasFeed) => {
    await using harness = await ConnectorHarness.make();
    const { service, platform } = harness;
    service.hasFeed = hasFeed;
    const [fixed] = [service.add(), service.add(), service.add()];
    await harness.run();
    service.tick();
    service.change(service.findings[1] as never, { severity: 'high' });
    service.mangle = (target, answer) => {
      if (!target.includes('/details')) return;
      const record = (answer.data as Record<string, unknown>[]).at(-1);
      if (record !== undefined) record.ToPrincipal = 7;
    };
    service.change(service.findings[2] as never, { severity: 'high' });
    const damaged = await harness.run();
    expect(damaged).toMatchObject({ status: 'partial', closed: 0 });
    expect(damaged.faults.join()).toMatch(/none of its findings is closed/);
    service.mangle = undefined;
    service.change(fixed, { status: 'remediated' });
    expect(await harness.run()).toMatchObject({ status: 'complete', closed: 1 });
    expect(platform.open.size).toBe(2);
  });

  it('a complete look opens findings again that were closed by mistake', async () => {
    await using harness = await ConnectorHarness.make();
    const { service, platform } = harness;
    const [wronged] = [service.add(), service.add()];
    await harness.run();
    service.mangle = (target, answer) => {
      if (!target.startsWith('/api/v2/changes')) return;
      for (const { finding } of answer.data as { finding: { status: string } }[])
        finding.status = 'remediated';
    };
    service.change(wronged, { exposure: 0.11 });
    expect(await harness.run()).toMatchObject({ closed: 1 });
    service.mangle = undefined;
    harness.later(25 * HOUR);
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 0, updated: 1 });
    expect(platform.kinds.at(-1)).toBe(`reopen ${wronged.id}`);
    expect(platform.open.size).toBe(2);
    expect([...platform.times.values()].every((times) => times === 1)).toBe(true);
  });

  it('whatever one value of each answer becomes, runs end, close nothing, and recover', async () => {
    const values = [null, undefined, [], {}, 'x', -1, true];
    for (let seed = 1; seed <= 30; seed++) {
      await using harness = await ConnectorHarness.make();
      const { service, platform } = harness;
      service.hasFeed = seed % 3 !== 0;
      for (let at = 0; at < 4; at++) service.add();
      await harness.run();
      let dice = seed;
      const roll = (most: number): number => {
        dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((dice / 2_147_483_648) * most);
      };
      service.mangle = (_, answer) => {
        const places: [Record<string, unknown>, string][] = [];
        const walk = (value: unknown): void => {
          if (typeof value !== 'object' || value === null) return;
          for (const name of Object.keys(value)) {
            places.push([value as Record<string, unknown>, name]);
            walk((value as Record<string, unknown>)[name]);
          }
        };
        walk(answer);
        const place = places[roll(places.length)];
        if (place !== undefined) place[0][place[1]] = values[roll(values.length)];
      };
      for (let round = 0; round < 3; round++) {
        service.change(service.findings[round] as never, { severity: 'high' });
        harness.later(HOUR);
        const { closed } = await harness.run();
        expect([seed, closed]).toEqual([seed, 0]);
      }
      service.mangle = undefined;
      harness.later(25 * HOUR);
      await harness.run();
      expect([seed, (await harness.run()).status]).toEqual([seed, 'complete']);
      expect([seed, platform.open.size]).toEqual([seed, 4]);
    }
  });
});
