import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfigError, readConfig, unknownVariables } from './config.ts';
import { SECRET_VARIABLES, secretOf } from './secretFiles.ts';

let directory: string;
const file = (name: string, content: string): string => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-secrets-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a secret', () => {
  it.each(SECRET_VARIABLES)('%s may be given as a file', (name) => {
    const path = file(name, '  postgres://one:two@three/four-five-six-seven\n');
    expect(secretOf({ [`${name}_FILE`]: path }, name)).toBe('postgres://one:two@three/four-five-six-seven');
    expect(secretOf({ [name]: ' value ' }, name)).toBe('value');
    expect(secretOf({ [`${name}_FILE`]: '' }, name)).toBeUndefined();
    expect(unknownVariables({ [`${name}_FILE`]: path })).toEqual([]);
  });

  it('of the service is read by its configuration', () => {
    const config = readConfig({
      CLEW_DATABASE_URL_FILE: file('url', 'postgres://clew:pass@db/clew\n'),
      CLEW_SECRET_KEY_FILE: file('key', `${'k'.repeat(40)}\n`),
      CLEW_ADMIN_PASSWORD_FILE: file('password', 'correct horse battery staple'),
      CLEW_METRICS_TOKEN_FILE: file('token', 't'.repeat(40)),
    });
    expect(config).toMatchObject({
      ...{ databaseUrl: 'postgres://clew:pass@db/clew', secretKey: 'k'.repeat(40) },
      ...{ adminPassword: 'correct horse battery staple', metricsToken: 't'.repeat(40) },
    });
  });

  it('is rejected with its variable and path, but never its value', () => {
    const path = file('good', 'k'.repeat(40));
    const cases: readonly (readonly [env: Record<string, string>, fault: string])[] = [
      [
        { CLEW_SECRET_KEY: 'a'.repeat(40), CLEW_SECRET_KEY_FILE: path },
        'CLEW_SECRET_KEY and CLEW_SECRET_KEY_FILE are both set: unset one of them',
      ],
      [
        { CLEW_SECRET_KEY_FILE: join(directory, 'missing') },
        `CLEW_SECRET_KEY_FILE is ${join(directory, 'missing')}, which cannot be read (ENOENT)`,
      ],
      [{ CLEW_SECRET_KEY_FILE: directory }, `CLEW_SECRET_KEY_FILE is ${directory}, which is not a file`],
      [
        { CLEW_SECRET_KEY_FILE: file('empty', '\n') },
        `CLEW_SECRET_KEY_FILE is ${join(directory, 'empty')}, which is empty`,
      ],
      [
        { CLEW_SECRET_KEY_FILE: file('large', 'k'.repeat(70_000)) },
        `CLEW_SECRET_KEY_FILE is ${join(directory, 'large')}, which is larger than 64 KiB`,
      ],
    ];
    for (const [env, fault] of cases) {
      let faults: readonly string[] = [];
      try {
        readConfig(env);
      } catch (error) {
        faults = (error as ConfigError).faults;
      }
      expect(faults).toEqual([fault]);
    }
    const short = file('short', 'hidden-value');
    expect(() => readConfig({ CLEW_SECRET_KEY_FILE: short })).toThrow(/CLEW_SECRET_KEY must/);
    expect(() => readConfig({ CLEW_SECRET_KEY_FILE: short })).not.toThrow(/hidden-value/);
  });
});
