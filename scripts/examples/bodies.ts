/** Bodies of the requests for the examples. */

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

export const PASSWORD = 'Correct-Horse-1';

export const LOGIN = { login_method: 'secret', username: 'admin', secret: PASSWORD };
export const DAILY = { rrule: 'DTSTART;TZID=Europe/Berlin:20300101T023000\nRRULE:FREQ=DAILY' };
/** The removal of an entry of an access list. */
export const entryOf = ({ source_id, target_id, kinds }: Json): Json => ({
  ...{ kind: 'remove-permission', object_id: target_id, principal_id: source_id, relations: kinds },
});

export const EXTENSION = {
  schema: { name: 'example-shop', display_name: 'Shop', version: 'v1.0.0', namespace: 'SHOP' },
  node_kinds: [
    { name: 'SHOP_Store', display_name: 'Store', is_display_kind: true, icon: 'store', color: '#336699' },
    { name: 'SHOP_Clerk', display_name: 'Clerk' },
  ],
  relationship_kinds: [
    { name: 'SHOP_Manages', is_traversable: true, effort: 1, effort_reason: 'One action of the shop' },
    { name: 'SHOP_SameAs', is_traversable: true },
  ],
  identities: [
    {
      ...{ kind: 'SHOP_SameAs', matcher: 'upn' },
      ...{ start: { kind: 'User' }, end: { kind: 'SHOP_Clerk', property: 'login' } },
    },
  ],
  environments: [
    { environment_kind: 'SHOP_Store', source_kind: 'SHOPBase', principal_kinds: ['SHOP_Clerk'] },
  ],
};
export const CHECK = {
  name: 'Check_AccountsWithServiceNames',
  title: 'Accounts of persons with service names',
  category: 'Account Hygiene',
  severity: 'moderate',
  cypher:
    'MATCH (u:User) WHERE u.hasspn = true RETURN u, u.serviceprincipalnames AS names ORDER BY u.objectid',
  remediation: { short_remediation: 'Move the service to a managed service account.' },
  techniques: ['T1558.003'],
  owner: 'Directory team',
};
export const READING = {
  ...{ name: 'AURORA.EXAMPLE', controller: 'dc1.aurora.example', usn: 48_213, is_full: true },
  account: 'reader@aurora.example',
  notes: [
    {
      what: 'access control lists that this account cannot read',
      count: 12,
      first: 'OU=Vault,DC=aurora,DC=example',
    },
  ],
};

export const ASSISTANT = {
  client_name: 'Example assistant',
  redirect_uris: ['http://127.0.0.1:33418/callback'],
};

export const ENDED = { status: 'COMPLETE', message: 'Collection completed successfully' };

export const WEBHOOK = {
  name: 'SIEM',
  url: 'https://siem.example.com/clew',
  event_types: ['finding.opened', 'finding.resolved'],
};

export const authorizationOf = (clientId: unknown) => ({
  ...{ response_type: 'code', client_id: clientId, redirect_uri: ASSISTANT.redirect_uris[0] },
  // The challenge of RFC 7636, appendix B.
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});
