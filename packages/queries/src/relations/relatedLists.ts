/**
 * The related lists of Active Directory objects: one row each, with the keys of the contract. Counts, lists and graphs all use the same
 * row, so they cannot disagree.
 *
 * Rule: `docs/reference/queries.md#relation-rules`, interpreted for defenders: transitive closures, independent of the traversal.
 * Differences from the original are listed in `quirks.ts`.
 */
import type { RelatedListKey } from '@clew/api';
import { EDGE_KINDS, EdgeKind, type EdgeKindName } from '@clew/model';
import {
  endsMembership,
  isBlockedAscent,
  isBlockingParent,
  isEnforcedLink,
  isForeignTo,
  isOpenAscent,
  isOpenParent,
  isOrdinaryLink,
  isTierZeroObject,
  isUnblockedDescent,
  isUnblockedUnit,
} from './conditions.ts';
import {
  closure,
  type EdgeStep,
  either,
  neighbors,
  type Relation,
  type ResultFilter,
  type StepCondition,
} from './relation.ts';

const ACL = EDGE_KINDS.filter((kind) => kind.acl).map((kind) => kind.name as EdgeKindName);
const MEMBER_OF = ['MemberOf'] as const;
const CONTAINS = ['Contains'] as const;
/** An account has no members, whatever an upload contains. */
const ACCOUNTS = ['User', 'Computer'] as const;

/** Holders of a right on the object, and all their members. */
const controllers: Relation = {
  steps: [
    { from: 'origin', to: 'holder', along: 'in', kinds: ACL },
    { from: 'holder', to: 'holder', along: 'in', kinds: MEMBER_OF, notFrom: ACCOUNTS },
  ],
  accepts: ['holder'],
};

/** Objects on which the entity or one of its groups has a right. Rights of those objects are not followed. */
const controllables: Relation = {
  steps: [
    { from: 'origin', to: 'origin', along: 'out', kinds: MEMBER_OF },
    { from: 'origin', to: 'found', along: 'out', kinds: ACL },
  ],
  accepts: ['found'],
};

/** State of an Active Directory object; `origin` is then the state of objects of other platforms. */
const IN_DIRECTORY = 'directory';

/**
 * The rights of Active Directory for its objects. Other platforms have no access lists: for their objects, the steps of attack paths
 * decide, one step far.
 */
function ofAnyPlatform({ steps, accepts }: Relation, along: EdgeStep['along']): Relation {
  const stateOf = (state: string): string => (state === 'origin' ? IN_DIRECTORY : state);
  return {
    begins: { Base: IN_DIRECTORY },
    steps: [
      { from: 'origin', to: 'neighbor', along, kinds: 'traversable' },
      ...steps.map((step) => ({ ...step, from: stateOf(step.from), to: stateOf(step.to) })),
    ],
    accepts: [...accepts, 'neighbor'],
  };
}

const memberships = closure('out', MEMBER_OF);

const members = closure('in', MEMBER_OF, { notFrom: ACCOUNTS });

/** Computers on which the entity or one of its groups has the right. Does not continue from a computer reached this way. */
function rightsOver(kind: EdgeKindName): Relation {
  return {
    steps: [
      { from: 'origin', to: 'origin', along: 'out', kinds: MEMBER_OF },
      { from: 'origin', to: 'found', along: 'out', kinds: [kind], onto: ['Computer'] },
    ],
    accepts: ['found'],
  };
}

/** The final holders of the right: accounts, and groups without known members. */
function rightsHolders(kind: EdgeKindName): Relation {
  return {
    steps: [
      { from: 'origin', to: 'holder', along: 'in', kinds: [kind] },
      { from: 'holder', to: 'holder', along: 'in', kinds: MEMBER_OF, notFrom: ACCOUNTS },
    ],
    accepts: ['holder'],
    keep: endsMembership,
  };
}

const sessionsOfMembers: Relation = {
  steps: [
    { from: 'origin', to: 'origin', along: 'in', kinds: MEMBER_OF, notFrom: ACCOUNTS },
    { from: 'origin', to: 'found', along: 'in', kinds: ['HasSession'], onto: ['Computer'] },
  ],
  accepts: ['found'],
};

/** Objects that a unit with blocked inheritance shields, seen from below and from above. */
interface Shielding {
  readonly open: StepCondition;
  readonly blocked: StepCondition;
  readonly descent: StepCondition;
}

/** All objects in them, at any depth. Rule: `docs/rules.md#notpassedon`. */
const ALL_BELOW: Shielding = { open: isOpenAscent, blocked: isBlockedAscent, descent: isUnblockedDescent };

/** Only the units in them, at any depth, which is the rule of the original. */
export const UNITS_BELOW: Shielding = {
  open: isOpenParent,
  blocked: isBlockingParent,
  descent: isUnblockedUnit,
};

