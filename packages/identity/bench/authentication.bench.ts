/**
 * Measures the verification of signed requests, which is part of the time of each request. Repeated signatures are answered from memory;
 * new ones are stored many at a time by one statement.
 */
import { createHmac } from 'node:crypto';
import type { AuthToken } from '@clew/api';
import type { AuthenticationRequest, UserPrincipal } from '@clew/common';
import { addUser, callHandler, jsonOf, openTestIdentity } from '@clew/identity/testing';

const REQUESTS = { small: 5000, large: 50_000 } as const;
/** Number of concurrent requests. */
const WIDTH = 32;

export default {
  name: 'service: signed requests',
  async run({ scale }: { readonly scale: 'small' | 'large' }) {
    const kit = await openTestIdentity();
    const { authenticator } = kit.identity;
    const userId = await addUser(kit, { name: 'bench' });
    const caller: UserPrincipal = {
      kind: 'user',
      userId,
      name: 'bench',
      email: null,
      role: 'User',
      permissions: new Set(),
      environments: null,
    };
    const made = await callHandler(kit.identity, 'CreateAuthToken', { body: {} }, caller);
    const token = (jsonOf(made) as { data: AuthToken }).data;
    const date = new Date(kit.clock.time).toISOString();

    const verify = async (request: AuthenticationRequest) => {
      const begun = await authenticator.begin(request);
      const refusal = 'refusal' in begun ? begun.refusal : await begun.body!.finish();
      if (refusal !== undefined) throw refusal;
    };
    const measure = async (name: string, targetOf: (index: number) => string) => {
      const requests = Array.from({ length: REQUESTS[scale] }, (_, index) =>
        signedGet(token, targetOf(index), date),
      );
      const cpu = process.cpuUsage();
      const started = performance.now();
      let next = 0;
      const worker = async () => {
        while (next < requests.length) await verify(requests[next++]);
      };
      await Promise.all(Array.from({ length: WIDTH }, worker));
      const seconds = (performance.now() - started) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      const figures = {
        'requests/s': Math.round(requests.length / seconds),
        'µs of processor a request': Math.round((user + system) / requests.length),
      };
      return { name, figures };
    };

    try {
      await measure('warm-up', () => '/api/v2/self');
      return [
        await measure('the same request again', () => '/api/v2/self'),
        await measure('a new request each time', (index) => `/api/v2/search?q=${index}`),
      ];
    } finally {
      await kit.close();
    }
  },
};

function signedGet(token: AuthToken, rawTarget: string, date: string): AuthenticationRequest {
  const operation = createHmac('sha256', token.key).update(`GET${rawTarget}`).digest();
  const dated = createHmac('sha256', operation).update(date.slice(0, 13)).digest();
  const signature = createHmac('sha256', dated).digest('base64');
  return {
    method: 'GET',
    operationId: 'GetSelf',
    rawTarget,
    headers: { authorization: `svcsignature ${token.id}`, requestdate: date, signature },
    clientAddress: '192.0.2.7',
    signal: new AbortController().signal,
  };
}
