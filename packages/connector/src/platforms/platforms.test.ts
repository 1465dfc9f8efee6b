/** Host platforms against receivers that enforce their public documentation. */
import { createHmac, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAlert } from '../../test/alerts.ts';
import { Receiver } from '../../test/receiver.ts';
import { soarAlert } from './googleSecOps.ts';
import { openPlatform } from './index.ts';
import type { PlatformSettings } from './settings.ts';
import { cefMessage, syslogMessage } from './syslog.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-platform-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const results = (outcomes: readonly { readonly result: string }[]) => [
  ...new Set(outcomes.map(({ result }) => result)),
];

describe('fields of an alert', () => {
  it('are those that mapping rules of platforms read', () => {
    const alert = testAlert(3);
    expect(alert).toMatchObject({
      displayId: 'Clew:b6d5f0de-0000-5000-8000-000000000000',
      ticketId: 'clew.example:S-1-5-21-1:1:T0GenericAll:b6d5f0de-0000-5000-8000-000000000000',
      name: 'GenericAll on Tier Zero in CORP.LOCAL',
      sourceDomain: 'CORP.LOCAL',
      severity: 'critical',
      priority: 100,
      startTime: Date.parse('2026-01-01T00:00:00.123Z'),
      endTime: Date.parse('2026-01-02T00:00:00.123Z'),
      tags: ['GenericAll on Tier Zero', 'CORP.LOCAL', 'Tier Zero'],
    });
    expect(Object.keys(alert.extensions)).toEqual([
      ...['DomainName', 'PathTitle', 'AttackPathCount', 'TotalAttackPathCount', 'CaseId', 'ShortRemediation'],
      ...['LongRemediation', 'Description', 'FindingType', 'SeverityReason', 'ZoneName', 'AssetGroupTagId'],
      ...['EnvironmentId', 'SchemaVersion'],
    ]);
    // The reason of the most severe finding, not of the last one.
    expect(alert.extensions.SeverityReason).toBe(
      'critical: 100 of 184 users and computers outside the zone can exploit it; the step itself takes one action',
    );
    expect(alert.events[1]?.fields).toEqual({
      StartTime: alert.startTime,
      EndTime: alert.endTime,
      name: 'Attack Path 2',
      object_ids: 'S-1-5-21-1-1001, S-1-5-21-1-2000',
      object_names: 'USER1@CORP.LOCAL, DC1.CORP.LOCAL',
      device_product: 'Clew Attack Paths',
      attack_id: '2',
      domain: 'CORP.LOCAL',
      base_url: 'https://clew.example',
      RemediationURL: 'https://clew.example/ui/remediation?findingType=T0GenericAll',
      path_title: 'GenericAll on Tier Zero',
      finding_type: 'T0GenericAll',
      details: '',
      DomainSID: 'S-1-5-21-1',
      ImpactPercentage: 99,
      ExposurePercentage: 54.32,
      ImpactCount: 200,
      ExposureCount: 100,
      Severity: 'low',
      SeverityReason:
        'low: 100 of 184 users and computers outside the zone can exploit it; the step itself takes one action',
      AcceptedUntil: '0001-01-01T00:00:00Z',
      Accepted: false,
      'Created at': '2026-01-01T00:00:00.123456Z',
      'Updated at': '2026-01-02T00:00:00.123456Z',
      ShortRemediation: 'Take it away.',
      LongRemediation: '# Steps\n\n1. Take it away.',
      ShortDescription: 'Somebody has full control.',
      'Impacted Principal': 'S-1-5-21-1-2000',
      'Impacted Principal Kind': 'Computer',
      'Impacted Principal Name': 'DC1.CORP.LOCAL',
      'Impacted Principal Environment': 'CORP.LOCAL',
      'Impacted Principal Object Id': 'S-1-5-21-1-2000',
      'Non Tier Zero Principal': 'S-1-5-21-1-1001',
      'Non Tier Zero Principal Kind': 'User',
      'Non Tier Zero Principal Name': 'USER1@CORP.LOCAL',
      'Non Tier Zero Principal Environment': 'CORP.LOCAL',
      'Non Tier Zero Principal Object Id': 'S-1-5-21-1-1001',
      EventId: expect.stringMatching(/^[0-9a-f-]{14}5[0-9a-f-]{21}$/),
      FindingKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      ZoneName: 'Tier Zero',
      Status: 'active',
      StatusReason: 'found',
      Change: 'create',
    });
  });
});

