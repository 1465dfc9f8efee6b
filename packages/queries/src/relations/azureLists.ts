/**
 * The related lists of Entra ID and Azure objects: one row each, with the keys of the contract. Counts, lists and graphs all use the same
 * row.
 *
 * Rule: `docs/reference/azurehound.md#entity-lists`, interpreted for defenders: sets of objects, independent of the traversal. Differences
 * from the original are listed in `quirks.ts`.
 */
import { AZURE_DESCENDENTS, type AzureRelatedType } from '@clew/api';
import { isMarked } from '@clew/generation';
import { EDGE_KINDS, type EdgeKindName, type EdgeKindTraits } from '@clew/model';
import { endsChain } from './conditions.ts';
import { closure, neighbors, type Relation, type StepCondition } from './relation.ts';

export type AzureListKey = `azure/${AzureRelatedType}`;

const kindsWith = (trait: (kind: EdgeKindTraits) => boolean): readonly EdgeKindName[] =>
  EDGE_KINDS.filter(trait).map(({ name }) => name as EdgeKindName);

const CONTROL = kindsWith((kind) => kind.azureControl);
const EXECUTION = kindsWith((kind) => kind.azureExecution);
/** Application permissions granted in Microsoft Graph. */
const APP_ROLES = kindsWith(({ name }) => /^AZMG.*_/.test(name));
const MEMBER_OF = ['AZMemberOf'] as const;
const CONTAINS = ['AZContains'] as const;

/** The end of a chain of memberships: an account, or a group without known members. */
const endsMembership = endsChain('in', 'AZMemberOf');

/** In Entra ID, only groups created as role-assignable can hold roles. */
const isRoleAssignable: StepCondition = (data, _from, to) => isMarked(data.marks, 'roleAssignable', to);

/**
 * Roles, directly or through one role-assignable group. A group that is a member of such a group has no role. Rule:
 * `docs/reference/azurehound.md#effective-holders-of-a-role`.
 */
function rolesBy(kind: 'AZHasRole' | 'AZRoleEligible'): Relation {
  return {
    steps: [
      { from: 'origin', to: 'role', along: 'out', kinds: [kind] },
      {
        from: 'origin',
        to: 'group',
        along: 'out',
        kinds: MEMBER_OF,
        notFrom: ['AZGroup'],
        onto: ['AZGroup'],
        when: isRoleAssignable,
      },
      { from: 'group', to: 'role', along: 'out', kinds: [kind] },
    ],
    accepts: ['role'],
    kinds: ['AZRole'],
  };
}

/** Holders of a right on the object, and all their members. */
function holders(kinds: readonly EdgeKindName[]): Relation {
  return {
    steps: [
      { from: 'origin', to: 'holder', along: 'in', kinds },
      { from: 'holder', to: 'holder', along: 'in', kinds: MEMBER_OF },
    ],
    accepts: ['holder'],
  };
}

/** The final holders of the right: a group with members is replaced by them. */
function lastHolders(kinds: readonly EdgeKindName[]): Relation {
  return { ...holders(kinds), keep: endsMembership };
}

/** Objects on which the entity or one of its groups has one control edge, and their contents. */
const outboundControl: Relation = {
  steps: [
    { from: 'origin', to: 'origin', along: 'out', kinds: MEMBER_OF },
    { from: 'origin', to: 'content', along: 'out', kinds: CONTAINS },
    { from: 'origin', to: 'controlled', along: 'out', kinds: CONTROL },
    { from: 'content', to: 'content', along: 'out', kinds: CONTAINS },
    { from: 'content', to: 'controlled', along: 'out', kinds: CONTROL },
    { from: 'controlled', to: 'controlled', along: 'out', kinds: CONTAINS },
  ],
  accepts: ['content', 'controlled'],
};

/** Does not continue from an object reached this way. */
const outboundExecution: Relation = {
  steps: [
    { from: 'origin', to: 'origin', along: 'out', kinds: MEMBER_OF },
    { from: 'origin', to: 'found', along: 'out', kinds: EXECUTION },
  ],
  accepts: ['found'],
};

/** Owners and contributors of a vault can grant themselves access. */
const readers = (...rights: readonly EdgeKindName[]): Relation =>
  lastHolders(['AZContributor', 'AZOwner', ...rights]);

const descendents = Object.fromEntries(
  AZURE_DESCENDENTS.map(([type, kind]) => [`azure/${type}`, closure('out', CONTAINS, { kinds: [kind] })]),
) as Readonly<Record<`azure/${(typeof AZURE_DESCENDENTS)[number][0]}`, Relation>>;

export const AZURE_LISTS: Readonly<Record<AzureListKey, Relation>> = {
  'azure/group-membership': neighbors('out', MEMBER_OF),
  'azure/group-members': neighbors('in', MEMBER_OF),
  'azure/roles': rolesBy('AZHasRole'),
  'azure/eligible-roles': rolesBy('AZRoleEligible'),
  'azure/active-assignments': lastHolders(['AZHasRole']),
  'azure/pim-assignments': lastHolders(['AZRoleEligible']),
  'azure/role-approvers': neighbors('in', ['AZRoleApprover']),
  'azure/outbound-control': outboundControl,
  'azure/inbound-control': holders([...CONTROL, ...CONTAINS]),
  'azure/outbound-execution-privileges': outboundExecution,
  'azure/inbound-execution-privileges': lastHolders(EXECUTION),
  'azure/outbound-abusable-app-role-assignments': neighbors('out', APP_ROLES),
  'azure/inbound-abusable-app-role-assignments': neighbors('in', APP_ROLES),
  'azure/key-readers': readers('AZGetKeys'),
  'azure/certificate-readers': readers('AZGetCertificates'),
  'azure/secret-readers': readers('AZGetSecrets'),
  'azure/all-readers': readers('AZGetKeys', 'AZGetCertificates', 'AZGetSecrets'),
  'azure/federated-identity-credentials': neighbors('in', ['AZAuthenticatesTo']),
  'azure/descendents': closure('out', CONTAINS),
  ...descendents,
};

/** Lists as in the original: containers are replaced by their contents. */
export const AZURE_PARITY: Readonly<Partial<Record<AzureListKey, Relation>>> = {
  'azure/outbound-control': { ...outboundControl, keep: endsChain('out', 'AZContains') },
};
