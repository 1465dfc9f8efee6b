/**
 * Texts of prices: the reason for a cost, why an alternative is not chosen, and questions for users. Each is one sentence with
 * the numbers behind the reason.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { largeDefaultGroups } from '@clew/analysis';
import { hasKind } from '@clew/graph';
import { counted, NodeKind } from '@clew/model';
import { questionAbout } from '../packages/packageQuestions.ts';
import type { Alternative, PackageQuestion, PricedPackage, QuestionKind } from '../packages/plannedTypes.ts';
import { MAX_COUNTED } from '../packages/prices/groupSizes.ts';
import type { Price, PriceFacts, PriceReason } from '../packages/prices/reasons.ts';
import type { Repair } from '../repairs/repair.ts';
import type { RepairKind } from '../repairs/repairKinds.ts';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { packageText, shownNames } from './packageTexts.ts';

/** @returns the reason for the cost of the change, without a full stop; empty if only its work is known */
export function reasonText(world: AnalyzedWorld, repair: Repair, { reason, facts = {} }: Price): string {
  const nameOf = shownNames(world);
  const { graph } = world.context;
  const holder = repair.principal ?? repair.object;
  return REASONS[reason]({
    container: facts.container === undefined ? undefined : nameOf(facts.container),
    ...{ kind: repair.kind, facts, object: nameOf(repair.object), principal: nameOf(holder) },
    isForNearlyAll: largeDefaultGroups(world.context).all.has(holder),
    isOfficer: repair.edgeKinds.includes('ManageCertificates'),
    isObjectDisabled:
      repair.edgeKinds.includes('ReadGMSAPassword') &&
      world.context.properties.flag('enabled', repair.object) === false,
    isOfMachine: hasKind(graph, holder, NodeKind.Computer),
  });
}

/** @returns a sentence about the most expensive change of a package; empty if only its work is known */
export function priceText(world: AnalyzedWorld, { repairs, prices }: PricedPackage): string {
  const reason = clauseOf(world, { repairs, prices });
  return reason === '' ? '' : sentence(reason);
}

const clauseOf = (
  world: AnalyzedWorld,
  { repairs, prices: [dearest] }: Pick<PricedPackage, 'repairs' | 'prices'>,
): string => (dearest === undefined ? '' : reasonText(world, repairs[dearest.repairs[0]], dearest));

/** Reasons that speak for a change, so they never explain why it is not chosen. */
const IN_FAVOR: ReadonlySet<PriceReason> = new Set([
  ...(['work', 'answered', 'intruder', 'against-tier', 'left', 'dangerous-setting', 'exception'] as const),
]);

/** Costs that differ by less are shown as the same. */
const SAME_COST = 0.05;

/**
 * @param chosen cost of the package with the same effect
 * @returns one sentence: the alternative, its cost, and why it is not chosen, if that is known
 */
export function notThisText(world: AnalyzedWorld, { packages, cost }: Alternative, chosen: number): string {
  const titles = packages.map((one) => lowerFirst(packageText(world, one).title));
  const what = `Not: ${titles.join('; and ')} (${rounded(cost)})`;
  const against = packages.find(({ prices: [dearest] }) => dearest && !IN_FAVOR.has(dearest.reason));
  const reason = against === undefined ? comparedText(cost, chosen) : clauseOf(world, against);
  return reason === '' ? `${what}.` : `${what}: ${reason}.`;
}

function comparedText(cost: number, chosen: number): string {
  if (Math.abs(cost - chosen) < SAME_COST) return 'it costs the same';
  return cost > chosen ? 'it costs more' : '';
}

export interface QuestionText {
  readonly question: string;
  /** The consequence if no one needs the access, and if someone does. */
  readonly unused: string;
  readonly used: string;
}

export function questionText(
  world: AnalyzedWorld,
  { repairs }: Pick<PricedPackage, 'repairs'>,
  { kind, repairs: places, unused, used }: PackageQuestion,
): QuestionText {
  const nameOf = shownNames(world);
  const asked = places.map((place) => {
    const { object, principal = object } = repairs[place];
    return QUESTIONS[kind]({ object: nameOf(object), principal: nameOf(principal) });
  });
  // Changes of one account on one object ask the same question.
  const others = new Set(asked).size - 1;
  const more = others > 1 ? ` And do the ${others} others?` : others === 1 ? ' And does the other one?' : '';
  return {
    question: `${asked[0]}${more}`,
    unused: `If not, this change costs ${rounded(unused.cost)}.`,
    used:
      FIRST[kind] ??
      (used === undefined
        ? 'If so, leave the change out of the plan: no other change with the same effect is known.'
        : `If so, leave the change out of the plan: an alternative with the same effect costs ${rounded(used.cost)} (${used.packages
            .map((one) => lowerFirst(packageText(world, one).title))
            .join('; and ')}).`),
  };
}

