/** Runs of the connector: each finding once, in order, and closed when fixed, after any failure. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorHarness } from '../../test/connectorHarness.ts';
import type { Fault } from '../../test/fakeService.ts';
import { killedAfter } from '../../test/killedAfter.ts';

const HOUR = 3_600_000;
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

describe.each([
  ['with a feed of changes', true],
  ['with an older service', false],
])('%s', (_, hasFeed) => {
  const make = async () => {
    const harness = await ConnectorHarness.make();
    harness.service.hasFeed = hasFeed;
    return harness;
  };

  it('delivers each finding once, and the second run nothing', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    for (let at = 0; at < 3; at++) service.add();
    service.add({ type: 'Kerberoasting', zone: 0, source: undefined, target: 'S-1-5-21-1-2000' });
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 4, delivery: { delivered: 4 } });
    expect([...platform.kinds].sort()).toEqual(['create 1', 'create 2', 'create 3', 'create 4']);
    expect(platform.open.size).toBe(4);
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 0, delivery: { delivered: 0 } });
    expect(platform.alerts).toHaveLength(2);
  });

  it('reports the first rows of the list first, and in each alert the worst first', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    service.add({ severity: 'low' });
    service.add({ severity: 'moderate' });
    service.add({ type: 'T0WriteDACL', severity: 'critical' });
    await harness.run();
    const severities = platform.alerts.map(({ events }) => events.map(({ fields }) => fields.Severity));
    const alerts = [['moderate', 'low'], ['critical']];
    expect(severities).toEqual(hasFeed ? alerts.reverse() : alerts);
  });

  it('names the unread parts, so that missing findings are not taken for safety', async () => {
    await using harness = await make();
    harness.service.notRead = ['certificate-services', 'sessions'];
    expect(await harness.run()).toMatchObject({
      status: 'complete',
      created: 0,
      notRead: ['Not collected from CORP.LOCAL: AD CS, sessions'],
    });
    harness.service.notRead = [];
    expect((await harness.run()).notRead).toEqual([]);
  });

  it('delivers new findings, even with the same time as a delivered one', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const at = service.tick();
    service.add({}, at);
    await harness.run();
    service.add({}, at);
    service.add({ type: 'T0WriteDACL' }, at);
    expect(await harness.run()).toMatchObject({ status: 'complete' });
    // The analysis of an older service is recognized by its time.
    if (!hasFeed) service.tick();
    service.add();
    await harness.run();
    expect(platform.open.size).toBe(4);
    expect([...platform.times.values()].every((times) => times === 1)).toBe(true);
  });

  it('closes fixed findings, and opens them again when they come back', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const [fixed] = [service.add(), service.add()];
    await harness.run();
    service.change(fixed, { status: 'remediated' });
    expect(await harness.run()).toMatchObject({ closed: 1 });
    expect(platform.kinds.at(-1)).toBe('close 1');
    expect(platform.alerts.at(-1)?.events[0]?.fields).toMatchObject({
      Status: 'remediated',
      Change: 'close',
    });
    service.add({ source: fixed.source });
    expect(await harness.run()).toMatchObject({ created: 1, closed: 0 });
    expect(platform.open.size).toBe(2);
  });

  it('delivers findings that another one represents with a mark, or only the others', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const whole = service.add({ type: 'T0WriteDACL' });
    const part = service.add({ partOf: whole });
    await harness.run();
    const fieldsOf = (id: number) =>
      platform.alerts
        .flatMap(({ events }) => events)
        .findLast(({ fields }) => fields.attack_id === String(id))?.fields;
    expect(fieldsOf(part.id)).toMatchObject({ Change: 'create', PartOf: 'T0WriteDACL', PartOfID: whole.id });
    expect(fieldsOf(whole.id)).not.toHaveProperty('PartOf');

    harness.settings = { includeParts: false };
    const later = service.add({ partOf: whole });
    expect(await harness.run()).toMatchObject({ created: 0, closed: 1 });
    expect(fieldsOf(part.id)).toMatchObject({
      Change: 'close',
      StatusReason: `not remediated: finding ${whole.id} of type T0WriteDACL represents it`,
    });
    expect([...platform.open.values()]).toEqual([whole.id]);

    // Both become findings of their own, which the host has closed, or does not know.
    service.change(part, { partOf: undefined });
    service.change(later, { partOf: undefined });
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 1, updated: 1 });
    expect(fieldsOf(part.id)).toMatchObject({ Change: 'reopen' });
    expect([...platform.open.values()].sort()).toEqual([whole.id, part.id, later.id]);
  });

  it.runIf(hasFeed).each([
    ['remediated', 'data', 'remediated'],
    ['deprecated', 'rules', 'deprecated: the rules changed (an update), nothing was repaired'],
    ['orphaned', 'zones', 'orphaned: a zone was edited, nothing was repaired'],
    ['deprecated', 'answers', 'deprecated: someone answered a question about a CA, nothing was repaired'],
    [
      'deprecated',
      'several',
      'deprecated: several of data, rules, zones and answers changed together, it may not be repaired',
    ],
  ] as const)('says why an alert is closed: %s because of %s', async (status, changedBy, reason) => {
    await using harness = await make();
    const { service, platform } = harness;
    const [over] = [service.add(), service.add()];
    await harness.run();
    service.change(over, { status, changedBy });
    expect(await harness.run()).toMatchObject({ closed: 1 });
    expect(platform.alerts.at(-1)?.events[0]?.fields).toMatchObject({ Status: status, StatusReason: reason });
  });

  it('closes the last finding of a type, too, but not when the types could not be read', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const [last] = [service.add({ type: 'T0WriteDACL' }), service.add()];
    await harness.run();
    service.change(last, { status: 'remediated' });
    if (!hasFeed) {
      service.fault = (target) => (target.includes('available-types') ? { status: 500 } : undefined);
      expect(await harness.run()).toMatchObject({ status: 'partial', closed: 0 });
      service.fault = () => undefined;
    }
    expect(await harness.run()).toMatchObject({ status: 'complete', closed: 1 });
    expect(platform.open.size).toBe(1);
  });

  it('closes the last finding of a type although no analysis is newer than that of the run before', async () => {
    await using harness = await make();
    const { service } = harness;
    const [last] = [service.add({ type: 'T0WriteDACL' }), service.add()];
    await harness.run();
    service.change(last, { status: 'remediated' }, hasFeed ? undefined : last.createdAt);
    expect(await harness.run()).toMatchObject({ status: 'complete', closed: 1 });
  });

  it('fails, and says why, when the environments cannot be read', async () => {
    await using harness = await make();
    const { service } = harness;
    service.add();
    service.fault = (target) => (target.includes('available-domains') ? { status: 500 } : undefined);
    const report = await harness.run();
    expect(report).toMatchObject({ status: 'failed', created: 0, delivery: { delivered: 0 } });
    expect(report.faults.join()).toMatch(/environments could not be read/);
    service.fault = () => undefined;
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 1 });
  });

  it('closes findings that were fixed and found again between two runs', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const fixed = service.add();
    await harness.run();
    service.change(fixed, { status: 'remediated' });
    service.add({ source: fixed.source });
    await harness.run();
    expect(platform.kinds.slice(1)).toEqual(['close 1', 'create 2']);
    expect(platform.open.size).toBe(1);
  });

  it('closes accepted findings, and opens them again when the acceptance ends', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const [accepted] = [service.add(), service.add({ accepted: true })];
    expect(await harness.run()).toMatchObject({ created: 1 });
    service.change(accepted, { accepted: true });
    platform.fails = () => new Error('the host is unavailable');
    // The host still has it.
    expect(await harness.run()).toMatchObject({ health: { open: 1, waiting: 1 } });
    platform.fails = undefined;
    harness.later(HOUR);
    expect(await harness.run()).toMatchObject({ health: { open: 0, waiting: 0 } });
    expect(platform.alerts.at(-1)?.events[0]?.fields.StatusReason).toBe('risk accepted until 2027-01-01');
    expect(platform.open.size).toBe(0);
    service.change(accepted, { accepted: false });
    expect(await harness.run()).toMatchObject({ health: { open: 1 } });
    expect(platform.kinds.slice(1)).toEqual(['close 1', 'reopen 1']);
    service.change(accepted, { accepted: true });
    await harness.run();
    service.change(accepted, { status: 'remediated' });
    expect(await harness.run()).toMatchObject({ health: { open: 0 } });
    expect(platform.open.size).toBe(0);
    expect([...platform.times.values()].every((times) => times === 1)).toBe(true);
  });

  it('counts accepted findings as open if the host keeps them', async () => {
    await using harness = await make();
    harness.settings = { includeAccepted: true };
    const accepted = harness.service.add();
    await harness.run();
    harness.service.change(accepted, { accepted: true });
    expect(await harness.run()).toMatchObject({ updated: 1, health: { open: 1 } });
  });

  it('goes on without selected environments that were not collected, and says so', async () => {
    await using harness = await make();
    const { service, messages } = harness;
    service.add();
    service.environments.set('S-1-5-21-2', 'PARTNER.EXAMPLE');
    service.notCollected.add('S-1-5-21-2');
    const fault = 'selectedEnvironments: PARTNER.EXAMPLE is known, but not collected';
    harness.settings = { selectedEnvironments: 'partner.example' };
    await expect(harness.run()).rejects.toThrow(fault);
    harness.settings = { selectedEnvironments: 'PARTNER.EXAMPLE, corp.local' };
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 1 });
    expect(messages).toContain(fault);
    harness.settings = { selectedEnvironments: 'corp.local, NONE.EXAMPLE' };
    await expect(harness.run()).rejects.toThrow('unknown environment none.example');
  });

  it('reports changes that matter, at most once a day unless it gets worse', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const finding = service.add({ severity: 'moderate' });
    await harness.run();
    service.change(finding, { exposure: 0.12 });
    await harness.run();
    expect(platform.kinds).toEqual(['create 1']);
    service.change(finding, { exposure: 0.3 });
    expect(await harness.run()).toMatchObject({ updated: 1, health: { waiting: 1 } });
    service.change(finding, { exposure: 0.5 });
    expect(await harness.run()).toMatchObject({ health: { waiting: 1 } });
    expect(platform.kinds).toEqual(['create 1']);
    harness.later(25 * HOUR);
    await harness.run();
    expect(platform.kinds).toEqual(['create 1', 'update 1']);
    expect(platform.alerts.at(-1)?.events[0]?.fields.ExposurePercentage).toBe(50);
    service.change(finding, { severity: 'critical' });
    await harness.run();
    expect(platform.alerts.at(-1)).toMatchObject({ kind: 'update', severity: 'critical', priority: 100 });
  });

  it('does not report changes that were undone before they were sent', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const finding = service.add({ severity: 'moderate', exposure: 0.1 });
    await harness.run();
    service.change(finding, { exposure: 0.3 });
    expect(await harness.run()).toMatchObject({ updated: 1, health: { waiting: 1 } });
    expect(await harness.run()).toMatchObject({ updated: 0, health: { waiting: 1 } });
    service.change(finding, { exposure: 0.1 });
    expect(await harness.run()).toMatchObject({ updated: 0, health: { waiting: 0 } });
    harness.later(25 * HOUR);
    await harness.run();
    expect(platform.kinds).toEqual(['create 1']);
  });

  it('closes nothing when an environment cannot be seen any more', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    service.environments.set('S-1-5-21-2', 'LAB.LOCAL');
    service.add({ environment: 'S-1-5-21-2' });
    service.add();
    await harness.run();
    service.environments.delete('S-1-5-21-2');
    await harness.run();
    service.environments.set('S-1-5-21-2', 'LAB.LOCAL');
    service.fault = (target) => (target.includes('S-1-5-21-2/') ? { status: 403 } : undefined);
    expect(await harness.run()).toMatchObject({ status: 'partial', closed: 0 });
    expect(platform.open.size).toBe(2);
  });

  it('knows an environment by its id, whatever its name', async () => {
    await using harness = await make();
    harness.service.add();
    await harness.run();
    harness.service.environments.set('S-1-5-21-1', 'RENAMED.LOCAL');
    expect(await harness.run()).toMatchObject({ created: 0, closed: 0 });
  });

  it('distinguishes findings that look the same, also where their sources are hidden', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    const hidden = [service.add({ source: 'HIDDEN' }), service.add({ source: 'HIDDEN' })];
    const alike = [service.add({ source: 'S-1-1' }), service.add({ source: 'S-1-1' })];
    await harness.run();
    service.tick();
    service.change(hidden[0] as never, { exposure: 0.9 });
    harness.later(25 * HOUR);
    await harness.run();
    expect([...platform.kinds].sort()).toEqual(['create 1', 'create 2', 'create 3', 'create 4', 'update 1']);
    for (const finding of [hidden[1], alike[1]]) service.change(finding as never, { status: 'remediated' });
    expect(await harness.run()).toMatchObject({ closed: 2, created: 0 });
    expect([...platform.open.values()].sort()).toEqual([1, 3]);
  });

  it('splits at 500 events, and rates an alert by its worst', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    for (let at = 0; at < 1001; at++) service.add({ severity: at === 700 ? 'critical' : 'low' });
    expect(await harness.run()).toMatchObject({ created: 1001, delivery: { delivered: 1001 } });
    expect(
      platform.alerts.map(({ events, extensions, severity, priority }) => [
        ...[events.length, extensions.BatchNumber, extensions.TotalBatches, extensions.AttackPathCount],
        ...[extensions.TotalAttackPathCount, severity, priority],
      ]),
    ).toEqual([
      [500, 1, 3, 500, 1001, 'low', 40],
      [500, 2, 3, 500, 1001, 'critical', 100],
      [1, 3, 3, 1, 1001, 'low', 40],
    ]);
    expect(platform.alerts[1]?.description).toContain('Part 2 of 3: findings 501 to 1000 of 1001.');
    expect(new Set(platform.alerts.map(({ ticketId }) => ticketId)).size).toBe(3);
  });

  it.each<[string, Fault, 'failed' | 'partial']>([
    ['401', { status: 401 }, 'failed'],
    ['403', { status: 403 }, 'partial'],
    ['404', { status: 404 }, 'partial'],
    ['400', { status: 400 }, 'partial'],
    ['429', { status: 429, headers: { 'retry-after': '3600' } }, 'partial'],
    ['500', { status: 500 }, 'partial'],
    ['a broken connection', 'reset', 'partial'],
    ['half an answer', 'truncated', 'partial'],
  ])('loses nothing to %s in the middle', async (_name, fault, status) => {
    await using harness = await make();
    const { service, platform } = harness;
    for (let at = 0; at < 900; at++) service.add();
    service.add({ type: 'T0WriteDACL' });
    service.fault = (target) => (/details\?.*skip=400/.test(target) ? fault : undefined);
    const report = await harness.run();
    expect(report.status).toBe(status);
    expect(report.faults.length).toBe(1);
    service.fault = () => undefined;
    expect(await harness.run()).toMatchObject({ status: 'complete' });
    expect(platform.open.size).toBe(901);
    expect([...platform.times.values()].every((times) => times === 1)).toBe(true);
  });

  it('goes on with the other types when one cannot be read', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    service.add();
    service.add({ type: 'T0WriteDACL' });
    service.fault = (target) =>
      target.includes('details?finding=T0GenericAll') ? { status: 500 } : undefined;
    expect(await harness.run()).toMatchObject({ status: 'partial', created: 1 });
    service.fault = () => undefined;
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 1 });
    expect(platform.open.size).toBe(2);
  });

  it('keeps items that the host platform does not take for hours', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    service.add();
    platform.fails = () => new Error('connect ECONNREFUSED');
    expect(await harness.run()).toMatchObject({ status: 'partial', created: 1, health: { waiting: 1 } });
    for (let at = 0; at < 5; at++) {
      harness.later(2 * HOUR);
      service.add();
      await harness.run();
    }
    platform.fails = undefined;
    harness.later(2 * HOUR);
    expect(await harness.run()).toMatchObject({ status: 'complete', delivery: { delivered: 6 } });
    expect(platform.open.size).toBe(6);
  });

  it('asks a host platform again after a day at most, whatever pause it asks for', async () => {
    await using harness = await make();
    harness.service.add();
    harness.platform.fails = () => ({ result: 'retry', reason: 'away', afterMs: 1e30 });
    await harness.run();
    harness.platform.fails = undefined;
    harness.later(86_399_000);
    await harness.run();
    expect(harness.platform.kinds).toEqual([]);
    harness.later(1_000);
    await harness.run();
    expect(harness.platform.kinds).toHaveLength(1);
  });

  it('sets aside items that the host platform refuses for good, with the reason', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    service.add();
    platform.fails = () => ({ result: 'rejected', reason: 'field too long' });
    expect(await harness.run()).toMatchObject({
      status: 'partial',
      delivery: { rejected: 1 },
      health: { rejected: 1 },
    });
    expect(await harness.run()).toMatchObject({ status: 'complete', health: { waiting: 0, rejected: 1 } });
  });

  it('stops when its time is over, and goes on in the next run', async () => {
    await using harness = await make();
    const { service, platform } = harness;
    for (const type of ['T0GenericAll', 'T0WriteDACL', 'Kerberoasting']) service.add({ type });
    harness.settings = { runBudget: 10 };
    service.fault = (target) => {
      if (target.includes('/details')) harness.later(6_000);
      return undefined;
    };
    expect((await harness.run()).faults[0]).toMatch(/run time limit reached/);
    await harness.run();
    await harness.run();
    service.fault = () => undefined;
    await harness.run();
    expect(platform.open.size).toBe(3);
  });

  it('loses nothing and doubles nothing when it is killed at any point', async () => {
    // Each run of the story has about two hundred statements; a random one is the last.
    const story = async (harness: ConnectorHarness, step: number): Promise<void> => {
      const { service } = harness;
      if (step === 0) {
        for (let at = 0; at < 4; at++) service.add();
        service.add({ type: 'T0WriteDACL', severity: 'high' });
      } else {
        service.change(service.findings[0] as never, { status: 'remediated' });
        service.change(service.findings[1] as never, { accepted: true });
        service.change(service.findings[2] as never, { severity: 'critical' });
        service.add();
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 200 }),
        async (first, second) => {
          await using harness = await make();
          harness.settings = { maxEventsPerAlert: 2 };
          for (const [step, last] of [first, second].entries()) {
            await story(harness, step);
            await harness
              .run((engine) => killedAfter(engine, last))
              .catch((error) => {
                expect(error.message).toBe('killed');
              });
            harness.later(2 * HOUR);
            await harness.run();
            harness.later(25 * HOUR);
            await harness.run();
          }
          const { findings } = harness.service;
          const expected = findings
            .filter((one) => one.status === undefined && !one.accepted)
            .map(({ id }) => id);
          expect([...harness.platform.open.values()].sort()).toEqual(expected.sort());
          // A repeated event has its old id, by which the platform recognizes it.
          const creations = harness.platform.kinds.filter((kind) => kind.startsWith('create'));
          const ids = new Set(
            harness.platform.alerts.flatMap(({ events }) =>
              events.map(({ item }) => `${item.kind} ${item.eventId}`),
            ),
          );
          expect([...ids].filter((id) => id.startsWith('create'))).toHaveLength(new Set(creations).size);
        },
      ),
      { numRuns: RUNS === 1 ? 4 : 10 * RUNS },
    );
  });
});

describe('the settings of a connector', () => {
  it('refuse names that the service does not have', async () => {
    await using harness = await ConnectorHarness.make();
    harness.service.add();
    for (const [settings, message] of [
      [{ selectedEnvironments: 'corp.local, nowhere' }, 'unknown environment nowhere'],
      [{ selectedFindingTypes: 'T0Nothing' }, 'unknown type t0nothing'],
      [{ selectedZones: 'Tier Two' }, 'unknown zone tier two'],
    ] as const) {
      harness.settings = settings;
      await expect(harness.run()).rejects.toThrow(message);
    }
    harness.settings = {
      selectedEnvironments: ' CORP.local ,',
      selectedFindingTypes: ['title of t0genericall'],
      selectedZones: 'all',
    };
    expect(await harness.run()).toMatchObject({ status: 'complete', created: 1 });
  });

  it('leave out less severe findings until they are requested', async () => {
    await using harness = await ConnectorHarness.make();
    harness.service.add({ severity: 'low' });
    harness.service.add({ severity: 'high' });
    harness.settings = { minimumSeverity: 'moderate' };
    expect(await harness.run()).toMatchObject({ created: 1 });
    harness.settings = {};
    expect(await harness.run()).toMatchObject({ created: 1 });
  });

  it('reset the state once for each time that they say so', async () => {
    await using harness = await ConnectorHarness.make();
    harness.service.add();
    harness.settings = { resetState: 'false' };
    expect(await harness.run()).toMatchObject({ created: 1 });
    expect(await harness.run()).toMatchObject({ created: 0 });
    harness.settings = { resetState: 'true' };
    expect(await harness.run()).toMatchObject({ created: 1 });
    expect(await harness.run()).toMatchObject({ created: 0 });
  });
});

describe('the state', () => {
  it('belongs to one connector at a time, and says when it is damaged', async () => {
    await using harness = await ConnectorHarness.make();
    harness.service.add();
    await harness.run();
    const { openFile } = await import('../state/sqlEngine.ts');
    const first = openFile(harness.file);
    expect(() => openFile(harness.file)).toThrow('another connector uses the state');
    await first.close();
    const beside = openFile(harness.file);
    const { ConnectorState } = await import('../state/connectorState.ts');
    const looking = ConnectorState.look(openFile(harness.file, { readOnly: true }));
    expect(await looking.health({ includeAccepted: false })).toMatchObject({ open: 1, waiting: 0 });
    await looking.close();
    await beside.close();
    const bytes = await readFile(harness.file);
    bytes.fill(0x55, 0, 4096);
    const { writeFile } = await import('node:fs/promises');
    await writeFile(harness.file, bytes);
    await expect(harness.run()).rejects.toThrow(/damaged/);
  });
});