describe('jsonl', () => {
  it('writes each event once, also after a crash in the middle of a line', async () => {
    const settings = { type: 'jsonl', directory } as const;
    const path = join(directory, 'findings.jsonl');
    const alert = testAlert(3);
    expect(results(await openPlatform(settings).deliver(alert))).toEqual(['delivered']);
    const whole = await readFile(path);
    await truncate(path, whole.length - 10);
    expect((await openPlatform(settings).deliver(alert)).map(({ result }) => result)).toEqual([
      'duplicate',
      'duplicate',
      'delivered',
    ]);
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ EventId: alert.events[2]?.item.eventId });
  });

  it('begins a new file when one is full', async () => {
    const platform = openPlatform({ type: 'jsonl', directory, maxFileBytes: 1024 });
    for (const count of [1, 2, 3]) await platform.deliver(testAlert(count));
    expect((await readdir(directory)).length).toBeGreaterThan(1);
  });

  it('writes findings of the open schema', async () => {
    await openPlatform({ type: 'jsonl', directory, format: 'ocsf' }).deliver(testAlert(1, { kind: 'close' }));
    expect(JSON.parse(await readFile(join(directory, 'findings.jsonl'), 'utf8'))).toMatchObject({
      ...{
        activity_id: 3,
        category_uid: 2,
        class_uid: 2004,
        type_uid: 200_403,
        severity_id: 5,
        status_id: 4,
      },
      time: Date.parse('2026-01-02T00:00:00.123Z'),
      metadata: { version: '1.3.0', product: { vendor_name: 'Clew' } },
      finding_info: { uid: expect.any(String), title: 'GenericAll on Tier Zero', types: ['T0GenericAll'] },
      resources: [{ labels: ['source'] }, { uid: 'S-1-5-21-1-2000', labels: ['target'] }],
    });
  });
});

describe('webhook', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

  it('signs as the standard demands, below 20 kB', async () => {
    await using receiver = await Receiver.start(({ body, headers }) => {
      const { 'webhook-id': id, 'webhook-timestamp': at } = headers;
      const expected = createHmac('sha256', '0123456789abcdef0123456789abcdef').update(`${id}.${at}.${body}`);
      expect(headers['webhook-signature']).toBe(`v1,${expected.digest('base64')}`);
      expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60);
      return { status: body.length > 20_000 ? 413 : 204 };
    });
    const platform = openPlatform({ type: 'webhook', url: `${receiver.url}/hook`, secret });
    await platform.test();
    const alert = testAlert(3, { size: 30_000 });
    expect(results(await platform.deliver(alert))).toEqual(['delivered']);
    expect(receiver.requests.slice(1).map(({ headers }) => headers['webhook-id'])).toEqual(
      alert.events.map(({ item }) => item.eventId),
    );
    expect(JSON.parse(receiver.requests[1]?.body ?? '')).toMatchObject({
      type: 'finding.created',
      data: { finding_type: 'T0GenericAll', details: '' },
    });
    await platform.close();
  });

  it('asks a receiver that is away once, follows no redirection, and refuses a secret that is too short', async () => {
    let status = 503;
    await using receiver = await Receiver.start(() => ({
      status,
      headers: { 'retry-after': '120', location: '/' },
    }));
    const platform = openPlatform({ type: 'webhook', url: receiver.url, secret });
    expect((await platform.deliver(testAlert(5)))[4]).toMatchObject({ result: 'retry', afterMs: 120_000 });
    expect(receiver.requests).toHaveLength(1);
    status = 302;
    expect(results(await platform.deliver(testAlert(2)))).toEqual(['retry']);
    status = 422;
    expect(results(await platform.deliver(testAlert(2)))).toEqual(['rejected']);
    expect(() => openPlatform({ type: 'webhook', url: receiver.url, secret: 'whsec_YWJj' })).toThrow(
      /24 to 64/,
    );
    await platform.close();
  });
});

