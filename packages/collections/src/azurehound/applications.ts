/**
 * Applications, service principals, their credentials and permissions. Rules:
 * `docs/reference/azurehound.md#applications`.
 */
import type { PropertyValue } from '@clew/model';
import { GRAPH_PERMISSION_EDGES, MICROSOFT_GRAPH_APP } from './constants.ts';
import { containInTenant, nameInTenant } from './directory.ts';
import type { AzureFacts, End } from './facts.ts';
import { flag, type Item, id, isSaid, member, record, records, text, texts, time, upper } from './fields.ts';

/** The node's id is the client id; role assignments use the id of the directory object. */
export function convertApp(item: Item, facts: AzureFacts): void {
  const app = facts.describe('AZApp', id(item, 'appId'), {
    name: `${upper(item, 'displayName')}@${upper(item, 'publisherDomain')}`,
    description: text(item, 'description'),
    displayname: text(item, 'displayName'),
    whencreated: time(item, 'createdDateTime'),
    appid: text(item, 'appId'),
    applicationobjectid: upper(item, 'id'),
    publisherdomain: text(item, 'publisherDomain'),
    signinaudience: text(item, 'signInAudience'),
    ...credentialCounts(item),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, app);
}

const CREDENTIALS = ['keyCredentials', 'passwordCredentials'] as const;
const DAY_MS = 86_400_000;

/** Secrets and certificates that the application signs in with; unknown if the collector did not ask for them. */
function credentialCounts(item: Item): Record<string, PropertyValue> {
  const unknown = { validcredentialcount: null, expiredcredentialcount: null, longestcredentialdays: null };
  if (!CREDENTIALS.some((list) => isSaid(item, list))) return unknown;
  const all = CREDENTIALS.flatMap((list) => records(item, list)).filter(
    (one) => text(one, 'usage') !== 'Sign',
  );
  const valid = all.filter((one) => !isExpired(one));
  const days = valid.map((one) =>
    Math.round((timeOf(one, 'endDateTime') - timeOf(one, 'startDateTime')) / DAY_MS),
  );
  return {
    validcredentialcount: valid.length,
    expiredcredentialcount: all.length - valid.length,
    longestcredentialdays: Math.max(0, ...days.filter(Number.isFinite)),
  };
}

/** @returns milliseconds since 1970; NaN for a missing or unreadable time */
const timeOf = (credential: Item, name: string): number => Date.parse(String(member(credential, name)));

/** The collector says it, else the time of reading decides. */
const isExpired = (credential: Item): boolean =>
  isSaid(credential, 'isExpired')
    ? flag(credential, 'isExpired')
    : timeOf(credential, 'endDateTime') <= Date.now();

export function convertFederatedCredentials(item: Item, facts: AzureFacts): void {
  const app: End = { kind: 'AZApp', id: id(item, 'appId') };
  facts.enumerate(app, 'az-credentials');
  for (const entry of records(item, 'fics')) {
    const credential = record(entry, 'fic');
    const node = facts.describe('AZFederatedIdentityCredential', id(credential, 'id'), {
      name: `${upper(credential, 'name')}@${upper(item, 'tenantName')}`,
      description: text(credential, 'description'),
      issuer: text(credential, 'issuer'),
      audiences: texts(credential, 'audiences'),
      subject: text(credential, 'subject'),
      tenantid: upper(item, 'tenantId'),
    });
    facts.edge(app, 'az-credentials', node, 'AZAuthenticatesTo', app);
  }
}

/** An item produces two nodes: the service principal and its application, which may belong to another tenant. */
export function convertServicePrincipal(item: Item, facts: AzureFacts): void {
  const principal = facts.describe('AZServicePrincipal', id(item, 'id'), {
    name: nameInTenant(item),
    enabled: flag(item, 'accountEnabled'),
    displayname: text(item, 'displayName'),
    description: text(item, 'description'),
    appownerorganizationid: text(item, 'appOwnerOrganizationId'),
    appdescription: text(item, 'appDescription'),
    appdisplayname: text(item, 'appDisplayName'),
    loginurl: text(item, 'loginUrl'),
    serviceprincipaltype: text(item, 'servicePrincipalType'),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, principal);
  facts.enumerate(principal, 'az-app');
  if (upper(item, 'appId') === '') return;
  const app = facts.mention('AZApp', upper(item, 'appId'), {
    displayname: text(item, 'appDisplayName'),
    tenantid: upper(item, 'appOwnerOrganizationId'),
  });
  facts.edge(principal, 'az-app', app, 'AZRunsAs', principal);
}

/**
 * An application permission granted to a service principal. Only permissions of Microsoft Graph lead to control.
 *
 * Each item has one permission; the items of a collection together enumerate those of the principal. The case of the display names here
 * differs from the objects' own, so they are not stored (quirk of the reference).
 */
export function convertAppRoleAssignment(item: Item, facts: AzureFacts): void {
  if (text(item, 'appId').toLowerCase() !== MICROSOFT_GRAPH_APP) return;
  if (text(item, 'principalType').toLowerCase() !== 'serviceprincipal') return;
  const tenant = { tenantid: upper(item, 'tenantId') };
  const principal = facts.mention('AZServicePrincipal', id(item, 'principalId'), tenant);
  const resource = facts.mention('AZServicePrincipal', id(item, 'resourceId'), tenant);
  facts.enumerate(principal, 'az-app-roles');
  const kind = GRAPH_PERMISSION_EDGES.get(text(item, 'appRoleId').toLowerCase());
  if (kind !== undefined) facts.edge(principal, 'az-app-roles', principal, kind, resource);
}
