/** The collector: what reads a directory, for the command line. */

export { LdapClient } from './ldap/ldapClient.ts';
export { LdapError } from './ldap/results.ts';
export {
  type Controller,
  type Credentials,
  type Encryption,
  isRefused,
  type SignInRequest,
  signInAt,
} from './signIn/signIn.ts';
