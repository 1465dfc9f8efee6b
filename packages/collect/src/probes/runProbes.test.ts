import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, expect, it } from 'vitest';
import { ACCOUNT, acceptSignIn, SESSION_KEY, simulatedKerberos } from '../../test/simulatedKerberos.ts';
import { bindAccepted, bindResult, simulatedLdap } from '../../test/simulatedLdap.ts';
import { simulatedSmb } from '../../test/simulatedSmb.ts';
import { ticketFor } from '../kerberos/tickets.ts';
import { kerberosTarget } from '../signIn/signIn.ts';
import { type ProbeParts, type ProbeTarget, runProbes } from './runProbes.ts';

const HOST = 'dc1.lab.test';
const ended: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of ended.splice(0)) await one[Symbol.asyncDispose]();
});

interface Probed {
  readonly records: readonly (readonly [string, object])[];
  readonly notes: readonly string[];
}

/** @param ports actual ports of this host, by the probed port; others are closed */
async function probe(
  targets: readonly ProbeTarget[],
  ports: Readonly<Record<number, number>>,
  more: Partial<ProbeParts> = {},
): Promise<Probed> {
  const records: [string, object][] = [];
  const notes: string[] = [];
  await runProbes(targets, {
    ...{ perSecond: 100, limitMs: 1_000 },
    place: (host, port) => ({ host, address: '127.0.0.1', port: ports[port] ?? 1 }),
    write: async (file, record) => void records.push([file, record]),
    note: (what, example) => void notes.push(`${what}: ${example}`),
    ...more,
  });
  return { records, notes };
}

const target = (name: ProbeTarget['probe']): ProbeTarget => ({ probe: name, id: 'ID', host: HOST });

it('checks whether SMB is signed, without a sign-in', async () => {
  for (const isRequired of [true, false]) {
    const smb = await simulatedSmb({ signsAll: isRequired });
    ended.push(smb);
    const { records, notes } = await probe([target('smb-signing')], { 445: smb.port });
    expect(notes).toEqual([]);
    expect(records).toEqual([
      [
        'computers',
        expect.objectContaining({
          ObjectIdentifier: 'ID',
          SmbInfo: expect.objectContaining({ Result: { SigningEnabled: isRequired } }),
        }),
      ],
    ]);
    // A record with one setting has no lists that would replace those of the directory.
    expect(Object.keys(records[0][1])).not.toContain('Aces');
    expect(smb.commands).toEqual([0]);
  }
});

