/**
 * Finding types that one cause can produce together: a setting and the relation it allows, the same setting for any account and for one in
 * Tier Zero, the same relation at a zone and from a large default group. The texts mention this, so that no one counts a problem twice.
 */
import { FINDING_TYPES, type FindingId, RELATIONSHIP_FINDINGS } from './catalog.ts';
import type { FindingType } from './findingType.ts';

const TOGETHER: readonly (readonly FindingId[])[] = [
  ['Kerberoasting', 'T0Kerberoastable', 'KerberoastingWeakEncryption'],
  ['ASREPRoasting', 'T0ASREPRoastable'],
  ['T0MarkSensitive', 'T0UserNotProtected'],
  ['PasswordNeverExpires', 'T0PasswordNeverExpires'],
  ['OldServiceAccountPassword', 'T0OldPassword'],
  ['StaleUsers', 'T0StaleUsers', 'ManagedAccountUnused', 'ServiceAccountUnused'],
  ['StaleComputers', 'PreCreatedComputers'],
  ['StaleUsers', 'NeverLoggedOnT0'],
  ['ObsoleteOperatingSystem', 'T0ObsoleteOperatingSystem'],
  ['SMBSigningNotRequired', 'T0SMBSigningNotRequired', 'T0CoerceAndRelayNTLMToSMB'],
  ['DCLDAPSigningOff', 'T0CoerceAndRelayNTLMToLDAP'],
  ['DCLDAPSChannelBindingOff', 'T0CoerceAndRelayNTLMToLDAPS'],
  ['CAWebEnrollmentRelay', 'T0CoerceAndRelayNTLMToADCS'],
  ['CAUnencryptedRPC', 'T0CoerceAndRelayNTLMToADCS'],
  ['UnconstrainedDelegationComputers', 'T0CoerceToTGT'],
  ['UnconstrainedDelegationUsers', 'T0CoerceToTGT'],
  ['RBCDConfigured', 'T0AllowedToAct'],
  [
    ...(['SIDHistoryPresent', 'SIDHistoryOwnDomain', 'SIDHistoryUnknownDomain'] as const),
    ...(['PrivilegedSIDHistory', 'T0HasSIDHistory'] as const),
  ],
  ['TrustWithoutSIDFiltering', 'T0SpoofSIDHistory'],
  ['TrustWithTGTDelegation', 'T0AbuseTGTDelegation'],
  ['GPOOwnedOutside', 'T0Owns'],
  ['CAEditfFlag', 'T0ADCSESC6a', 'T0ADCSESC6b'],
  ['TemplateESC1', 'T0ADCSESC1'],
  ['TemplateESC15', 'T0ADCSESC15', 'TemplateESC17'],
  ['ConnectorReplicationRights', 'NonT0DCSyncers'],
  ['TemplateESC2', 'T0ADCSESC3'],
  ['TemplateAgentOpen', 'T0ADCSESC3'],
  ['TemplateNoSecurityExtension', 'T0ADCSESC9a', 'T0ADCSESC9b'],
  ['DCWeakCertificateBinding', 'T0ADCSESC9a', 'T0ADCSESC9b'],
  ['DCUPNCertificateMapping', 'T0ADCSESC6b', 'T0ADCSESC10a', 'T0ADCSESC10b'],
  ['TemplateLinkedToPrivilegedGroup', 'T0ADCSESC13'],
  ['T0ADCSESC4', 'T0GenericAll', 'T0GenericWrite', 'T0WriteDACL', 'T0WriteOwner', 'T0Owns'],
  ['AzureAppOwnedByUser', 'AzureT0Owns'],
  ['AzureVMPrivilegedIdentity', 'AzureNonT0ManagedIdentityAssignment'],
  ['AzureAutomationPrivilegedIdentity', 'AzureNonT0ManagedIdentityAssignment'],
];

const byId: ReadonlyMap<string, ReadonlySet<FindingType>> = collectOverlaps();

/** @returns other types under which the same cause can appear, in catalog order */
export function alsoFoundAs({ id }: FindingType): readonly FindingType[] {
  const others = byId.get(id) ?? new Set();
  return FINDING_TYPES.filter((type) => others.has(type));
}

function collectOverlaps(): Map<string, Set<FindingType>> {
  const types = new Map(FINDING_TYPES.map((type) => [type.id, type]));
  const found = new Map<string, Set<FindingType>>();
  for (const group of [...TOGETHER, ...ofOneEdge()]) {
    for (const id of group) {
      const others = found.get(id) ?? new Set<FindingType>();
      found.set(id, others);
      for (const other of group) {
        const type = types.get(other);
        if (type !== undefined && other !== id) others.add(type);
      }
    }
  }
  return found;
}

/** An edge from a large default group into a zone is a finding of both types. */
function ofOneEdge(): string[][] {
  const [large, others] = [true, false].map((isLarge) =>
    RELATIONSHIP_FINDINGS.filter(({ boundary }) => boundary.startsWith('large') === isLarge),
  );
  return large.flatMap((one) =>
    others
      .filter(({ edges }) => edges.some((edge) => one.edges.includes(edge)))
      .map((other) => [one.id, other.id]),
  );
}
