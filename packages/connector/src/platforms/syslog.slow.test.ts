/** Syslog against a real rsyslog; skipped if it is not installed (Debian: rsyslog and rsyslog-gnutls). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testAlert } from '../../test/alerts.ts';
import { openPlatform } from './index.ts';

/** TLS support is a separate package. */
const hasRsyslog =
  spawnSync('rsyslogd', ['-v']).status === 0 &&
  globSync('/usr/{lib,lib64,lib/*-linux-gnu}/rsyslog/lmnsd_gtls.so').length > 0;

describe.skipIf(!hasRsyslog)('a real rsyslog', () => {
  let directory: string;
  let rsyslog: ChildProcess;
  let ports: { tcp: number; tls: number };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clew-rsyslog-'));
    ports = { tcp: await freePort(), tls: await freePort() };
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    await writeFile(join(directory, 'key.pem'), key);
    await writeFile(join(directory, 'cert.pem'), cert);
    const file = join(directory, 'received');
    const tls = 'StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"';
    await writeFile(
      join(directory, 'rsyslog.conf'),
      `global(workDirectory="${directory}" maxMessageSize="64k"
  defaultNetstreamDriverCAFile="${directory}/cert.pem"
  defaultNetstreamDriverCertFile="${directory}/cert.pem"
  defaultNetstreamDriverKeyFile="${directory}/key.pem")
module(load="imtcp")
template(name="parts" type="list" option.json="on") {
  constant(value="{\\"pri\\":\\"") property(name="pri")
  constant(value="\\",\\"host\\":\\"") property(name="hostname")
  constant(value="\\",\\"app\\":\\"") property(name="app-name")
  constant(value="\\",\\"id\\":\\"") property(name="msgid")
  constant(value="\\",\\"msg\\":\\"") property(name="msg")
  constant(value="\\"}\\n")
}
ruleset(name="all") { action(type="omfile" file="${file}" template="parts") }
input(type="imtcp" port="${ports.tcp}" address="127.0.0.1" ruleset="all")
input(type="imtcp" port="${ports.tls}" address="127.0.0.1" ruleset="all" ${tls})
`,
    );
    rsyslog = spawn('rsyslogd', ['-n', '-f', join(directory, 'rsyslog.conf'), '-i', join(directory, 'pid')], {
      stdio: 'ignore',
    });
    const probe = openPlatform({ type: 'syslog', host: 'localhost', port: ports.tcp, transport: 'tcp' });
    await vi.waitFor(() => probe.test(), { timeout: 100_000, interval: 100 });
  });
  afterAll(async () => {
    rsyslog?.kill();
    await rm(directory, { recursive: true, force: true });
  });

  async function received(): Promise<Record<string, string>[]> {
    const text = await readFile(join(directory, 'received'), 'utf8').catch(() => '');
    return text
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  it.each(['tcp', 'tls'] as const)('gets every event whole over %s', async (transport) => {
    const platform = openPlatform({
      ...{ type: 'syslog', host: 'localhost', transport, port: ports[transport], hostname: transport },
      caBundle: join(directory, 'cert.pem'),
    } as const);
    const alert = testAlert(200);
    const outcomes = await platform.deliver(alert);
    expect(outcomes.every(({ result }) => result === 'delivered')).toBe(true);
    const mine = async () => (await received()).filter(({ host }) => host === transport);
    await vi.waitUntil(async () => (await mine()).length >= 200, { timeout: 100_000, interval: 50 });
    const lines = await mine();
    expect(lines).toHaveLength(200);
    expect(lines[0]).toMatchObject({ pri: '130', app: 'clew', id: 'T0GenericAll' });
    for (const [at, { item }] of alert.events.entries())
      expect(lines[at]?.msg).toContain(`externalId=${item.eventId} `);
    expect(lines[0]?.msg).toContain('suser=A|B\\=C\\\\D "E"]\\r\\nF, {G} suid=');
  });

  it('is not trusted without its authority, nor when it is away', async () => {
    const settings = { type: 'syslog', host: 'localhost', port: ports.tls } as const;
    await expect(openPlatform(settings).deliver(testAlert(1))).rejects.toThrow(/self-signed/);
    expect(
      (await openPlatform({ ...settings, verifyTls: false }).deliver(testAlert(1))).map(
        ({ result }) => result,
      ),
    ).toEqual(['delivered']);
    const away = openPlatform({ ...settings, port: await freePort(), transport: 'tcp' });
    await expect(away.deliver(testAlert(1))).rejects.toThrow(/no connection to localhost/);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
