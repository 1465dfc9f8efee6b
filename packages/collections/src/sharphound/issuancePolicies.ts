/**
 * Issuance policies, and the group that a certificate with the policy represents. Rule:
 * `docs/reference/collections.md#certificate-services`.
 */
import type { DirectoryObject } from './directoryObject.ts';
import { directoryType } from './directoryType.ts';
import { edge } from './edges.ts';
import { Method } from './methods.ts';

export const issuancePolicies = directoryType({
  type: 'issuancepolicies',
  kind: 'IssuancePolicy',
  read: readGroupLink,
});

function readGroupLink(policy: DirectoryObject): void {
  const isEnumerated = policy.enumerates('GroupLink', Method.CertServices);
  policy.addAspect('group-link', isEnumerated, () => {
    const group = policy.principal('GroupLink');
    if (group !== undefined) policy.properties.grouplinkid = group.id;
    else if (isEnumerated === true) policy.properties.grouplinkid = null;
    return { edges: group === undefined ? [] : [edge(policy.self, 'OIDGroupLink', group)] };
  });
}
