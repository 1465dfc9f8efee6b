/** The collector: reads a directory, for the command line. */

export type { GraphCredentials } from './entra/graphSignIn.ts';
export { readCredentialCache } from './kerberos/credentialCache.ts';
export { readKeytab } from './kerberos/keytab.ts';
export { type AccessCheck, ATTRIBUTE_COUNT, checkAccess } from './runner/checkAccess.ts';
export {
  type CollectRequest,
  type CollectResult,
  collectDomain,
  signInAtOne,
} from './runner/collectDomain.ts';
export { collectTenant, type TenantResult } from './runner/collectTenant.ts';
export type { Controller, Credentials, Encryption } from './signIn/signIn.ts';
