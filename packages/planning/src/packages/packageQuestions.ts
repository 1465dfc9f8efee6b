/**
 * Questions that the data cannot decide about a package: whether someone needs the access that it removes. A question states the
 * price of both answers.
 *
 * Rule: `docs/plan.md#questions-for-people`.
 */
import { type AttackGraph, addTo, hasKind } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { Repair } from '../repairs/repair.ts';
import type { RepairKind } from '../repairs/repairKinds.ts';
import { costWithout } from './packagePrices.ts';
import type { Alternative, PackageQuestion, PricedPackage, QuestionKind } from './plannedTypes.ts';
import { isKept, type Price } from './prices/reasons.ts';

/** @param alternatives cheapest first; undefined if unknown */
export function packageQuestions(
  graph: AttackGraph,
  priced: PricedPackage,
  alternatives: readonly Alternative[] = [],
): PackageQuestion[] {
  const asked = new Map<QuestionKind, number[]>();
  for (const price of priced.prices)
    for (const place of price.repairs) {
      const kind = questionAbout(graph, priced.repairs[place], price);
      if (kind === undefined) continue;
      addTo(asked, kind, place);
    }
  const [used] = alternatives;
  return [...asked].map(([kind, places]) => ({
    kind,
    repairs: places.sort((a, b) => a - b),
    unused: { cost: costWithout(priced, new Set(places)) },
    ...(used !== undefined && { used }),
  }));
}

/** Changes of settings on which clients may depend that no collection shows. */
const QUESTIONS_ABOUT: Readonly<Partial<Record<RepairKind, QuestionKind>>> = {
  'authority-web-enrollment': 'web-enrollment',
  'authority-san-flag': 'attribute-names',
  'domain-computer-quota': 'joins',
  'clear-sid-history': 'former-sid',
};

/** @returns undefined if the change is right in any case */
export function questionAbout(graph: AttackGraph, repair: Repair, price: Price): QuestionKind | undefined {
  const { kind, principal, edgeKinds } = repair;
  // Someone answered, or operators have set the price of the kind.
  const setting = QUESTIONS_ABOUT[kind];
  if (setting !== undefined) return price.reason === 'answered' ? undefined : setting;
  if (edgeKinds.some((name) => name.startsWith('GetChanges'))) return 'replication';
  if (edgeKinds.includes('ManageCertificates') && isKept(price)) return 'officers';
  if (price.reason === 'authority') return 'enrollment';
  if (price.reason === 'membership') return 'membership';
  if (kind === 'remove-local-member' && price.reason === 'exception' && principal !== undefined)
    return hasKind(graph, principal, NodeKind.Group) ? 'team' : 'service';
  return isKept(price) ? 'needed' : undefined;
}
