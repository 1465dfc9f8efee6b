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
      runEveryMs: 600_000,
      maxEventsPerAlert: 500,
      verifyTls: true,
      requestTimeoutMs: 30_000,
      runBudgetMs: 744_000,
      resetState: false,
    });
  });

  it.each([
    [{}, [expect.stringContaining('the input must have required properties')]],
    [{ ...GOOD, tokenKey: '' }, [expect.stringContaining('tokenKey must not have fewer than 1')]],
    [{ ...GOOD, maxEventsPerAlert: 501 }, ['maxEventsPerAlert must be <= 500']],
    [{ ...GOOD, tokenkey: 'x' }, ['tokenkey is not a known field']],
    [{ ...GOOD, resetState: 'perhaps' }, ['resetState must be true or false']],
    [{ ...GOOD, server: 'http://clew.example' }, ['server must begin with https://']],
    [{ ...GOOD, server: 'clew' }, ['server is no address']],
    [
      { ...GOOD, platform: { type: 'pigeon' } },
      ['platform.type must be one of jsonl, webhook, google-secops, splunk-hec, sentinel, syslog, thehive'],
    ],
    [
      { ...GOOD, platform: { type: 'splunk-hec', url: 'splunk', tokn: 'x' } },
      expect.arrayContaining([
        'platform.tokn is not a known field',
        expect.stringContaining('platform.url must match'),
      ]),
    ],
  ])('name what is wrong: %#', (value, faults) => {
    expect(faultsOf(value)).toEqual(faults);
  });

  it('take secrets from where they are named, and name those that are not there', () => {
    const value = { ...GOOD, tokenKey: 'env:KEY', platform: { ...GOOD.platform, directory: 'file:NOT' } };
    const resolve = (reference: string) => (reference === 'env:KEY' ? 'secret' : undefined);
    expect(() => readSettings(value, resolve)).toThrow('platform/directory: there is no file:NOT');
    expect(readSettings({ ...GOOD, tokenKey: 'env:KEY' }, resolve).tokenKey).toBe('secret');
  });
});
