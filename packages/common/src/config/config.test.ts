import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  CONFIGURATION_TABLE,
  ConfigError,
  defaultDataDirectory,
  readConfig,
  unknownVariables,
} from './config.ts';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('the configuration', () => {
  test('has the documented defaults', () => {
    const config = readConfig({ XDG_DATA_HOME: '/data' });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      role: 'all',
      adminName: 'admin',
      edition: 'enterprise',
      rules: 'clean',
      rateLimit: 55,
      bypassLimits: false,
      trustedProxies: { count: 0 },
      signatureSchemes: ['svcsignature', 'bhesignature'],
      logLevel: 'info',
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.adminPassword).toBeUndefined();
    expect(config.limits.uploadBytes).toBe(4 * 1024 ** 3);
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig({ CLEW_PORT: '  ', CLEW_DATABASE_URL: '' }).port).toBe(8080);
  });

  test('reports every fault, one line each', () => {
    expect(
      faultsOf({
        CLEW_PORT: '70000',
        CLEW_EDITION: 'gold',
        CLEW_MAX_UPLOAD: 'much',
        CLEW_PUBLIC_URL: 'clew',
      }),
    ).toEqual([
      'CLEW_PORT must be a number from 0 to 65535',
      'CLEW_EDITION must be one of enterprise, community',
      'CLEW_PUBLIC_URL must be an address such as https://clew.example.com',
      'CLEW_MAX_UPLOAD must be a size such as 500MiB or 4GiB',
    ]);
  });

  test.each([
    ['CLEW_PORT', '-1'],
    ['CLEW_PORT', '8080x'],
    ['CLEW_RATE_LIMIT', '1e3'],
    ['CLEW_BYPASS_LIMITS', 'maybe'],
    ['CLEW_SIGNATURE_SCHEMES', 'svcsignature,other'],
    ['CLEW_SIGNATURE_SCHEMES', ','],
    ['CLEW_TRUSTED_PROXIES', '10.0.0.0/64'],
    ['CLEW_TRUSTED_PROXIES', 'proxy.example.com'],
    ['CLEW_CORS_ORIGINS', 'https://portal.example.com/app'],
    ['CLEW_CORS_ORIGINS', '*'],
    ['CLEW_MAX_UPLOAD', '0'],
    ['CLEW_SECRET_KEY', 'short'],
    ['CLEW_ORIGINAL_TARGET_HEADER', 'X Y'],
    ['CLEW_PUBLIC_URL', 'https://user@clew.example.com'],
  ])('rejects %s=%s', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} must `));
  });

  test('never repeats a password in a message', () => {
    expect(faultsOf({ CLEW_DATABASE_URL: 'mysql://clew:hunter2@db' }).join()).not.toContain('hunter2');
  });

  test.each([
    ['1', { count: 1 }],
    ['10.0.0.0/8', 1],
    ['10.0.0.1, ::1, fd00::/8', 3],
  ])('reads CLEW_TRUSTED_PROXIES=%s', (value, expected) => {
    const { trustedProxies } = readConfig({ CLEW_TRUSTED_PROXIES: value });
    if (typeof expected === 'number')
      expect('networks' in trustedProxies && trustedProxies.networks).toHaveLength(expected);
    else expect(trustedProxies).toEqual(expected);
  });

  test('removes the trailing slash of the public address', () => {
    expect(readConfig({ CLEW_PUBLIC_URL: 'https://clew.example.com/' }).publicUrl).toBe(
      'https://clew.example.com',
    );
  });

  test('finds misspelled variables', () => {
    const known = { CLEW_PORT: '1', CLEW_URL: 'x', CLEW_COLLECT_PASSWORD_FILE: 'x', PATH: '' };
    const misspelled = { CLEW_PROT: '1', CLEW_TOKENID: 'x', CLEW_BACKUP_DIRECTORY: 'x', CLEW_FLAVOR: 'x' };
    expect(unknownVariables({ ...misspelled, CLEW_TEST_RUNS: '2', ...known })).toEqual([
      { name: 'CLEW_BACKUP_DIRECTORY', similar: 'CLEW_BACKUP_DIR' },
      { name: 'CLEW_FLAVOR', similar: undefined },
      { name: 'CLEW_PROT', similar: 'CLEW_PORT' },
      { name: 'CLEW_TOKENID', similar: 'CLEW_TOKEN_ID' },
    ]);
  });

  test('lists every setting in the table of the documentation', () => {
    expect(CONFIGURATION_TABLE.length).toBeGreaterThan(20);
    for (const row of CONFIGURATION_TABLE) {
      expect(row.name).toMatch(/^CLEW_[A-Z_]+$/);
      expect(row.byDefault).not.toBe('');
      expect(row.meaning).not.toBe('');
    }
  });
});

describe('the data directory', () => {
  test.each([
    ['linux', { XDG_DATA_HOME: '/data' }, join('/data', 'clew')],
    ['linux', { XDG_DATA_HOME: 'relative' }, /\/\.local\/share\/clew$/],
    ['linux', {}, /\/\.local\/share\/clew$/],
    ['darwin', {}, /Application Support\/clew$/],
    ['win32', { LOCALAPPDATA: '/appdata' }, join('/appdata', 'clew')],
  ] as const)('on %s with %j', (platform, env, expected) => {
    const directory = defaultDataDirectory(env, platform);
    if (typeof expected === 'string') expect(directory).toBe(expected);
    else expect(directory).toMatch(expected);
  });
});

describe('backups by schedule', () => {
  test('are off without a directory, and have one for each day', () => {
    expect(readConfig({ CLEW_BACKUP_HOURS: '6' }).backups).toBeUndefined();
    expect(readConfig({ CLEW_BACKUP_DIR: '/backups' }).backups).toEqual({
      ...{ directory: '/backups', hours: 24, keep: 14, passphrase: undefined, withKey: false },
    });
  });

  test('never hold the secret key in the open, and need a passphrase that is hard to guess', () => {
    expect(faultsOf({ CLEW_BACKUP_DIR: '/backups', CLEW_BACKUP_WITH_KEY: 'true' })).toEqual([
      'CLEW_BACKUP_WITH_KEY needs CLEW_BACKUP_PASSPHRASE: a secret key is never stored unencrypted',
    ]);
    expect(faultsOf({ CLEW_BACKUP_PASSPHRASE: 'short' })).toEqual([
      'CLEW_BACKUP_PASSPHRASE must have at least 12 characters',
    ]);
  });
});