describe('an alert of several calls', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccount = JSON.stringify({
    client_email: 'clew@example.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  /**
   * The number of calls before the first with events, the number of events per call, and settings for the address of the
   * receiver.
   */
  const PLATFORMS: readonly [PlatformSettings['type'], number, number, (url: string) => PlatformSettings][] =
    [
      ['webhook', 0, 3, (url) => ({ type: 'webhook', url, secret })],
      ['splunk-hec', 0, 100, (url) => ({ type: 'splunk-hec', url, token: 't' })],
      ['thehive', 0, 3, (url) => ({ type: 'thehive', url, apiKey: 'k' })],
      [
        'sentinel',
        1,
        2000,
        (url) => ({
          ...{ type: 'sentinel', endpoint: url, loginUrl: url, tenantId: 't', clientId: 'c' },
          ...{ clientSecret: 's', ruleId: 'r', stream: 'x' },
        }),
      ],
      [
        'google-secops',
        1,
        2000,
        (url) => ({ type: 'google-secops', udm: { url, serviceAccount, tokenUrl: url } }),
      ],
    ];

  it.each(PLATFORMS)('is tried again from where it failed: %s', async (_, before, events, settingsOf) => {
    let calls = 0;
    await using receiver = await Receiver.start(() => {
      calls++;
      // The second call with events breaks off, so its outcome is unknown.
      if (calls === before + 2) return { status: 0 };
      return { status: 200, body: { _id: '~1', access_token: 'a', expires_in: 3600 } };
    });
    const platform = openPlatform(settingsOf(receiver.url));
    const alert = testAlert(events, { size: 30_000 });
    const found = (await platform.deliver(alert)).map(({ result }) => result);
    expect(found).toHaveLength(events);
    const delivered = found.filter((result) => result === 'delivered').length;
    expect(delivered).toBeGreaterThan(0);
    expect(found.slice(delivered)).toEqual(Array(events - delivered).fill('retry'));
    // Nothing is sent after the failed call.
    expect(calls).toBe(before + 2);
    await platform.close();
  });

  it.each(PLATFORMS)('does not trust the shape of answers: %s', async (_, before, _events, settingsOf) => {
    for (const body of ['null', '[]', '<html>', '{"access_token":7}', '{"_id":[]}']) {
      let calls = 0;
      await using receiver = await Receiver.start(() =>
        ++calls <= before
          ? { status: 200, body: { access_token: 'a', expires_in: 'soon' } }
          : { status: 200, body },
      );
      const platform = openPlatform(settingsOf(receiver.url));
      expect([body, results(await platform.deliver(testAlert(2)))]).toEqual([body, ['delivered']]);
      await platform.close();
    }
  });

  it('is not sent while this program ends, and waits for nothing then', async () => {
    const ending = new AbortController();
    await using receiver = await Receiver.start(() => {
      ending.abort(new Error('ending'));
      return { status: 200 };
    });
    const platform = openPlatform({ type: 'webhook', url: receiver.url, secret });
    const outcomes = await platform.deliver(testAlert(3), ending.signal);
    expect(outcomes.slice(1)).toEqual(Array(2).fill({ result: 'retry', reason: 'ending', afterMs: 0 }));
    expect(receiver.requests).toHaveLength(1);
    await platform.close();
  });
});

describe('splunk-hec', () => {
  it('sends events one after the other, in bodies of at most 1 MB, with its token', async () => {
    await using receiver = await Receiver.start(({ headers, body, path }) => {
      if (headers.authorization !== 'Splunk secret')
        return { status: 403, body: { text: 'Invalid token', code: 4 } };
      if (path === '/services/collector/health') return { status: 200 };
      if (path !== '/services/collector/event' || body.startsWith('['))
        return { status: 400, body: { code: 6 } };
      return { status: Buffer.byteLength(body) > 1_000_000 ? 413 : 200, body: { text: 'Success', code: 0 } };
    });
    const settings = { type: 'splunk-hec', url: receiver.url, token: 'secret', index: 'identity' } as const;
    const platform = openPlatform(settings);
    await platform.test();
    expect(results(await platform.deliver(testAlert(100, { size: 30_000 })))).toEqual(['delivered']);
    const bodies = receiver.requests.slice(1);
    expect(bodies.length).toBeGreaterThan(2);
    expect(JSON.parse(bodies[0]?.body.split('\n')[0] ?? '')).toMatchObject({
      time: Date.parse('2026-01-02T00:00:00.123Z') / 1000,
      sourcetype: 'attackpath:finding',
      index: 'identity',
      event: { finding_type: 'T0GenericAll' },
      fields: { severity: 'critical', event_id: expect.any(String) },
    });
    await platform.close();
    const wrong = openPlatform({ ...settings, token: 'wrong' });
    expect((await wrong.deliver(testAlert(1)))[0]).toMatchObject({
      result: 'retry',
      reason: expect.stringContaining('Invalid token'),
    });
    await expect(wrong.test()).rejects.toThrow('403');
    await wrong.close();
  });

  it('counts events that the indexer acknowledged as delivered', async () => {
    let asked = 0;
    await using receiver = await Receiver.start(({ path, headers, body }) => {
      if (headers['x-splunk-request-channel'] === undefined) return { status: 400, body: { code: 10 } };
      if (path === '/services/collector/event') return { status: 200, body: { code: 0, ackId: 7 } };
      expect(JSON.parse(body)).toEqual({ acks: [7] });
      return { status: 200, body: { acks: { 7: ++asked > 1 } } };
    });
    const settings = { type: 'splunk-hec', url: receiver.url, token: 't', acknowledge: true } as const;
    const platform = openPlatform(settings);
    expect(results(await platform.deliver(testAlert(2)))).toEqual(['delivered']);
    expect(asked).toBe(2);
    asked = -100;
    const hasty = openPlatform({ ...settings, acknowledgeTimeout: 0.1 });
    expect(results(await hasty.deliver(testAlert(2)))).toEqual(['retry']);
    await Promise.all([platform.close(), hasty.close()]);
  });
});

describe('sentinel', () => {
  it('sends rows with a token of the tenant, in calls of at most 1 MB and fields of at most 64 KB', async () => {
    let valid = 'first';
    await using receiver = await Receiver.start(({ path, headers, body }) => {
      if (path === '/tenant/oauth2/v2.0/token') {
        const form = new URLSearchParams(body);
        const isRight =
          form.get('client_secret') === 'hush' && form.get('scope') === 'https://monitor.azure.com/.default';
        return isRight
          ? { status: 200, body: { access_token: valid, expires_in: 3600 } }
          : { status: 401, body: {} };
      }
      if (headers.authorization !== `Bearer ${valid}`) return { status: 401 };
      expect(path).toBe('/dataCollectionRules/dcr-1/streams/Custom-Paths_CL?api-version=2023-01-01');
      expect(headers['content-encoding']).toBe('gzip');
      const rows = JSON.parse(body) as Record<string, unknown>[];
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_000_000);
      for (const row of rows) {
        expect(row.TimeGenerated).toBeDefined();
        for (const value of Object.values(row))
          expect(Buffer.byteLength(String(value))).toBeLessThanOrEqual(64_000);
      }
      return { status: 204 };
    });
    const platform = openPlatform({
      ...{ type: 'sentinel', endpoint: receiver.url, loginUrl: receiver.url, ruleId: 'dcr-1' },
      ...{ stream: 'Custom-Paths_CL', tenantId: 'tenant', clientId: 'app', clientSecret: 'hush' },
    } as const);
    await platform.test();
    const first = testAlert(500);
    expect(results(await platform.deliver(first))).toEqual(['delivered']);
    const [, row] = JSON.parse(receiver.requests.at(-1)?.body ?? '') as Record<string, unknown>[];
    expect(row).toMatchObject({
      ...{ NonTierZeroPrincipal: 'S-1-5-21-1-1001', NonTierZeroPrincipalName: 'USER1@CORP.LOCAL' },
      ...{ NonTierZeroPrincipalKind: 'User', ImpactedPrincipalKind: 'Computer', Severity: 'low' },
    });
    const long = testAlert(40);
    const texts = { ...long.texts, longRemediation: 'é'.repeat(70_000) };
    const callsBefore = receiver.requests.length;
    expect(await platform.deliver({ ...long, texts })).toHaveLength(40);
    const calls = receiver.requests.slice(callsBefore);
    // Forty fields of 64 KB need at least three calls, and all but the last are full.
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const { body } of calls.slice(0, -1)) expect(Buffer.byteLength(body)).toBeGreaterThan(930_000);
    expect(calls.flatMap(({ body }) => JSON.parse(body))).toHaveLength(40);
    // The next attempt requests a new token for a revoked one.
    valid = 'second';
    expect(results(await platform.deliver(testAlert(1)))).toEqual(['retry']);
    expect(results(await platform.deliver(testAlert(1)))).toEqual(['delivered']);
    await platform.close();
  });
});

