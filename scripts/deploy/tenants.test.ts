/** Tests the generator of files for several tenants: they are isolated from each other, and the tools of each format accept the files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownVariables } from '@clew/common';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  checkCompose,
  checkKubernetes,
  has,
  nginxTool,
  statuses,
  useDirectory,
} from '../testing/deploymentTools.ts';

const ROOT = join(import.meta.dirname, '../..');
const GENERATOR = join(ROOT, 'deploy/tenants/tenants.mjs');
const FILES = ['compose.yaml', 'nginx.conf', 'kubernetes.yaml'] as const;
const directory = useDirectory();

const generate = (...args: string[]) =>
  spawnSync(process.execPath, [GENERATOR, ...args], { encoding: 'utf8', env: {}, timeout: 60_000 });
const out = (): string => join(directory.path, 'tenants');
const read = (file: string): string => readFileSync(join(out(), file), 'utf8');
const given = (file: string) => ({ directory: directory.path, file, content: read(file) });
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found);

beforeAll(() => {
  expect(generate('--out', out())).toMatchObject({ status: 0, stderr: '' });
});

describe('the files of 20 tenants', () => {
  it('give each tenant a process, a volume, a network, keys, a port and a host name of its own', () => {
    const compose = read('compose.yaml');
    const names = all(compose, /^ {2}([a-z]+):\n {4}<<: \*clew/gm);
    expect(new Set(names).size).toBe(20);
    const ports = all(compose, /127\.0\.0\.1:(\d+):8080/g);
    expect(ports).toEqual(names.map((_, at) => String(8101 + at)));
    for (const pattern of [
      /volumes: \["(\w+):\/var/g,
      /networks: \[(\w+)\]/g,
      /https:\/\/(\w+)\.clew\.example/g,
    ])
      expect(all(compose, pattern)).toEqual(names);
    const nginx = read('nginx.conf');
    expect(all(nginx, /^ {2}(\w+)\.clew\.example clew-\1;/gm)).toEqual(names);
    expect(all(nginx, /server 127\.0\.0\.1:(\d+);/g)).toEqual(ports);
    const keys = names.map((name) => readFileSync(join(out(), 'secrets', name, 'secret-key'), 'utf8'));
    expect(new Set(keys).size).toBe(20);
    expect(keys.every((key) => Buffer.from(key, 'base64').length === 32)).toBe(true);
    expect(statSync(join(out(), 'secrets')).mode & 0o777).toBe(0o700);
    const namespaces = new Set(all(read('kubernetes.yaml'), /namespace: clew-(\w+)/g));
    expect([...namespaces]).toEqual(names);
  });

  it('set only known variables, refer to the image of this version, and contain no secret as a value', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const file of ['compose.yaml', 'kubernetes.yaml']) {
      const text = read(file);
      const names = new Set([...text.matchAll(/\bCLEW_[A-Z_]+/g)].map(([name]) => name));
      expect(unknownVariables(Object.fromEntries([...names].map((name) => [name, 'x'])))).toEqual([]);
      expect(new Set(all(text, /image: (\S+)/g))).toEqual(new Set([`clew:${version}`]));
      expect(text).not.toMatch(/CLEW_(?:SECRET_KEY|METRICS_TOKEN)\b(?!_FILE)/);
    }
    const kubernetes = read('kubernetes.yaml');
    for (const pattern of [
      /readOnlyRootFilesystem: true/g,
      /runAsNonRoot: true/g,
      /limits: \{ memory: 2Gi \}/g,
    ])
      expect(kubernetes.match(pattern)).toHaveLength(20);
  });

  it.skipIf(!has('check-jsonschema'))(
    'compose: the schema accepts it, and rejects a misspelled variant',
    () => {
      const [good, twin] = statuses(
        given('compose.yaml'),
        ['networks: [acme]', 'netwroks: [acme]'],
        checkCompose,
      );
      expect(good).toBe('accepted');
      expect(twin).toContain('netwroks');
    },
  );

  it.skipIf(!has('kubernetes-validate'))(
    'Kubernetes: the schemas accept each object, and reject a misspelled variant',
    () => {
      const words = ['fsGroupChangePolicy:', 'fsGroupChangePolcy:'] as const;
      const [good, twin] = statuses(given('kubernetes.yaml'), words, checkKubernetes);
      expect(good).toBe('accepted');
      expect(twin).toContain('fsGroupChangePolcy');
    },
  );

  it.skipIf(!has('nginx'))(
    'nginx: it accepts the configuration, and rejects a misspelled variant',
    async () => {
      const tool = await nginxTool(directory.path);
      const file = { ...given('nginx.conf'), file: 'tenants.conf' };
      const [good, twin] = statuses(file, ['limit_conn clew', 'limit_con clew'], tool);
      expect(good).toBe('accepted');
      expect(twin).toContain('limit_con');
    },
  );
});

it('keys stay if the files are written again, and a new tenant at the end changes no port', () => {
  const place = join(directory.path, 'again');
  const portsOf = () => all(readFileSync(join(place, 'compose.yaml'), 'utf8'), /127\.0\.0\.1:(\d+):8080/g);
  const keyOf = (name: string) => readFileSync(join(place, 'secrets', name, 'secret-key'), 'utf8');
  expect(generate('--out', place, 'one', 'two').status).toBe(0);
  const [key, ports] = [keyOf('one'), portsOf()];
  expect(generate('--out', place, 'one', 'two', 'three').status).toBe(0);
  expect(keyOf('one')).toBe(key);
  expect(portsOf()).toEqual([...ports, '8103']);
});

it.each([
  [['One'], 'cannot be part of a host name'],
  [['a b'], 'cannot be part of a host name'],
  [['a;return 200'], 'cannot be part of a host name'],
  [['one', 'one'], 'named twice'],
  [['one', '--domain', 'clew.example; }'], '--domain'],
  [['one', '--image', 'clew:1"'], '--image'],
  [['one', '--memory', '0'], '--memory'],
  [['one', '--first-port', '70000'], '--first-port'],
  [['one', 'two', '--first-port', '65535'], 'not enough ports'],
  [['--names', '/missing'], 'ENOENT'],
  [['--unknown'], 'unknown'],
])('%j writes nothing, and the message names the fault', (args, message) => {
  const place = join(directory.path, 'none');
  const { status, stderr } = generate('--out', place, ...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(() => statSync(place)).toThrow('ENOENT');
});

it('names come from a file without comments and empty lines', () => {
  mkdirSync(join(directory.path, 'names'));
  const file = join(directory.path, 'names/some.txt');
  writeFileSync(file, '# all\n\none\n two \n');
  const place = join(directory.path, 'few');
  expect(generate('--out', place, '--names', file).stdout).toContain('2 tenants');
  for (const name of FILES) expect(readFileSync(join(place, name), 'utf8')).toContain('two');
});
