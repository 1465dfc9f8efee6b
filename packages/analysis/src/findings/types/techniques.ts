/**
 * MITRE ATT&CK (Enterprise) techniques of findings, so that findings can be compared with detections and exercises. Assigned by family;
 * empty for findings that only limit what the service can see. `@clew/model` has the titles.
 */
import { type Technique, techniqueAddress, techniqueName } from '@clew/model';
import type { Reference } from './family.ts';
import type { FindingType } from './findingType.ts';

/** Keyed by the family's key. */
const OF_FAMILY: Readonly<Record<string, readonly Technique[]>> = {
  serviceTickets: ['T1558.003'],
  preAuthentication: ['T1558.004'],
  delegationProtection: ['T1558'],
  accountSettings: ['T1078.002'],
  exposedSecrets: ['T1552'],
  staleAccounts: ['T1078.002'],
  keyRotation: ['T1558.001'],
  permissionInheritance: ['T1222.001'],
  obsoleteSystems: ['T1210'],
  domainDefaults: [],
  collectionGaps: [],
  otherPlatforms: [],
  customChecks: [],
  certificateSubjects: ['T1649'],
  templateRights: ['T1649'],
  alternativeNames: ['T1649'],
  certificateBinding: ['T1649'],
  issuancePolicies: ['T1649'],
  certificationAuthorities: ['T1649'],
  relay: ['T1557.001', 'T1187'],
  synchronization: ['T1003.006', 'T1078.004'],
  roleAssignableGroups: ['T1098.003'],
  applicationOwnership: ['T1098.001'],
  cloudPasswordReset: ['T1098'],
  deviceManagement: ['T1072'],
  roleAssignments: ['T1098.003', 'T1078.004'],
  federatedCredentials: ['T1098.001'],
  graphPermissions: ['T1098.003'],
  azureAssignments: ['T1078.004'],
  azureResourceRoles: ['T1078.004'],
  keyVaults: ['T1555.006'],
  managedIdentities: ['T1552.005'],
  accessRights: ['T1098', 'T1222.001'],
  ownership: ['T1222.001'],
  passwordReset: ['T1098'],
  groupMembershipRights: ['T1098.007'],
  attributeWrites: ['T1098'],
  delegation: ['T1558'],
  unconstrainedDelegation: ['T1558', 'T1187'],
  groupPolicy: ['T1484.001'],
  managedPasswords: ['T1552'],
  replicationRights: ['T1003.006'],
  localAdministrators: ['T1078.003'],
  remoteAccess: ['T1021'],
  privilegedLogons: ['T1003.001'],
  sidHistory: ['T1134.005'],
  zoneMembership: ['T1098.007'],
  trusts: ['T1134.005'],
  largeGroups: ['T1078.002'],
};

/** Keyed by type id, if it differs from its family. */
const OF_TYPE: Readonly<Record<string, readonly Technique[]>> = {
  MachineAccountQuota: ['T1136.002'],
  NoLockoutPolicy: ['T1110'],
  WeakPasswordPolicy: ['T1110'],
  PreWindows2000Access: ['T1087.002'],
  GPOUnlinked: [],
  ComputerOldPassword: ['T1078.002'],
  RodcKrbtgtOrphaned: ['T1558.001'],
  PreCreatedComputers: ['T1110', 'T1078.002'],
  TemplateESC17: ['T1649', 'T1557.001'],
};

/** @returns technique ids; for a check, those given by its author @throws Error for a family without an entry */
export function techniquesOf(type: FindingType): readonly string[] {
  if (type.kind === 'list' && type.check !== undefined) return type.check.techniques;
  const { id, family } = type;
  const found = OF_TYPE[id] ?? OF_FAMILY[family.key];
  if (found === undefined) throw new Error(`no techniques are given for ${family.key}`);
  return found;
}

export function techniqueReference(technique: string): Reference {
  const name = techniqueName(technique);
  return {
    title: `MITRE ATT&CK ${technique}${name === undefined ? '' : `: ${name}`}`,
    url: techniqueAddress(technique),
  };
}