/** @returns the question of one change with its consequence, as in a change kit; undefined if the change is right in any case */
export function repairQuestion(world: AnalyzedWorld, repair: Repair, price: Price): string | undefined {
  const kind = questionAbout(world.context.graph, repair, price);
  if (kind === undefined) return undefined;
  const nameOf = shownNames(world);
  const { object, principal = object } = repair;
  const asked = QUESTIONS[kind]({ object: nameOf(object), principal: nameOf(principal) });
  return `${asked} ${kind === 'enrollment' ? ENROLLMENT_FIRST : 'If so, leave this change out.'}`;
}

const ENROLLMENT_FIRST = 'If some of them still need certificates, grant Enroll to them before this change.';

interface Told {
  readonly kind: RepairKind;
  readonly facts: PriceFacts;
  readonly object: string;
  /** Name of the principal that loses access. */
  readonly principal: string;
  /** Name of the container of a computer. */
  readonly container: string | undefined;
  readonly isForNearlyAll: boolean;
  readonly isOfficer: boolean;
  /** Whether the object is a managed account that is disabled. */
  readonly isObjectDisabled: boolean;
  readonly isOfMachine: boolean;
}

type Tell = (told: Told) => string;

const REASONS: Readonly<Record<PriceReason, Tell>> = {
  work: () => '',
  answered: () => 'someone answered that no one needs it',
  intruder: ({ principal, facts, isForNearlyAll }) =>
    isForNearlyAll
      ? `${principal} contains nearly everyone`
      : `${principal} has ${membersText(facts.principals)} and was not created for this purpose`,
  'against-tier': ({ principal }) => `${principal} can reach the zone from outside`,
  left: ({ principal, object, isObjectDisabled }) =>
    isObjectDisabled
      ? `${object} is disabled, so no service runs as it`
      : `${principal} is disabled or deleted`,
  'dangerous-setting': () => 'the template is dangerous because of its own settings',
  exception: (told) => exceptionText(told),
  clients: ({ object }) => `whether anyone enrolls through the web pages of ${object} was not collected`,
  'left-behind': ({ principal }) => `${principal} is disabled, and belongs to a group of active people`,
  shared: ({ principal, facts }) => sameText(principal, facts),
  replace: ({ principal }) =>
    `${principal} is a template of schema version 1, so a copy with safe settings has to replace it first`,
  delegation: ({ principal }) =>
    `${principal} has this right on all objects below, and also needs it where it does not reach the zone`,
  'in-use': (told) => inUseText(told),
  design: (told) => designText(told),
  default: () => 'it is a Microsoft default, and Windows or people may use it',
  membership: ({ principal, object }) =>
    `${principal} belongs to ${object} for work, and the cause is the rights of ${object}`,
  crowd: ({ facts }) =>
    facts.sessions === undefined || facts.sessions === 0
      ? 'many people may work there'
      : `people work there (${counted(facts.sessions, 'session')} seen)`,
  outage: ({ kind, object }) =>
    kind === 'remove-logon-right'
      ? `no one in Remote Desktop Users of ${object} could log on there anymore`
      : `requesters who supply a subject could no longer get certificates from ${object}`,
  authority: ({ object }) =>
    `all autoenrollment at ${object} ends, including that of domain controllers, unless principals that need it get Enroll first`,
};

function exceptionText(told: Told): string {
  const { kind, principal, object, facts, isOfMachine } = told;
  if (facts.unit !== undefined) return hostsText(told);
  if (facts.same !== undefined) return sameText(principal, facts);
  if (kind === 'remove-member')
    return isOfMachine
      ? `${principal} is a computer, unlike other members of ${object}`
      : `${principal} is unlike other members of ${object}`;
  if (kind === 'keep-off') return `${principal} is an administrator, and ${object} is not for administration`;
  if (kind === 'remove-role') return `${principal} is the everyday account of a person`;
  if (kind === 'change-owner') return `${principal} is the owner of ${object} itself`;
  if (kind === 'remove-policy-member') return `${principal} was not created for administration`;
  if (kind === 'remove-relation') return 'it is a separate assignment, which one command removes';
  return `it is a separate entry on ${object}`;
}