/**
 * Policies that affect the object, in upward direction: follows Contains and collects the policies linked to each container. The state is
 * `origin` while there is no unit below the current container, `unit` if there is one, and `shielded` if one blocks inheritance: from then
 * on, only enforced links count. Rule: 6.4.1. Unlike the original, this also follows containers, so that an account in CN=Users is affected
 * by the policies of its domain.
 */
export function affectingPolicies(
  places: readonly ('Domain' | 'OU' | 'Container')[],
  { open, blocked }: Shielding = ALL_BELOW,
): Relation {
  const others = places.filter((place) => place !== 'OU');
  const up = { along: 'in', kinds: CONTAINS } as const;
  const link = { to: 'found', along: 'in', kinds: ['GPLink'], onto: ['GPO'] } as const;
  return {
    begins: { OU: 'unit' },
    steps: [
      { from: 'origin', to: 'origin', ...up, onto: others },
      { from: 'origin', to: 'unit', ...up, onto: ['OU'] },
      { from: 'unit', to: 'unit', ...up, onto: places, when: open },
      { from: 'unit', to: 'shielded', ...up, onto: places, when: blocked },
      { from: 'shielded', to: 'shielded', ...up, onto: places },
      { from: 'origin', ...link },
      { from: 'unit', ...link },
      { from: 'shielded', ...link, when: isEnforcedLink },
    ],
    accepts: ['found'],
  };
}

const policies = affectingPolicies(['Domain', 'OU', 'Container']);

/** Objects to which a policy applies: the linked containers and their contents, down to blocking units. Rule: 6.4.3. */
export function affectedBy(filter: ResultFilter, { descent }: Shielding = ALL_BELOW): Relation {
  const link = { from: 'origin', along: 'out', kinds: ['GPLink'], onto: ['Domain', 'OU'] } as const;
  const down = { along: 'out', kinds: CONTAINS } as const;
  return {
    steps: [
      { ...link, to: 'enforced', when: isEnforcedLink },
      { ...link, to: 'ordinary', when: isOrdinaryLink },
      { from: 'enforced', to: 'enforced', ...down },
      { from: 'ordinary', to: 'ordinary', ...down, when: descent },
    ],
    accepts: ['enforced', 'ordinary'],
    ...filter,
  };
}

/** Objects of the domain, by their collected environment. */
function inDomain(kind: 'User' | 'Group' | 'Computer' | 'OU' | 'GPO'): Relation {
  return { steps: [{ from: 'origin', to: 'found', members: kind }], accepts: ['found'], listOnly: true };
}

/** Foreign principals in groups of the domain, direct and nested. */
function foreignMembers(kind: 'User' | 'Group'): Relation {
  return {
    steps: [
      { from: 'origin', to: 'group', members: 'Group' },
      { from: 'group', to: 'member', along: 'in', kinds: MEMBER_OF },
      { from: 'member', to: 'member', along: 'in', kinds: MEMBER_OF, notFrom: ACCOUNTS },
    ],
    accepts: ['member'],
    kinds: [kind],
    keep: isForeignTo,
  };
}

/** Foreign principals with a right on objects of one kind in the domain, directly or through groups. Rule: 6.4.2. */
function foreignHolders(kind: 'Computer' | 'GPO', rights: readonly EdgeKindName[]): Relation {
  return {
    steps: [
      { from: 'origin', to: 'object', members: kind },
      { from: 'object', to: 'holder', along: 'in', kinds: rights },
      { from: 'holder', to: 'holder', along: 'in', kinds: MEMBER_OF, notFrom: ACCOUNTS },
    ],
    accepts: ['holder'],
    keep: isForeignTo,
  };
}

const TRUSTS = ['SameForestTrust', 'CrossForestTrust'] as const;

/** Certificate services escalations that end at a domain; ADCSESC13 ends at a group. */
const ADCS_ESCALATIONS = (Object.keys(EdgeKind) as EdgeKindName[]).filter(
  (name) => name === 'GoldenCert' || (name.startsWith('ADCSESC') && name !== 'ADCSESC13'),
);

const authoritiesBelow = closure('in', ['HostsCAService', 'IssuedSignedBy', 'EnterpriseCAFor']);
const authoritiesAbove = closure('out', [
  'EnterpriseCAFor',
  'TrustedForNTAuth',
  'IssuedSignedBy',
  'RootCAFor',
  'NTAuthStoreFor',
]);
const authoritiesAround = either(authoritiesBelow, authoritiesAbove);

const delegationTargets = closure('out', ['AllowedToDelegate']);

