/** Helpers that create members of definitions, as in `docs/extensions.md`. */

export const nodeKind = (name: string, display_name: string, icon: string, color: string): object => ({
  ...{ name, display_name, icon, color, is_display_kind: true },
});

/** Phrases of relationships between two names. */
const PHRASES: Readonly<Record<string, string>> = {
  Desk_Administers: 'administers',
  Desk_Contains: 'contains',
  Desk_HoldsTokenOf: 'holds a token of',
  Desk_Reads: 'reads tickets of',
  Desk_ResetsPasswordOf: 'sets the password of',
  Desk_SignsInAs: 'signs in as',
  Desk_Triggers: 'starts',
  Desk_Works: 'changes tickets of',
  Gate_Administers: 'administers',
  Gate_AssignedTo: 'is assigned to',
  Gate_Configures: 'configures',
  Gate_Contains: 'contains',
  Gate_HasRole: 'has the role',
  Gate_MemberOf: 'is a member of',
  Gate_ResetPassword: 'can reset the password of',
  Gate_RunsAs: 'runs as',
  Gate_SyncedTo: 'is synchronized to',
  Hub_CanRead: 'can read',
  Hub_CanWrite: 'can write to',
  Hub_Contains: 'contains',
  Hub_CredentialOf: 'is a credential of',
  Hub_HostedOn: 'is hosted on',
  Hub_MemberOf: 'is a member of',
  Hub_Owns: 'owns',
  Hub_Runs: 'defines',
  Hub_RunsOn: 'runs on',
  Hub_SignsInAs: 'signs in as',
  Hub_UsesSecret: 'uses the secret',
};

const phraseOf = (name: string): { phrase?: string } =>
  PHRASES[name] === undefined ? {} : { phrase: PHRASES[name] };

/** A step of attack paths. @param effort 0, 1, 2, 4 or 8 */
export const step = (name: string, description: string, effort: number, effort_reason: string): object => ({
  ...{ name, description, ...phraseOf(name), is_traversable: true, effort, effort_reason },
});

export const relation = (name: string, description: string): object => ({
  ...{ name, description, ...phraseOf(name) },
});

/** Describes how to remove a relationship. */
export const repair = (
  relationship_kind: string,
  cost: number,
  [title, change, check, risk]: readonly [title: string, change: string, check: string, risk: string],
): object => ({ relationship_kind, object: 'source', cost, title, change, check, risk });

export const finding = (
  relationship_kind: string,
  environment_kind: string,
  display_name: string,
  [description, remediation]: readonly [string, string],
): object => ({
  name: `${relationship_kind}_IntoZone`,
  ...{ display_name, environment_kind, relationship_kind },
  remediation: { short_description: description, short_remediation: remediation },
});