function inUseText({ kind, principal, object, isOfficer, facts }: Told): string {
  if (isOfficer) return `certificate managers issue certificates with it`;
  if (kind === 'template-approval')
    return `certificates of ${object} are enrolled automatically, and would wait for approval`;
  if (kind === 'unsynchronize') return 'a person uses both accounts';
  if (kind === 'remove-relation') return `whether ${principal} needs it for work was not collected`;
  if (kind === 'remove-enrollment') return `${principal} may need certificates of ${object}`;
  if (kind === 'remove-permission')
    return `computers in ${principal} read the password to run the service of ${object}`;
  const seen = facts.sessions === undefined ? '' : ` (${counted(facts.sessions, 'session')} seen)`;
  return `${principal} works on ${object}${seen}`;
}

function designText(told: Told): string {
  const { kind, principal, object, facts } = told;
  if (facts.unit !== undefined) return hostsText(told);
  if (facts.same !== undefined) return sameText(principal, facts);
  if (kind === 'remove-member') return `${principal} belongs to ${object}, like its other members`;
  if (kind === 'remove-role') return `${principal} administers the tenant`;
  return `this is part of the directory design`;
}

/** Only computers whose administrators were collected are compared. */
function hostsText({ principal, container, facts }: Told): string {
  const { here = 0, unit = 0, computers = unit } = facts;
  const place = container === undefined ? 'outside all collected containers' : `in ${container}`;
  const share = `${principal} administers ${here.toLocaleString('en-US')} of`;
  if (computers <= unit) return `${share} ${counted(unit, 'computer')} ${place}`;
  const all = computers.toLocaleString('en-US');
  return `${share} the ${counted(unit, 'computer')} ${place} whose administrators were collected (of ${all})`;
}

const sameText = (principal: string, { same = 0, all = 0 }: PriceFacts): string =>
  `${principal} has the same right on ${same.toLocaleString('en-US')} of ${counted(all, 'object')} of this kind`;

const QUESTIONS: Readonly<
  Record<QuestionKind, (names: { readonly object: string; readonly principal: string }) => string>
> = {
  needed: ({ principal, object }) => `Does anyone still use the access of ${principal} to ${object}?`,
  membership: ({ principal, object }) =>
    `Does ${principal} need ${object} for work: shares, licenses, applications?`,
  service: ({ principal, object }) => `Does ${principal} still have to belong to ${object}?`,
  team: ({ principal, object }) => `Does ${principal} administer this computer (${object})?`,
  officers: ({ principal, object }) =>
    `Does ${principal} contain certificate managers who issue certificates at ${object}?`,
  enrollment: ({ object }) =>
    `Who enrolls at ${object}? Its database of issued certificates shows the requesters.`,
  replication: ({ principal }) => `Does ${principal} read password hashes for synchronization?`,
  'web-enrollment': ({ object }) =>
    `Does anyone enroll through the web pages of ${object}? The IIS logs of its host show the requests.`,
  'attribute-names': ({ object }) =>
    `Do requests to ${object} contain additional names in an attribute? Its database of issued certificates shows them.`,
  joins: ({ object }) =>
    `Do users without a delegated right join computers to ${object}? ms-DS-CreatorSID of the computer accounts shows them.`,
  'former-sid': ({ object }) =>
    `Does any access depend on the former SID of ${object}? Access control lists of files and shares may contain it.`,
};

/** Questions about settings: if clients depend on a setting, another change comes first. */
const FIRST: Readonly<Partial<Record<QuestionKind, string>>> = {
  'web-enrollment':
    'If so, keep the pages and protect them: allow only HTTPS, and require Extended Protection for Authentication.',
  'attribute-names':
    'If so, first move these requests to a template with supplied names and manager approval.',
  joins: 'If so, first delegate the right to create computers to these users.',
  'former-sid': 'If so, first grant the same access to the current SID.',
};

const rounded = (cost: number): string => String(Math.round(cost * 10) / 10);

/** Only the number of members is capped, at `MAX_COUNTED`. */
const membersText = (count = 0): string =>
  count >= MAX_COUNTED ? `${counted(MAX_COUNTED, 'member')} or more` : counted(count, 'member');

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** Leaves names in capitals unchanged. */
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
