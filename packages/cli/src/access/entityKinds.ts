/** Kinds of objects by the first part of the paths of their operations. */
export const ENTITY_KINDS: Readonly<Record<string, readonly string[]>> = {
  base: ['Group', 'User', 'AZUser'],
  users: ['User'],
  groups: ['Group'],
  computers: ['Computer'],
  domains: ['Domain'],
  gpos: ['GPO'],
  ous: ['OU'],
  containers: ['Container'],
  aiacas: ['AIACA'],
  rootcas: ['RootCA'],
  enterprisecas: ['EnterpriseCA'],
  ntauthstores: ['NTAuthStore'],
  certtemplates: ['CertTemplate'],
  issuancepolicies: ['IssuancePolicy'],
  azure: ['AZUser', 'AZGroup', 'AZTenant', 'AZRole', 'AZApp'],
};
