/**
 * Tests the files in `deploy/` for containers and proxies: their references exist, and the tools of each format accept them and reject an
 * invalid variant. docs/operations.md lists these tools; if one is missing, its test is skipped with a message.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@clew/api';
import { unknownVariables } from '@clew/common';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  checkCompose,
  checkHaproxy,
  checkKubernetes,
  has,
  nginxTool,
  statuses,
  useDirectory,
} from '../testing/deploymentTools.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const COMPOSE = 'deploy/compose/compose.yaml';
const KUBERNETES = 'deploy/kubernetes/clew.yaml';
const MIGRATE = 'deploy/kubernetes/migrate.yaml';
const NGINX = 'deploy/nginx/clew.conf';
const HAPROXY = 'deploy/patroni/haproxy.cfg';
const PATRONI = 'deploy/patroni/patroni.yml';
const PGBOUNCER = 'deploy/patroni/pgbouncer.ini';

const directory = useDirectory();
const given = (file: string) => ({ directory: directory.path, file, content: read(file) });

describe('deployment files', () => {
  const all = [COMPOSE, KUBERNETES, MIGRATE, NGINX];

  it.each(all)('%s sets only known variables of the service', (file) => {
    const names = new Set([...read(file).matchAll(/\bCLEW_[A-Z_]+/g)].map(([name]) => name));
    expect(names.size).toBeGreaterThan(2);
    expect(unknownVariables(Object.fromEntries([...names].map((name) => [name, 'x'])))).toEqual([]);
  });

  it.each([COMPOSE, KUBERNETES])('%s refers to the image of this version, and to existing paths', (file) => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const images = [...read(file).matchAll(/image: (\S+)/g)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`clew:${version}`]));
    const paths = [...read(file).matchAll(/path: (\/\w+)|127\.0\.0\.1:8080(\/\w+)/g)].map(
      (found) => found[1] ?? found[2],
    );
    expect(paths.length).toBeGreaterThan(0);
    const answered = routes.flatMap(({ path, aliases = [] }) => [path, ...aliases]);
    for (const path of paths) expect(answered).toContain(path);
  });

  it.each([COMPOSE, KUBERNETES, MIGRATE])(
    '%s contains no secret as a value, and no unnecessary right',
    (file) => {
      const text = read(file);
      expect(text).not.toMatch(/CLEW_(?:SECRET_KEY|DATABASE_URL|METRICS_TOKEN|ADMIN_PASSWORD)\b(?!_FILE)/);
      const containers = file === KUBERNETES ? 2 : 1;
      const each = (pattern: RegExp) => [...text.matchAll(pattern)].length;
      expect(each(/read_only: true|readOnlyRootFilesystem: true/g)).toBe(containers);
      expect(each(/cap_drop: \[ALL\]|drop: \[ALL\]/g)).toBe(containers);
      expect(each(/65532:65532|runAsNonRoot: true/g)).toBe(containers);
      expect(each(/no-new-privileges:true|allowPrivilegeEscalation: false/g)).toBe(containers);
      expect(each(/memory: \d+g\b|limits: \{ memory: \d+Gi \}/g)).toBe(containers);
    },
  );

  it.skipIf(!has('check-jsonschema'))(
    'compose: the schema accepts it, and rejects a misspelled variant',
    () => {
      const [good, twin] = statuses(given(COMPOSE), ['healthcheck:', 'healthchek:'], checkCompose);
      expect(good).toBe('accepted');
      expect(twin).toContain('healthchek');
    },
  );

  it.skipIf(!has('kubernetes-validate')).each([
    [KUBERNETES, 'readinessProbe:', 'readynessProbe:'],
    [MIGRATE, 'backoffLimit:', 'backofLimit:'],
  ])(
    '%s: the Kubernetes schemas accept each object, and reject a misspelled variant',
    (file, text, broken) => {
      const [good, twin] = statuses(given(file), [text, broken], checkKubernetes);
      expect(good).toBe('accepted');
      expect(twin).toContain(broken.slice(0, -1));
    },
  );

  it.skipIf(!has('haproxy'))(
    'HAProxy: it accepts the configuration, and rejects a misspelled variant',
    () => {
      const [good, twin] = statuses(given(HAPROXY), ['on-marked-down', 'on-maked-down'], checkHaproxy);
      expect(good).toBe('accepted');
      expect(twin).toContain('on-maked-down');
    },
  );

  it('the files of Patroni have ports that match, room for two processes of the service, and no passwords', () => {
    const [patroni, haproxy, pgbouncer] = [PATRONI, HAPROXY, PGBOUNCER].map(read);
    const node = parse(patroni);
    const addresses = [...haproxy.matchAll(/server (\w+) (\S+) check port (\d+)/g)];
    expect(addresses.map(([, name]) => name)).toEqual(['db1', 'db2', 'db3']);
    for (const [, name, address, port] of addresses) {
      expect(address).toBe(node.postgresql.connect_address.replace(node.name, name));
      expect(node.restapi.listen).toBe(`0.0.0.0:${port}`);
    }
    const [, bind] = haproxy.match(/bind (\S+)/) as RegExpMatchArray;
    const [, host, port] = pgbouncer.match(/host=(\S+) port=(\d+)/) as RegExpMatchArray;
    expect(`${host}:${port}`).toBe(bind);
    const size = Number(pgbouncer.match(/default_pool_size = (\d+)/)?.[1]);
    // 55 for each of four processes and one more during an upgrade (docs/operations.md), and connections of standbys and administrators.
    expect(size).toBeGreaterThanOrEqual(5 * 55);
    expect(node.bootstrap.dcs.postgresql.parameters.max_connections).toBeGreaterThanOrEqual(size + 20);
    expect(pgbouncer).toMatch(/^pool_mode = session$/m);
    expect(node.bootstrap.dcs.synchronous_mode).toBe(true);
    const { ttl, loop_wait, retry_timeout } = node.bootstrap.dcs;
    // Otherwise, a primary may lose its role while it tries to keep it.
    expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout);
    expect(`${patroni}${pgbouncer}`).not.toMatch(/password\s*[:=]/i);
  });

  it.skipIf(!has('nginx'))(
    'nginx: it accepts the configuration, and rejects a misspelled variant',
    async () => {
      const tool = await nginxTool(directory.path);
      const [good, twin] = statuses(given(NGINX), ['proxy_buffering off', 'proxy_bufering off'], tool);
      expect(good).toBe('accepted');
      expect(twin).toContain('proxy_bufering');
    },
  );
});