describe('google-secops', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccount = JSON.stringify({
    client_email: 'clew@project.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });

  it('finds the one event for which a batch was refused', async () => {
    await using receiver = await Receiver.start(({ path, headers, body }) => {
      if (path === '/token') {
        const assertion = new URLSearchParams(body).get('assertion') ?? '';
        const [head, claims, signature = ''] = assertion.split('.');
        const isSigned = createVerify('RSA-SHA256')
          .update(`${head}.${claims}`)
          .verify(publicKey, signature, 'base64url');
        return isSigned
          ? { status: 200, body: { access_token: 'token', expires_in: 3600 } }
          : { status: 400 };
      }
      if (headers.authorization !== 'Bearer token' || path !== '/v1alpha/instances/i/events:import')
        return { status: 401 };
      const { inlineSource } = JSON.parse(body) as {
        inlineSource: { events: { udm: { metadata: Record<string, string>; principal: object } }[] };
      };
      for (const { udm } of inlineSource.events)
        for (const name of ['event_timestamp', 'event_type', 'vendor_name', 'product_name', 'product_log_id'])
          expect(udm.metadata[name]).toBeTruthy();
      return { status: body.includes('USER5@') ? 400 : 200, body: {} };
    });
    const platform = openPlatform({
      type: 'google-secops',
      udm: { url: `${receiver.url}/v1alpha/instances/i`, serviceAccount, tokenUrl: `${receiver.url}/token` },
    });
    await platform.test();
    const outcomes = await platform.deliver(testAlert(20));
    expect(outcomes.map(({ result }) => result)).toEqual(
      Array.from({ length: 20 }, (_, at) => (at === 5 ? 'rejected' : 'delivered')),
    );
    await platform.close();
  });

  it('sends alerts with the names of the platform, and knows a ticket that is there', async () => {
    let status = 200;
    await using receiver = await Receiver.start(({ headers }) => ({
      status: headers.appkey === 'key' ? status : 401,
    }));
    const platform = openPlatform({ type: 'google-secops', soar: { url: receiver.url, appKey: 'key' } });
    const alert = testAlert(2);
    expect((await platform.deliver(alert))[0]).toEqual({ result: 'delivered', hostId: alert.ticketId });
    const sent = JSON.parse(receiver.requests[0]?.body ?? '');
    expect(sent).toEqual(JSON.parse(JSON.stringify(soarAlert(alert))));
    for (const name of [
      ...['environment', 'ticket_id', 'display_id', 'name', 'description', 'device_vendor', 'device_product'],
      ...[
        'rule_generator',
        'source_grouping_identifier',
        'start_time',
        'end_time',
        'priority',
        'events',
        'extensions',
      ],
    ])
      expect(sent).toHaveProperty(name);
    status = 409;
    expect(results(await platform.deliver(alert))).toEqual(['duplicate']);
    await platform.close();
  });

  it('needs to know where to', () => {
    expect(() => openPlatform({ type: 'google-secops' })).toThrow(/soar/);
  });
});

describe('thehive', () => {
  it('opens an alert for each finding, changes it, and closes it', async () => {
    const alerts = new Map<string, Record<string, unknown>>();
    const comments: string[] = [];
    await using receiver = await Receiver.start(({ method, path, headers, body }) => {
      if (headers.authorization !== 'Bearer key')
        return { status: 401, body: { type: 'AuthenticationError' } };
      const json = body === '' ? {} : JSON.parse(body);
      if (path === '/api/v1/user/current') return { status: 200, body: {} };
      if (path === '/api/v1/query') {
        const found = [...alerts].filter(([, alert]) => alert.sourceRef === json.query[1]._eq._value);
        return { status: 200, body: found.map(([_id]) => ({ _id })) };
      }
      const [, id] = /^\/api\/v1\/alert\/([^/]+)/.exec(path) ?? [];
      if (id !== undefined && path.endsWith('/comment')) {
        comments.push(json.message);
        return { status: 201, body: {} };
      }
      if (id !== undefined && method === 'PATCH') {
        Object.assign(alerts.get(id) as object, json);
        return { status: 204 };
      }
      for (const name of ['type', 'source', 'sourceRef', 'title', 'description'])
        if (typeof json[name] !== 'string') return { status: 400, body: { message: `${name} is missing` } };
      if ([...alerts.values()].some((alert) => alert.sourceRef === json.sourceRef))
        return { status: 400, body: { type: 'CreateError', message: 'Alert already exists' } };
      alerts.set(`~${alerts.size}`, { ...json, status: 'New' });
      return { status: 201, body: { _id: `~${alerts.size - 1}` } };
    });
    const platform = openPlatform({ type: 'thehive', url: `${receiver.url}/`, apiKey: 'key' });
    await platform.test();
    expect((await platform.deliver(testAlert(2))).map((outcome) => outcome)).toEqual([
      { result: 'delivered', hostId: '~0' },
      { result: 'delivered', hostId: '~1' },
    ]);
    expect(results(await platform.deliver(testAlert(2)))).toEqual(['duplicate']);
    expect(alerts.get('~0')).toMatchObject({
      severity: 4,
      observables: [{ dataType: 'other' }, { dataType: 'fqdn' }],
    });
    expect(results(await platform.deliver(testAlert(1, { kind: 'close' })))).toEqual(['delivered']);
    expect([alerts.get('~0')?.status, alerts.get('~1')?.status]).toEqual(['Ignored', 'New']);
    expect(comments[0]).toMatch(/^Clew: remediated/);
    expect(results(await platform.deliver(testAlert(1, { kind: 'reopen' })))).toEqual(['delivered']);
    expect(alerts.get('~0')?.status).toBe('New');
    await platform.close();
  });
});

describe('syslog', () => {
  it('escapes special characters of the Common Event Format', () => {
    const alert = testAlert(1);
    const message = cefMessage(alert, alert.events[0] as never);
    expect(message).toMatch(
      /^CEF:0\|Clew\|Clew Attack Paths\|1\|T0GenericAll\|GenericAll on Tier Zero\|10\|/,
    );
    expect(message).toContain('suser=A|B\\=C\\\\D "E"]\\r\\nF, {G} suid=');
    expect(message).not.toMatch(/[\r\n]/);
    expect(message).toMatch(/cfp1=54.32 cfp1Label=ExposurePercentage/);
  });

  it('has the header of RFC 5424', () => {
    const alert = testAlert(1);
    const message = syslogMessage({ hostname: 'sensor' }, alert, alert.events[0] as never);
    expect(message).toMatch(/^<130>1 2026-01-02T00:00:00\.123Z sensor clew \d+ T0GenericAll - \ufeffCEF:0\|/);
  });
});
