/**
 * Advice that a finding type's remedy cannot give because it depends on the object: special treatment by Windows, a member of another
 * domain, the relation at fault. Returns sentences for a defender.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import {
  type AnalysisContext,
  environments,
  type FindingFacts,
  type FindingId,
  findingTypesOf,
  largeDefaultGroups,
  missingMembers,
} from '@clew/analysis';
import { findNode, NO_NODE, objectIdOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { distinctName } from '../repairs/objectNames.ts';
import type { EvidenceQuestion } from './evidenceQuestion.ts';

/** Accounts that exist in every domain, by the suffix of their ids. */
const BUILT_IN: readonly (readonly [end: string, advice: (name: string) => string])[] = [
  [
    '-500',
    (name) =>
      `${name} is the built-in Administrator, which cannot be deleted: disable it or keep it for emergencies, with a long password that is stored only in a safe, and use personal accounts instead.`,
  ],
  [
    '-501',
    (name) =>
      `${name} is the built-in guest, which cannot be deleted: keep it disabled, and remove its rights.`,
  ],
  [
    '-502',
    (name) =>
      `${name} holds the keys of the domain. It stays disabled and cannot be deleted: change its password twice, with a day between.`,
  ],
];

const MANAGED = ['gmsa', 'msa'] as const;

/** Findings whose remedy concerns passwords that users choose. */
const ABOUT_PASSWORDS: readonly FindingId[] = [
  'Kerberoasting',
  'T0Kerberoastable',
  'KerberoastingWeakEncryption',
  'OldServiceAccountPassword',
  'PasswordNeverExpires',
  'T0PasswordNeverExpires',
  'T0OldPassword',
];

/** The finding whose remedy applies to passwords of managed accounts, which no one chooses. */
const OF_MANAGED: FindingId = 'ManagedAccountNotRotated';

/**
 * @param id of a finding type
 * @returns the type whose remedy applies to the object: steps that change a password do not apply to managed accounts
 */
export const remedyTypeOf = (context: AnalysisContext, id: string, target: number): string =>
  ABOUT_PASSWORDS.includes(id as FindingId) && isManaged(context, target) ? OF_MANAGED : id;

const isManaged = ({ properties }: AnalysisContext, node: number): boolean =>
  MANAGED.some((key) => properties.flag(key, node) === true);

/** A collected registry value that no longer has an effect. */
const BINDING =
  'Domain controllers with updates since September 2025 ignore StrongCertificateBindingEnforcement and always enforce strong mapping. On these domain controllers the value has no effect: check which updates are installed.';

export function adviceFor(context: AnalysisContext, { type, source, target }: EvidenceQuestion): string[] {
  const { id } = findingTypesOf(context.graph)[type];
  const ends = source === undefined ? [target] : [source, target];
  return [
    ...ends.flatMap((node) => aboutBuiltIn(context, node)),
    ...(ABOUT_PASSWORDS.includes(id as FindingId) ? aboutPassword(context, target) : []),
    ...(source === undefined ? [] : [...aboutHolder(context, source), ...aboutUnreadHost(context, source)]),
    ...(id === 'NestedForeignPrincipals' ? aboutForeignMember(context, target) : []),
    ...(id === 'DCWeakCertificateBinding' ? [BINDING] : []),
    ...(id === 'NonDefaultPrimaryGroup' ? aboutPrimaryGroup(context, target) : []),
  ];
}

const shown = (context: AnalysisContext, node: number): string =>
  distinctName(context, node) || objectIdOf(context.graph, node);

function aboutBuiltIn(context: AnalysisContext, node: number): string[] {
  const objectId = objectIdOf(context.graph, node);
  const isAccount = context.nodesOf('User').has(node);
  return BUILT_IN.filter(([end]) => isAccount && objectId.endsWith(end)).map(([, advice]) =>
    advice(shown(context, node)),
  );
}

function aboutPassword(context: AnalysisContext, node: number): string[] {
  if (isManaged(context, node))
    return [
      `${shown(context, node)} is a managed service account: Windows chooses and changes its password, and no person can set one. Instead of changing it, check who can read the password, and how long it is valid (msDS-ManagedPasswordInterval), and test the account on its hosts (Test-ADServiceAccount).`,
    ];
  if (context.nodesOf('Computer').has(node))
    return [
      `${shown(context, node)} is a computer, which changes its own password: find out why it did not, or delete the account if the computer no longer exists.`,
    ];
  return [];
}

/** A right held by a default group, whose members cannot be removed. */
function aboutHolder(context: AnalysisContext, source: number): string[] {
  if (!largeDefaultGroups(context).all.has(source)) return [];
  return [
    `${shown(context, source)} contains nearly everyone, and its members cannot be removed: remove the right from the group, and grant it to a group of principals that need it.`,
  ];
}

/** A local group whose host reports no group data: an exposure of zero would look safe. */
function aboutUnreadHost(context: AnalysisContext, source: number): string[] {
  // The id has one part more than that of a domain.
  const [, hostId] = /^(S-1-5-21(?:-\d+){4})-\d+$/.exec(objectIdOf(context.graph, source)) ?? [];
  if (hostId === undefined || context.nodesOf('User').has(source)) return [];
  const host = findNode(context.graph, hostId);
  if (host !== NO_NODE && !context.edges('LocalToComputer').startsOf(host).isEmpty) return [];
  const name = host === NO_NODE ? hostId : shown(context, host);
  return [
    `${shown(context, source)} is a local group of ${name}, whose local groups were not collected. Therefore it is unknown who can use the right, and the real exposure may be higher. Collect the local groups of that computer, or remove the right from the group.`,
  ];
}

/** Names only groups of other environments: membership in groups of the same environment is intended. */
function aboutForeignMember(context: AnalysisContext, member: number): string[] {
  const { nodes, of } = context.use(environments);
  const found: string[] = [];
  context.edges('MemberOf').outOf(member, (group, _, flags) => {
    // Default groups of the other forest include it automatically.
    if (of[group] === of[member] || nodes[of[member]] === undefined) return;
    if ((flags & (EdgeFlag.Derived | EdgeFlag.PrimaryGroup)) !== 0) return;
    found.push(
      `${shown(context, member)} of ${shown(context, nodes[of[member]])} is a member of ${shown(context, group)}: remove it from that group.`,
    );
  });
  return found;
}

function aboutPrimaryGroup(context: AnalysisContext, account: number): string[] {
  const found: string[] = [];
  context.edges('MemberOf').outOf(account, (group, _, flags) => {
    if ((flags & EdgeFlag.PrimaryGroup) !== 0)
      found.push(`The primary group of ${shown(context, account)} is ${shown(context, group)}.`);
  });
  return found;
}

/** @returns a sentence that names the groups (and krbtgt) whose passwords read-only controllers may still cache */
export function aboutMissingMembers(facts: FindingFacts, group: number): string[] {
  const names = missingMembers(facts, group).map((node) => shown(facts.context, node));
  return names.length === 0 ? [] : [`Add to ${shown(facts.context, group)}: ${names.join(', ')}.`];
}
