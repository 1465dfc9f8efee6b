/** A proxy in front of a service that refuses some calls, like an older service or another proxy. */
import { type ForwardingProxy, forwardingProxy } from './forwardingProxy.ts';

/** @param refusals status of the answer by the start of the call, as `POST /path` */
export const refusingProxy = (
  target: string,
  refusals: Readonly<Record<string, number>>,
): Promise<ForwardingProxy> =>
  forwardingProxy(target, {
    answers: (call, asked, answer) => {
      const refused = Object.entries(refusals).find(([start]) => call.startsWith(start));
      if (refused === undefined) return false;
      const errors = [{ context: 'proxy', message: 'refused here' }];
      const body = { http_status: refused[1], timestamp: new Date().toISOString(), request_id: '1', errors };
      asked.resume().on('end', () => {
        answer.writeHead(refused[1], { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      return true;
    },
  });
