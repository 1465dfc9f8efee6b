/**
 * Attributes with which an object is taken over, by its kind: an event on an attribute that objects of the kind do not have never occurs.
 *
 * Source: Microsoft's schema reference (attributes of classes); MS-CRTD 2.4 to 2.29 for templates; MS-GPOL 2.2.2 for policies. Rule:
 * `docs/kits.md#detection-rules`.
 */
import type { EdgeKindName } from '@clew/model';

const OF_CERTIFICATES = ['cACertificate'] as const;

/** The access control list is not in these lists. */
export const ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [
    'User',
    [
      ...['msDS-KeyCredentialLink', 'servicePrincipalName', 'altSecurityIdentities', 'userAccountControl'],
      ...['userPrincipalName', 'scriptPath', 'msDS-AllowedToActOnBehalfOfOtherIdentity'],
      // Group managed service accounts are users in collections.
      'msDS-GroupMSAMembership',
    ],
  ],
  [
    'Computer',
    [
      ...['msDS-AllowedToActOnBehalfOfOtherIdentity', 'msDS-KeyCredentialLink', 'servicePrincipalName'],
      ...['altSecurityIdentities', 'userAccountControl', 'dNSHostName'],
    ],
  ],
  // Events of the group management show new members.
  ['Group', []],
  ['OU', ['gPLink', 'gPOptions']],
  ['Domain', ['gPLink', 'ms-DS-MachineAccountQuota']],
  ['Container', []],
  ['GPO', ['gPCFileSysPath', 'gPCMachineExtensionNames', 'gPCUserExtensionNames', 'versionNumber']],
  [
    'CertTemplate',
    [
      ...[
        'msPKI-Certificate-Name-Flag',
        'msPKI-Enrollment-Flag',
        'pKIExtendedKeyUsage',
        'msPKI-RA-Signature',
      ],
      ...[
        'msPKI-Certificate-Application-Policy',
        'msPKI-RA-Application-Policies',
        'msPKI-Certificate-Policy',
      ],
      ...['msPKI-Private-Key-Flag', 'msPKI-Template-Schema-Version'],
    ],
  ],
  ['EnterpriseCA', ['certificateTemplates', 'dNSHostName', 'cACertificate']],
  ['RootCA', OF_CERTIFICATES],
  ['AIACA', OF_CERTIFICATES],
  ['NTAuthStore', OF_CERTIFICATES],
  ['IssuancePolicy', ['msDS-OIDToGroupLink']],
]);

/** Kinds in the configuration partition, which every domain controller of the forest writes. */
export const OF_FOREST: ReadonlySet<string> = new Set([
  ...['CertTemplate', 'EnterpriseCA', 'RootCA', 'AIACA', 'NTAuthStore', 'IssuancePolicy'],
]);

export const LIST = 'nTSecurityDescriptor';

/** Rights to write single attributes. */
export const SINGLE: Readonly<Partial<Record<EdgeKindName, readonly string[]>>> = {
  WriteDacl: [LIST],
  WriteOwnerRaw: [LIST],
  WriteOwner: [LIST],
  WriteOwnerLimitedRights: [LIST],
  OwnsRaw: [LIST],
  Owns: [LIST],
  AddKeyCredentialLink: ['msDS-KeyCredentialLink'],
  WriteSPN: ['servicePrincipalName'],
  AddAllowedToAct: ['msDS-AllowedToActOnBehalfOfOtherIdentity'],
  WriteAccountRestrictions: ['msDS-AllowedToActOnBehalfOfOtherIdentity', 'userAccountControl'],
  WriteGPLink: ['gPLink'],
  WritePKINameFlag: ['msPKI-Certificate-Name-Flag'],
  WritePKIEnrollmentFlag: ['msPKI-Enrollment-Flag'],
  WriteAltSecurityIdentities: ['altSecurityIdentities'],
  WritePublicInformation: ['altSecurityIdentities', 'userPrincipalName', 'servicePrincipalName'],
};