export const RELATED_LISTS: Readonly<Record<RelatedListKey, Relation>> = {
  'base/controllables': ofAnyPlatform(controllables, 'out'),
  'base/controllers': ofAnyPlatform(controllers, 'in'),

  'users/sessions': neighbors('in', ['HasSession']),
  'users/memberships': memberships,
  'users/admin-rights': rightsOver('AdminTo'),
  'users/rdp-rights': rightsOver('CanRDP'),
  'users/backup-rights': rightsOver('CanBackup'),
  'users/dcom-rights': rightsOver('ExecuteDCOM'),
  'users/ps-remote-rights': rightsOver('CanPSRemote'),
  'users/sql-admin-rights': neighbors('out', ['SQLAdmin']),
  'users/constrained-delegation-rights': delegationTargets,
  'users/controllables': controllables,
  'users/controllers': controllers,
  'users/gpos': policies,

  'groups/sessions': sessionsOfMembers,
  'groups/members': members,
  'groups/memberships': memberships,
  'groups/admin-rights': rightsOver('AdminTo'),
  'groups/rdp-rights': rightsOver('CanRDP'),
  'groups/backup-rights': rightsOver('CanBackup'),
  'groups/dcom-rights': rightsOver('ExecuteDCOM'),
  'groups/ps-remote-rights': rightsOver('CanPSRemote'),
  'groups/controllables': controllables,
  'groups/controllers': controllers,

  'computers/sessions': neighbors('out', ['HasSession']),
  'computers/admin-users': rightsHolders('AdminTo'),
  'computers/rdp-users': rightsHolders('CanRDP'),
  'computers/backup-operators': rightsHolders('CanBackup'),
  'computers/dcom-users': rightsHolders('ExecuteDCOM'),
  'computers/ps-remote-users': rightsHolders('CanPSRemote'),
  'computers/sql-admins': neighbors('in', ['SQLAdmin']),
  'computers/constrained-users': closure('in', ['AllowedToDelegate']),
  'computers/group-membership': memberships,
  'computers/admin-rights': rightsOver('AdminTo'),
  'computers/rdp-rights': rightsOver('CanRDP'),
  'computers/backup-rights': rightsOver('CanBackup'),
  'computers/dcom-rights': rightsOver('ExecuteDCOM'),
  'computers/ps-remote-rights': rightsOver('CanPSRemote'),
  'computers/constrained-delegation-rights': delegationTargets,
  'computers/controllables': controllables,
  'computers/controllers': controllers,
  'computers/gpos': policies,

  'domains/users': inDomain('User'),
  'domains/groups': inDomain('Group'),
  'domains/computers': inDomain('Computer'),
  'domains/ous': inDomain('OU'),
  'domains/gpos': inDomain('GPO'),
  'domains/foreign-users': foreignMembers('User'),
  'domains/foreign-groups': foreignMembers('Group'),
  'domains/foreign-gpo-controllers': foreignHolders('GPO', ACL),
  'domains/foreign-admins': foreignHolders('Computer', ['AdminTo']),
  'domains/inbound-trusts': closure('in', TRUSTS, { kinds: ['Domain'] }),
  'domains/outbound-trusts': closure('out', TRUSTS, { kinds: ['Domain'] }),
  'domains/controllers': controllers,
  'domains/linked-gpos': policies,
  'domains/dc-syncers': neighbors('in', ['DCSync']),
  'domains/adcs-escalations': closure('in', ADCS_ESCALATIONS),

  'gpos/ous': affectedBy({ kinds: ['OU', 'Domain'] }),
  'gpos/computers': affectedBy({ kinds: ['Computer'] }),
  'gpos/users': affectedBy({ kinds: ['User'] }),
  'gpos/controllers': controllers,
  'gpos/tier-zero': affectedBy({ keep: isTierZeroObject }),

  'ous/gpos': policies,
  'ous/users': closure('out', CONTAINS, { kinds: ['User'] }),
  'ous/groups': closure('out', CONTAINS, { kinds: ['Group'] }),
  'ous/computers': closure('out', CONTAINS, { kinds: ['Computer'] }),

  'containers/controllers': controllers,

  'aiacas/controllers': controllers,
  'aiacas/pki-hierarchy': authoritiesAround,

  'rootcas/controllers': controllers,
  'rootcas/pki-hierarchy': authoritiesBelow,

  'enterprisecas/controllers': controllers,
  'enterprisecas/pki-hierarchy': authoritiesAround,
  'enterprisecas/published-templates': closure('in', ['PublishedTo']),

  'ntauthstores/controllers': controllers,
  'ntauthstores/trusted-cas': closure('in', ['TrustedForNTAuth']),

  'certtemplates/controllers': controllers,
  'certtemplates/published-to-cas': closure('out', ['PublishedTo']),

  'issuancepolicies/controllers': controllers,
  'issuancepolicies/linkedtemplates': closure('in', ['ExtendedByPolicy'], { kinds: ['CertTemplate'] }),
};
