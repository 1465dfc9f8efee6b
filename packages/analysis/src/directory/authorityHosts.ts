/**
 * Finds the host of a certificate authority whose file does not identify it: the collector wrote a name, or that it found none. The host is
 * the only computer with the DNS name of the authority; if none or several match, it is unknown, as the warning of its file says.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import { nameOf } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import type { Membership } from './everybody.ts';

export const AUTHORITY_HOST_READS: Reads = {
  edges: ['HostsCAService'],
  nodeProperties: ['hostunresolved', 'dnshostname'],
};

/** @param facts context of the collected graph @returns hosts that the files do not identify */
export function hostsOfAuthorities(facts: AnalysisContext): Membership[] {
  const context = facts.readingFor('hosts of authorities', AUTHORITY_HOST_READS);
  const { graph, properties } = context;
  const wanted = new Map<string, number[]>();
  context.nodesOf('EnterpriseCA').forEach((authority) => {
    if (properties.flag('hostunresolved', authority) !== true) return;
    if (!context.edges('HostsCAService').startsOf(authority).isEmpty) return;
    const name = dnsName(properties.text('dnshostname', authority) ?? '');
    if (name !== '') wanted.set(name, [...(wanted.get(name) ?? []), authority]);
  });
  if (wanted.size === 0) return [];
  const computers = new Map<string, number[]>();
  context.nodesOf('Computer').forEach((computer) => {
    const name = dnsName(nameOf(graph, computer));
    if (wanted.has(name)) computers.set(name, [...(computers.get(name) ?? []), computer]);
  });
  return [...wanted].flatMap(([name, authorities]) => {
    const [start, another] = computers.get(name) ?? [];
    if (start === undefined || another !== undefined) return [];
    return authorities.map((end) => ({
      ...{ start, kind: EdgeKind.HostsCAService, end, flags: EdgeFlag.Derived },
    }));
  });
}

/** Normalizes a name for comparison: ignores case and the trailing root dot. */
const dnsName = (text: string): string => text.trim().replace(/\.$/, '').toUpperCase();
