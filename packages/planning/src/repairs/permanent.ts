/**
 * Explains why no repair removes a relationship behind a finding: Windows creates it, or only the facts behind it can be removed. Returns
 * sentences for a defender, one per reason.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import type { AnalysisContext, EdgeRef } from '@clew/analysis';
import { findEdge, NO_EDGE, nameOf, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import { isDerivedByDefinition } from './declaredRepairs.ts';
import { listed } from './listed.ts';
import { logonGroupFinder } from './logonGroups.ts';

/** Relationships that establish trust in a certification authority: one action removes all of them. */
const TRUST_IN_AUTHORITY: ReadonlySet<number> = new Set([
  ...[EdgeKind.NTAuthStoreFor, EdgeKind.TrustedForNTAuth, EdgeKind.RootCAFor, EdgeKind.EnterpriseCAFor],
  ...[EdgeKind.IssuedSignedBy, EdgeKind.HostsCAService],
]);

type End = 'start' | 'end';

interface Reason {
  /** The end named in the sentence. */
  readonly names: End;
  /** Missing if a sentence would be useless. */
  readonly sentence?: (names: string) => string;
}

const AUTHORITY: Reason = {
  names: 'start',
  sentence: (names) =>
    `The forest trusts the certificates of its CAs, and you cannot remove a single entry of this trust (${names}): retire the CA, which removes it from NTAuth and the root store and closes every path through it.`,
};
const AT_LOGON: Reason = {
  names: 'end',
  sentence: (names) =>
    `Windows determines the membership in ${names} at logon, and you cannot change it: change the rights of the group.`,
};
const PRIMARY_GROUP: Reason = {
  names: 'start',
  sentence: (names) =>
    `Windows does not allow ${names} to leave its primary group: set another primary group first, or change the rights of the group.`,
};

const ROLE: Reason = {
  names: 'start',
  sentence: (names) =>
    `The rights of the directory role ${names} are fixed: remove the role from principals that do not need it, or assign it at the scope of single objects. An eligible assignment leaves the path.`,
};
const RESET: Reason = {
  names: 'end',
  sentence: (names) =>
    `Roles that can reset passwords have this right over every unprotected user: add ${names} to a role-assignable group or to a restricted management administrative unit, so that less privileged roles cannot reset the password.`,
};
/** Rights of directory roles, as steps that start at the role itself. */
const OF_ROLES: ReadonlySet<number> = new Set([
  ...[EdgeKind.AZAddSecret, EdgeKind.AZAddOwner, EdgeKind.AZRoleApprover],
]);

const BY_DEFINITION: Reason = {
  names: 'start',
  sentence: (names) =>
    `An extension derives this relationship of ${names}. It ends when its source facts end, which cannot be listed here: check the reason of the relationship, and change the facts named there.`,
};

const IN_TENANT: Reason = {
  names: 'start',
  sentence: (names) =>
    `Objects of the tenant ${names} cannot leave it: change the roles, permissions and owners there.`,
};

/** Keyed by edge kind that only a rebuild changes; access list entries that rules pass on are changed at their origin. */
const REASONS: ReadonlyMap<number, Reason> = new Map([
  [
    EdgeKind.SameForestTrust,
    {
      names: 'start',
      sentence: (names) =>
        `Domains of one forest trust each other (${names}), and you cannot remove or filter this trust: the forest is the security boundary.`,
    },
  ],
  [
    EdgeKind.DCFor,
    {
      names: 'start',
      sentence: (names) =>
        `Domain controllers keep their role (${names}): close the attack paths to them, and protect them.`,
    },
  ],
  [
    EdgeKind.HasTrustKeys,
    {
      names: 'start',
      sentence: (names) =>
        `Domains store the keys of their trusts while these trusts exist (${names}): close the attack paths to them.`,
    },
  ],
  [
    EdgeKind.SynchronizesAs,
    {
      names: 'start',
      sentence: (names) =>
        `${names} stores the credentials of its connector accounts while it synchronizes: close the attack paths to it, and protect it like a domain controller.`,
    },
  ],
  [
    EdgeKind.ClaimSpecialIdentity,
    {
      names: 'start',
      sentence: (names) =>
        `Windows assigns the special identity of ${names} at logon: change the rights of that identity.`,
    },
  ],
  // No one would change these; the repairs of the other relations cover them.
  ...[EdgeKind.LocalToComputer, EdgeKind.ContainsIdentity].map((kind): [number, Reason] => [
    kind,
    { names: 'start' },
  ]),
  ...[EdgeKind.PropagatesACEsTo, EdgeKind.GPOAppliesTo, EdgeKind.CanApplyGPO].map(
    (kind): [number, Reason] => [
      kind,
      {
        names: 'start',
        sentence: (names) =>
          `The position in the directory determines the permissions inherited from ${names}: change the entry or the link there.`,
      },
    ],
  ),
]);

const IN_SCOPE: Reason = {
  names: 'start',
  sentence: (names) =>
    `Rights on ${names} apply to all resources in it, and moving a resource does not remove them: remove the role assignment at the scope that has it.`,
};

/** Maximum number of names in a sentence. */
const MAX_NAMES = 6;

/** @returns undefined if a repair can remove the relation */
function reasonOf(context: AnalysisContext, { start, kind, end }: EdgeRef): Reason | undefined {
  const { graph } = context;
  if (TRUST_IN_AUTHORITY.has(kind)) return AUTHORITY;
  const isOfRole = context.nodesOf('AZRole').has(start);
  if (kind === EdgeKind.AZResetPassword && isOfRole) return RESET;
  if (OF_ROLES.has(kind) && isOfRole) return ROLE;
  if (kind === EdgeKind.AZContains) return context.nodesOf('AZTenant').has(start) ? IN_TENANT : IN_SCOPE;
  const number = findEdge(graph, start, kind, end);
  const flags = number === NO_EDGE ? 0 : (graph.out.flags[number] as number);
  if (isDerivedByDefinition(graph, kind, flags)) {
    const matches = context.options.matches?.of(graph, { start, kind, end });
    return matches === undefined ? BY_DEFINITION : undefined;
  }
  if (kind !== EdgeKind.MemberOf) return REASONS.get(kind);
  if ((flags & EdgeFlag.PrimaryGroup) !== 0) return PRIMARY_GROUP;
  return (flags & EdgeFlag.Derived) !== 0 || logonGroupFinder(graph)(end) ? AT_LOGON : undefined;
}

export const isPermanent = (context: AnalysisContext, edge: EdgeRef): boolean =>
  reasonOf(context, edge) !== undefined;

/** @returns a sentence for each reason why some of the relations are permanent */
export function aboutPermanent(context: AnalysisContext, relations: readonly EdgeRef[]): string[] {
  const { graph } = context;
  const found = new Map<Reason, Set<string>>();
  for (const edge of relations) {
    const reason = reasonOf(context, edge);
    if (reason?.sentence === undefined) continue;
    const node = edge[reason.names];
    const names = found.get(reason) ?? new Set<string>();
    found.set(reason, names.add(nameOf(graph, node) || objectIdOf(graph, node)));
  }
  return [...found].flatMap(([{ sentence }, names]) => sentence?.(listed([...names], MAX_NAMES)) ?? []);
}
