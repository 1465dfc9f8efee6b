/** Figures of a plan in readable form. */

import type { CardRecord, PlanRecord, SimulationRecord } from '@clew/api';
import { shareOf } from '@clew/model';
import { noKitReason } from '../../parts/changeKits.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { domainOf } from '../../text/oneDomain.ts';

type Exposures = PlanRecord['before'];

/** @param env one environment; default: all */
export const exposureOf = (all: Exposures, env?: string) => {
  const some = env === undefined ? all : all.filter(({ environment_id }) => environment_id === env);
  return {
    exposed: some.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
    all: some.reduce((sum, { principal_count }) => sum + principal_count, 0),
  };
};

/** The base of a share of these figures, which may be a part of all: "Exposure of CORP.EXAMPLE", "Exposure of 3 environments". */
export function exposureBase(all: Exposures): string {
  const [only] = all;
  const isOne = all.length === 1 && only !== undefined;
  return `Exposure of ${isOne ? cleanText(only.environment_name) : counted(all.length, 'environment')}`;
}

/** A simulation contains figures of all zones. */
export const ofZone = (all: Exposures, zone: number): Exposures =>
  all.filter(({ asset_group_tag_id }) => asset_group_tag_id === zone);

/**
 * @returns the exposure of a zone before and after simulated changes, each with its own principals. An environment without figures after
 * them keeps those before.
 */
export function simulatedFall(record: Pick<SimulationRecord, 'before' | 'after'>, zone: number) {
  const entries = ofZone(record.before, zone);
  const changed = new Map(ofZone(record.after, zone).map((entry) => [entry.environment_id, entry]));
  return {
    before: exposureOf(entries),
    after: exposureOf(entries.map((entry) => changed.get(entry.environment_id) ?? entry)),
  };
}

/** @returns a share from 0 to 1 */
export const shareIn = ({ exposed, all }: ReturnType<typeof exposureOf>): number =>
  all === 0 ? 0 : exposed / all;

export const TIER_ZERO = 1;
export const zoneText = (zone: number): string => (zone === TIER_ZERO ? 'Tier Zero' : 'the zone');
/** The mark at the path's end. */
export const zoneMark = (zone: number): string => (zone === TIER_ZERO ? 'T0' : 'Zone');

/** Exposure before and after a card; `undefined` if its figures are hidden. @param before exposure after all earlier cards */
export function fallIn(card: CardRecord, before: Exposures, env?: string) {
  const { exposed_before: exposed, principals_before: all } = card;
  if (exposed === null || all === null || card.exposed_after === null) return undefined;
  // An earlier card may be hidden from the user: its effect must not count for this card.
  const from = env === undefined ? { exposed, all } : exposureOf(before, env);
  const to = exposureOf(card.exposure, env);
  if (from.all === 0) return undefined;
  return {
    counts: { before: from, after: to },
    before: from.exposed / from.all,
    after: to.exposed / to.all,
    cutOff: from.exposed - to.exposed,
    from: shareOf(from.exposed, from.all),
    to: shareOf(to.exposed, to.all),
  };
}

/** @returns cards with their effect on the exposure; for one environment, only cards that lower its exposure */
export function cardsFor({ cards, before }: Pick<PlanRecord, 'cards' | 'before'>, env: string | undefined) {
  const all = cards.map((card, at) => ({ card, fall: fallIn(card, cards[at - 1]?.exposure ?? before, env) }));
  return env === undefined ? all : all.filter(({ fall }) => fall !== undefined && fall.cutOff > 0);
}

/** Like {@link fallIn} over all environments, as a text for a file. */
export function fallOf({ exposed_before, principals_before, exposed_after, exposure }: CardRecord): string {
  const { all } = exposureOf(exposure);
  if (exposed_before === null || principals_before === null || exposed_after === null || all === 0) return '';
  return `${shareOf(exposed_before, principals_before)} -> ${shareOf(exposed_after, all)}`;
}

/** The title of a card: its only repair, or the first of several. */
export function cardTitle({ packages, title }: CardRecord): string {
  const [first, ...others] = packages;
  if (first === undefined) return title;
  return others.length === 0 ? first.title : `${first.title}, and ${counted(others.length, 'more repair')}`;
}

/** The common domain of all names in its repairs, which the card shows once. */
export const cardDomain = ({ packages }: Pick<CardRecord, 'packages'>): string | undefined =>
  domainOf(packages.flatMap(({ title, fix }) => [title, fix]).map(cleanText));

/** Address of the card's page. */
export const repairPath = ({ key }: CardRecord): string => `/fix/${encodeURIComponent(key)}`;

/** Address of a card by its number in the stored plan of Tier Zero, which findings refer to. */
export const numberedPath = (number: number): string => `/fix/${number}`;

/** @param id of a page @returns the number of a card; `undefined` for a key */
export const numberOf = (id: string): number | undefined => (/^\d{1,4}$/.test(id) ? Number(id) : undefined);

export const isExposureCard = ({ effect }: CardRecord): boolean => effect.measure === 'exposure';

export const repairsOf = ({ packages }: Pick<CardRecord, 'packages'>) =>
  packages.flatMap(({ references }) => references);

/** Whether a card names all of its changes. */
export const isWhole = ({ packages }: Pick<CardRecord, 'packages'>): boolean =>
  packages.every(({ references, change_count }) => references.length === change_count);

/** @returns a sentence with the reason why the card has no change kit; `undefined` if it has one */
export function noKitOf(card: Pick<CardRecord, 'packages'>): string | undefined {
  const named = repairsOf(card).length;
  const all = card.packages.reduce((sum, { change_count }) => sum + change_count, 0);
  return isWhole(card)
    ? noKitReason(repairsOf(card))
    : `The card shows only ${formatCount(named)} of its ${counted(all, 'change')}, so there is no change kit for all of them.`;
}
