/** The collector, which reads a directory for the command line. */

export { type ChangeReport, DomainChanges, FullReadingNeeded } from './directory/changes.ts';
export type { GraphCredentials } from './entra/graphSignIn.ts';
export { parseTenantState, type TenantState } from './entra/tenantChanges.ts';
export { readCredentialCache } from './kerberos/credentialCache.ts';
export { readKeytab } from './kerberos/keytab.ts';
export { PROBES, type Probe, type ProbeTarget } from './probes/runProbes.ts';
export { type AccessCheck, ATTRIBUTE_COUNT, checkAccess } from './runner/checkAccess.ts';
export {
  type CollectRequest,
  type CollectResult,
  collectAll,
  collectChanges,
  collectDomain,
  signInAtOne,
} from './runner/collectDomain.ts';
export { collectForest, type ForestResult } from './runner/collectForest.ts';
export { collectTenant, type TenantResult } from './runner/collectTenant.ts';
export { type FoundDomain, findForest, NO_CONTROLLER } from './runner/findForest.ts';
export { type Controller, type Credentials, type Encryption, isRefused } from './signIn/signIn.ts';