async function web(status: number, challenge: string): Promise<Server> {
  const server = createServer((_, response) =>
    response.writeHead(status, { 'www-authenticate': challenge }).end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push({ [Symbol.asyncDispose]: async () => void server.close() });
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

it('looks for web enrollment pages with one plain request', async () => {
  for (const [status, challenge, isThere] of [
    [401, 'NTLM', true],
    [401, 'Basic realm="x"', false],
    [404, '', false],
    [302, '', false],
  ] as const) {
    const { records, notes } = await probe([target('web-enrollment')], {
      80: portOf(await web(status, challenge)),
    });
    expect(notes).toEqual([]);
    expect(records).toEqual([
      [
        'enterprisecas',
        expect.objectContaining({
          HttpEnrollmentEndpoints: [
            expect.objectContaining({
              Collected: true,
              Result: { Url: `http://${HOST}/certsrv/`, ADCSWebEnrollmentHTTP: isThere },
            }),
          ],
        }),
      ],
    ]);
  }
});

it('writes unencrypted pages whatever happens on port 443, and nothing if neither is known', async () => {
  // A server without TLS: the handshake fails.
  const noTls = portOf(await web(401, 'NTLM'));
  const proven = await probe([target('web-enrollment')], {
    ...{ 80: portOf(await web(401, 'NTLM')), 443: noTls },
  });
  expect(proven.records).toEqual([
    [
      'enterprisecas',
      expect.objectContaining({
        HttpEnrollmentEndpoints: [
          expect.objectContaining({ Result: expect.objectContaining({ ADCSWebEnrollmentHTTP: true }) }),
        ],
      }),
    ],
  ]);
  const note = expect.stringContaining('web enrollment over HTTPS: whether it exists is unknown: dc1');
  expect(proven.notes).toEqual([note]);
  const open = await probe([target('web-enrollment')], { 80: portOf(await web(404, '')), 443: noTls });
  expect([open.records, open.notes]).toEqual([[], [note]]);
});

/** Results of a controller for a sign-in without signing, and for one without channel binding. */
async function ldap(plain: number, bound: string | undefined): Promise<Probed> {
  const pem = await generate([{ name: 'commonName', value: HOST }]);
  const accept = (id: number): Buffer => bindAccepted(id, acceptSignIn(SESSION_KEY));
  const kerberos = await simulatedKerberos();
  const open = await simulatedLdap(({ id, send }) => send(plain === 0 ? accept(id) : bindResult(id, plain)));
  const tls = await simulatedLdap(
    ({ id, send }) => send(bound === undefined ? accept(id) : bindResult(id, 49, bound)),
    pem,
  );
  ended.push(kerberos, open, tls);
  const kdc = kerberosTarget({ host: HOST, address: '127.0.0.1', kerberosPort: kerberos.port });
  return probe(
    [target('ldap-signing')],
    { 389: open.port, 636: tls.port },
    {
      ca: Buffer.from(pem.cert),
      ticketFor: (host) => ticketFor(kdc, ACCOUNT, `ldap/${host}`),
    },
  );
}

it('checks a controller for signing and channel binding with the sign-in of the collector', async () => {
  const open = await ldap(0, undefined);
  expect(open).toEqual({
    records: [
      [
        'computers',
        expect.objectContaining({
          Properties: { ldapavailable: true, ldapsigning: false, ldapsepa: false, ldapsavailable: true },
        }),
      ],
    ],
    notes: [],
  });
  const hard = await ldap(
    8,
    '80090346: LdapErr: DSID-0C0907E0, comment: AcceptSecurityContext error, data 80090346, v4563',
  );
  expect(hard.records[0][1]).toMatchObject({ Properties: { ldapsigning: true, ldapsepa: true } });
  // Another refusal does not concern channel binding.
  const other = await ldap(
    8,
    '80090308: LdapErr: DSID-0C09, comment: AcceptSecurityContext error, data 533, v4563',
  );
  expect(other.records[0][1]).toMatchObject({ Properties: { ldapavailable: true, ldapsigning: true } });
  expect(other.records[0][1]).not.toMatchObject({ Properties: { ldapsepa: expect.anything() } });
  expect(other.notes).toEqual([
    expect.stringContaining('whether a domain controller requires channel binding is unknown'),
  ]);
});

it('ends the probe of a host that slowly sends single bytes and never a complete answer', async () => {
  // The length of an SMB packet, and the header of a page, that never end.
  const dripping = async (head: string): Promise<number> => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).write(head);
      const timer = setInterval(() => socket.write('a'), 30);
      socket.on('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended.push({ [Symbol.asyncDispose]: async () => void server.close() });
    return (server.address() as AddressInfo).port;
  };
  const ports = {
    445: await dripping('\0\0\u00ff'),
    80: await dripping('HTTP/1.1 401 Unauthorized\r\nx-long: '),
  };
  const began = performance.now();
  const targets = [target('smb-signing'), target('web-enrollment')];
  const { records, notes } = await probe(targets, ports, { limitMs: 150 });
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(records).toEqual([]);
  expect([...notes].sort()).toEqual([
    expect.stringMatching(/^whether SMB is signed is unknown: .*no complete answer within 1\.2 s$/),
    expect.stringMatching(/^whether a CA has web .*no complete answer within 1\.2 s$/),
  ]);
  // The end of the run also ends its probes.
  const ending = AbortSignal.timeout(300);
  const whole = performance.now();
  await expect(probe(targets, ports, { limitMs: 5_000, signal: ending })).rejects.toThrow();
  expect(performance.now() - whole).toBeLessThan(8_000);
});

it('writes nothing about hosts that do not answer, and respects the rate limit', async () => {
  const targets = Array.from({ length: 10 }, () => target('smb-signing'));
  const began = performance.now();
  const { records, notes } = await probe([...targets, target('ldap-signing')], {}, { perSecond: 20 });
  expect(performance.now() - began).toBeGreaterThan(500);
  expect(records).toEqual([]);
  expect(notes).toHaveLength(11);
  expect(notes[0]).toContain('whether SMB is signed is unknown: dc1.lab.test');
  expect(notes.join()).toContain('probing needs Kerberos');
  const ending = AbortSignal.abort(new Error('the run was ended'));
  await expect(probe(targets, {}, { signal: ending })).rejects.toThrow('the run was ended');
});
