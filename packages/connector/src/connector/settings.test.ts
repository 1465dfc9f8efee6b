import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from './settings.ts';

const GOOD = {
  server: 'https://clew.example/base/',
  tokenId: 'id',
  tokenKey: 'key',
  platform: { type: 'jsonl', directory: 'out' },
};

function faultsOf(value: unknown): readonly string[] {
  try {
    readSettings(value);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

describe('settings', () => {
  it('have defaults, and keep the path of the server', () => {
    expect(readSettings(GOOD)).toMatchObject({
      server: 'https://clew.example/base',
      environments: undefined,
      findingTypes: undefined,
      zones: ['tier zero', 'hygiene'],
      minimumSeverity: 'low',
      includeAccepted: false,
      includeParts: true,
      runEveryMs: 600_000,
      productFieldName: 'device_product',
      eventFieldName: 'finding_type',
      maxEventsPerAlert: 500,
      longRemediationInEvents: true,
      verifyTls: true,
      requestTimeoutMs: 30_000,
      runBudgetMs: 744_000,
      resetState: false,
      state: { directory: 'connector-state' },
    });
  });

  it.each([
    [{}, ['server is missing', 'tokenId is missing', 'tokenKey is missing', 'platform is missing']],
    [{ ...GOOD, tokenKey: '' }, ['tokenKey must not be empty']],
    [{ ...GOOD, maxEventsPerAlert: 501 }, ['maxEventsPerAlert must be at most 500']],
    [{ ...GOOD, tokenkey: 'x' }, ['tokenkey is not a known field: did you mean tokenKey?']],
    [{ ...GOOD, resetState: 'perhaps' }, ['resetState must be true or false']],
    [{ ...GOOD, server: 'http://clew.example' }, ['server must begin with https://']],
    [{ ...GOOD, server: 'clew' }, ['server is not an address']],
    [
      { ...GOOD, platform: { type: 'pigeon' } },
      [
        'platform.type must be one of jsonl, webhook, google-secops, splunk-hec, sentinel, syslog, thehive, github, jira, azure-devops, servicenow, slack, teams, smtp',
      ],
    ],
    [
      { ...GOOD, platform: { type: 'splunk-hec', url: 'splunk', tokn: 'x' } },
      expect.arrayContaining([
        'platform.tokn is not a known field: did you mean token?',
        'platform.url must be an address that begins with https:// or http://, without a user',
      ]),
    ],
  ])('name their errors: %#', (value, faults) => {
    expect(faultsOf(value)).toEqual(faults);
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080', 'https://clew.example'])(
    'take %s',
    (server) => {
      expect(readSettings({ ...GOOD, server }).server).toBe(server);
    },
  );

  it.each(['http://127.0.0.2', 'http://localhost.example', 'ftp://127.0.0.1', 'ws://localhost'])(
    'ask for https instead of %s',
    (server) => {
      expect(faultsOf({ ...GOOD, server })).toEqual(['server must begin with https://']);
    },
  );

  it.each([
    'https://user@clew.example',
    'https://:secret@clew.example',
    'https://clew.example/?a=1',
    'https://clew.example/#a',
  ])('refuse %s: an address has no user, query or fragment', (server) => {
    expect(faultsOf({ ...GOOD, server })).toEqual([
      'server must be an address without user, query and fragment',
    ]);
  });

  it.each([
    ['', true],
    [' Yes ', true],
    ['on', true],
    ['1', true],
    ['no', false],
    ['OFF', false],
    ['0', false],
    ['false', false],
    [false, false],
  ])('read the flag %j', (verifyTls, expected) => {
    expect(readSettings({ ...GOOD, verifyTls }).verifyTls).toBe(expected);
  });

  it('read names of lists and of texts, where "all" is every one', () => {
    const namesOf = (selectedZones: unknown) => readSettings({ ...GOOD, selectedZones }).zones;
    expect(namesOf('Tier Zero, , OWNED,tier zero')).toEqual(['tier zero', 'owned']);
    expect(namesOf(['A'])).toEqual(['a']);
    expect(namesOf('x, ALL')).toBeUndefined();
    expect(namesOf(' ')).toBeUndefined();
  });

  it('keep the state in a schema of its own where a database is named', () => {
    const stateOf = (state: unknown) => readSettings({ ...GOOD, state }).state;
    expect(stateOf({ postgres: 'postgres://x' })).toEqual({
      postgres: 'postgres://x',
      schema: 'clew_connector',
    });
    expect(stateOf({ postgres: 'postgres://x', schema: 's' })).toEqual({
      postgres: 'postgres://x',
      schema: 's',
    });
    expect(stateOf(undefined)).toEqual({ directory: 'connector-state' });
  });

  it('take secrets from where they are named, and name those that are not there', () => {
    const value = { ...GOOD, tokenKey: 'env:KEY', platform: { ...GOOD.platform, directory: 'file:NOT' } };
    const resolve = (reference: string) => (reference === 'env:KEY' ? 'secret' : undefined);
    expect(() => readSettings(value, resolve)).toThrow('platform/directory: file:NOT');
    expect(readSettings({ ...GOOD, tokenKey: 'env:KEY' }, resolve).tokenKey).toBe('secret');
  });

  it.each([
    { type: 'github', repository: 'a/b', token: 'token', url: 'http://git.example/api' },
    { type: 'jira', project: 'SEC', token: 'token', url: 'http://127.0.0.1.evil.example' },
    { type: 'slack', url: 'http://hooks.example/x' },
  ])('demands https of $type, except on this machine', (platform) => {
    const read = (url: string) =>
      readSettings({
        ...{ server: 'https://clew.example', tokenId: 'id', tokenKey: 'key', platform: { ...platform, url } },
      });
    expect(() => read(platform.url)).toThrow(/platform.url must be an address that begins with https/);
    for (const url of [
      'https://x.example/a',
      'http://localhost:8080/a',
      'http://127.0.0.1:1',
      'http://[::1]/',
    ])
      expect(read(url).platform).toMatchObject({ url });
  });

  it.each([
    { type: 'github', repository: 'a/b', token: 'token' },
    { type: 'teams' },
    { type: 'splunk-hec', token: 'token' },
  ])('take no user in an address of $type, and do not repeat it', (platform) => {
    for (const url of [
      'https://user:pa55word@x.example/a',
      'https://:pa55word@x.example',
      'https://pa55word@x.example',
      'https://x.example\\@pa55word',
      'http://localhost:pa55word@x.example/',
    ]) {
      const faults = faultsOf({
        ...{ server: 'https://clew.example', tokenId: 'id', tokenKey: 'key', platform: { ...platform, url } },
      });
      expect(faults).toEqual([expect.stringMatching(/^platform.url must be an address .*, without a user$/)]);
    }
    const proxied = { server: 'https://clew.example', tokenId: 'id', tokenKey: 'key' };
    const proxy = 'http://user:pa55word@proxy.example:8080';
    expect(
      readSettings({ ...proxied, platform: { ...platform, url: 'https://x.example/@a', proxy } }).platform,
    ).toMatchObject({ proxy });
  });
});
