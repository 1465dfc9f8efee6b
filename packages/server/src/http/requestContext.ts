import type { Principal, RequestContext } from '@clew/common';
import type { Exchange } from './exchange.ts';

type RequestFacts = Pick<
  Exchange,
  'requestId' | 'deadline' | 'log' | 'clientAddress' | 'peerAddress' | 'publicUrl' | 'headers'
>;

/** The context in which a handler answers a request of this principal. */
export function contextOf(
  { requestId, deadline, log, clientAddress, peerAddress, publicUrl, headers }: RequestFacts,
  principal: Principal,
): RequestContext {
  return {
    requestId,
    principal,
    signal: deadline.signal,
    get deadline() {
      return deadline.at;
    },
    clock: deadline,
    log,
    clientAddress,
    peerAddress,
    publicUrl,
    headers,
  };
}
