/** The parts of identity for other capabilities: secrets and tokens. */

export { activeUser } from './principals.ts';
export type { ResealSecrets } from './reseal.ts';
export type { SecretBox } from './secretBox.ts';
export { tokenRecord } from './tokenRecord.ts';
export { type ApiTokens, TOKEN_COLUMNS } from './tokens.ts';
export { type Assignee, assignableUser, assignableUsers } from './users/assignableUsers.ts';
