/** A proxy in front of a service that loses one answer: the service did what was asked, and the one who asked does not know. */
import { type ForwardingProxy, forwardingProxy } from './forwardingProxy.ts';

/** @param lost the call whose first answer is lost */
export const losingProxy = (target: string, lost: string): Promise<ForwardingProxy> =>
  forwardingProxy(target, {
    loses: (call, seen) => call === lost && seen.filter((one) => one === lost).length === 1,
  });
