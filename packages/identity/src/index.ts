/** The parts of identity that other capabilities need: secrets and tokens. */

export { activeUser } from './principals.ts';
export type { SecretBox } from './secretBox.ts';
export { tokenRecord } from './tokenRecord.ts';
export { type ApiTokens, TOKEN_COLUMNS } from './tokens.ts';
export { type Assignee, assignableUser, assignableUsers } from './users/assignableUsers.ts';
