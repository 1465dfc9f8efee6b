/** Kinds of accounts that can be disabled to see the effect. */
export const ACCOUNTS: readonly string[] = ['User', 'Computer', 'AZUser', 'AZServicePrincipal'];
