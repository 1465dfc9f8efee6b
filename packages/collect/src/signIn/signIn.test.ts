import { expect, it } from 'vitest';
import {
  ACCOUNT,
  acceptSignIn,
  PASSWORD,
  SESSION_KEY,
  simulatedKerberos,
  USER,
} from '../../test/simulatedKerberos.ts';
import { bindAccepted, bindResult, resultMessage, simulatedLdap } from '../../test/simulatedLdap.ts';
import { AES256, type Key } from '../kerberos/encryption.ts';
import { isRefused, signInAt } from './signIn.ts';

const host = 'dc1.lab.test';

it('signs in with Kerberos and encrypts everything that follows', async () => {
  await using kerberos = await simulatedKerberos();
  const subkey: Key = { type: AES256, bytes: Buffer.alloc(32, 7) };
  await using server = await simulatedLdap(({ id, send }) => send(bindAccepted(id, acceptSignIn(subkey))));
  const controller = { host, address: '127.0.0.1', port: server.port, kerberosPort: kerberos.port };
  const client = await signInAt({
    controller,
    encryption: 'sealed',
    credentials: { kind: 'kerberos', account: ACCOUNT },
  });
  expect(client.connection.isEncrypted).toBe(true);
  const before = Buffer.concat(server.received).length;
  client.close();
  await expect.poll(() => Buffer.concat(server.received).length).toBeGreaterThan(before);
  // Encrypted bytes start with their length, then the token id of an encrypted message.
  expect(
    Buffer.concat(server.received)
      .subarray(before + 4, before + 6)
      .toString('hex'),
  ).toBe('0504');
});

it('refuses a service that does not authenticate itself, and a password on port 389 without TLS', async () => {
  await using kerberos = await simulatedKerberos();
  await using server = await simulatedLdap(({ id, send }) =>
    send(bindAccepted(id, acceptSignIn(SESSION_KEY, 0, SESSION_KEY))),
  );
  const controller = { host, address: '127.0.0.1', port: server.port, kerberosPort: kerberos.port };
  const request = {
    controller,
    encryption: 'sealed',
    credentials: { kind: 'kerberos', account: ACCOUNT },
  } as const;
  await expect(signInAt(request)).rejects.toThrow('a key does not match');
  const before = server.received.length;
  const byPassword = { kind: 'password', user: USER, password: PASSWORD } as const;
  await expect(signInAt({ ...request, credentials: byPassword })).rejects.toThrow('use LDAPS or StartTLS');
  expect(server.received).toHaveLength(before);
});

it('stops without encryption if StartTLS is refused', async () => {
  await using server = await simulatedLdap(({ id, send }) => send(resultMessage(id, 0x78, 52)));
  const controller = { host, address: '127.0.0.1', port: server.port };
  const credentials = { kind: 'password', user: USER, password: PASSWORD } as const;
  await expect(signInAt({ controller, encryption: 'starttls', credentials })).rejects.toThrow(
    'StartTLS at dc1.lab.test',
  );
  expect(Buffer.concat(server.received).toString()).not.toContain(PASSWORD);
});

it('distinguishes refused sign-ins, which must not be tried elsewhere, from controllers that do not answer', async () => {
  const failureOf = async (code: number, password: string): Promise<unknown> => {
    await using kerberos = await simulatedKerberos();
    await using server = await simulatedLdap(({ id, send }) => send(bindResult(id, code)));
    const controller = { host, address: '127.0.0.1', port: server.port, kerberosPort: kerberos.port };
    const credentials = { kind: 'kerberos', account: { ...ACCOUNT, secret: { password } } } as const;
    return await signInAt({ controller, encryption: 'sealed', credentials }).catch((error: unknown) => error);
  };
  expect(isRefused(await failureOf(0, 'wrong'))).toBe(true);
  expect(isRefused(await failureOf(49, PASSWORD))).toBe(true);
  expect(isRefused(await failureOf(52, PASSWORD))).toBe(false);
});
