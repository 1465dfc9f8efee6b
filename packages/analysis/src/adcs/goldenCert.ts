/**
 * GoldenCert: the host of a CA stores the CA's private key, so control of the host is control of every domain that accepts the CA's
 * certificates. Only qualifying hosts count: a disabled second host has no usable key.
 *
 * Rule: `docs/rules.md#goldencert`.
 */
import type { Rule } from '../rule.ts';
import { certificateAuthorities } from './certificateAuthorities.ts';
import { PkiSketch } from './pkiSketch.ts';

export const goldenCert: Rule = {
  name: 'GoldenCert',
  produces: ['GoldenCert'],
  reads: { shared: [certificateAuthorities] },
  derive: (context, edges) => {
    for (const ca of context.use(certificateAuthorities).active) {
      edges.addProduct('GoldenCert', ca.hosts, ca.domains);
    }
  },
  compose: (context, { start, end }) => {
    const sketch = new PkiSketch(context);
    for (const ca of context.use(certificateAuthorities).active) {
      if (!ca.hosts.includes(start) || !ca.domains.includes(end)) continue;
      sketch.addEdge(start, 'HostsCAService', ca.node);
      sketch.addChain(ca.node, end);
      sketch.addTrust(ca.node, end);
    }
    return sketch.build();
  },
};
