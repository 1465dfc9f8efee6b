/** A proxy in front of a service that loses one answer: the service processed the call, and the client does not know. */
import { type ForwardingProxy, forwardingProxy } from './forwardingProxy.ts';

/** @param lost the call whose first answer is lost */
export const losingProxy = (target: string, lost: string): Promise<ForwardingProxy> =>
  forwardingProxy(target, {
    loses: (call, seen) => call === lost && seen.filter((one) => one === lost).length === 1,
  });
