/** Plants the flaws of an organization on top of its clean state. */

import { CONTROLLER_FLAWS } from './controllerFlaws.ts';
import { dialectOf } from './dialects/index.ts';
import type { Flaw } from './flaw.ts';
import { NARROW_FLAWS } from './flaws.ts';
import { MEMBERSHIP_FLAWS } from './membershipFlaws.ts';
import { personName } from './people.ts';
import {
  type Block,
  blockId,
  blockPrincipal,
  type DomainPlan,
  domainStream,
  type ForestPlan,
  relativeId,
} from './plan.ts';
import { below } from './random.ts';
import type { Principal } from './records.ts';
import { SETTING_FLAWS } from './settingFlaws.ts';
import { WIDE_FLAWS } from './wideFlaws.ts';
import { Overlay } from './world.ts';

/** Flaws that each domain of shape 3 has only in part. */
const DRAWN_FLAWS: ReadonlySet<Flaw> = new Set([
  ...NARROW_FLAWS,
  ...MEMBERSHIP_FLAWS,
  ...SETTING_FLAWS,
  ...CONTROLLER_FLAWS,
]);

const RARE_FLAWS: ReadonlySet<Flaw> = new Set([...MEMBERSHIP_FLAWS, ...CONTROLLER_FLAWS]);

export const FLAWS: readonly Flaw[] = [...DRAWN_FLAWS, ...WIDE_FLAWS];

export interface Planted {
  readonly overlay: Overlay;
  /** Number of times that each flaw was planted, by name. */
  readonly planted: Map<string, number>;
}

/** @returns the overlay with all flaws of the organization */
export function plantFlaws(forest: ForestPlan): Planted {
  const overlay = new Overlay();
  const planted = new Map<string, number>();
  for (const plan of forest.domains) {
    for (const flaw of FLAWS) {
      const stream = domainStream(plan, `flaw/${flaw.name}`);
      const count = countOf(flaw, plan, forest);
      for (let occurrence = 0; occurrence < count; occurrence++) {
        const draw = (question: number): number => stream(occurrence, question);
        const some = (block: Block, question: number): Principal =>
          blockPrincipal(plan, block, below(plan.counts[block], draw(question)));
        flaw.plant({ plan, forest, overlay, draw, some }, occurrence);
      }
      planted.set(flaw.name, (planted.get(flaw.name) ?? 0) + count);
    }
  }
  return { overlay, planted };
}

/**
 * @param forest the organization with its flaws @returns an overlay without them, in which the same machines answer and no flaw is counted
 */
export function plantNothing(forest: ForestPlan): Planted {
  return {
    overlay: plantFlaws(forest).overlay.withoutChanges(),
    planted: new Map(FLAWS.map(({ name }) => [name, 0])),
  };
}

/**
 * In shape 3, only some domains have a narrow flaw, less or more often than in shape 2. Permanent flaws, such as entries of deleted
 * accounts, are harmless and always present.
 */
function countOf(flaw: Flaw, plan: DomainPlan, forest: ForestPlan): number {
  const usual = flaw.count(plan, forest);
  if (plan.shape !== 3 || usual === 0 || !DRAWN_FLAWS.has(flaw)) return usual;
  const { audience, isTiered, sickness } = plan.traits;
  if (flaw.crosses === 'wide' && (audience === 'people' || isTiered)) return 0;
  if (flaw.name === 'everyone-administers-server' && audience !== 'users' && audience !== 'everybody')
    return 0;
  const draw = domainStream(plan, `drawn/${flaw.name}`);
  // Many flaws exist only in shape 3. Each is rare; otherwise, every organization would have a path for everybody.
  const usually = RARE_FLAWS.has(flaw) ? 0.35 * sickness : sickness;
  const chance = flaw.crosses === 'tiers' && isTiered ? usually / 4 : usually;
  if (draw(0) >= chance) return 0;
  return flaw.isSingle === true ? 1 : Math.max(1, Math.round(usual * 4 ** (draw(1) - 0.5)));
}

export interface PlantedRoute {
  /** Object ids and names of a person and of the Tier Zero group to which a path leads. */
  readonly from: string;
  readonly to: string;
  readonly fromName: string;
  readonly toName: string;
  /** In shape 3, some organizations lack objects that the path needs. */
  readonly exists: boolean;
}

const ON_THE_ROUTE = ['team-controls-helpdesk', 'helpdesk-resets-administrator', 'tier0-logon-on-server'];

/** The route that every forest of shapes 1 and 2 has, however small. */
export function plantedRoute(forest: ForestPlan): PlantedRoute {
  const root = forest.domains[0] as DomainPlan;
  return {
    from: blockId(root, 'person', 0),
    to: relativeId(root, 512),
    fromName: `${personName(0, root).account}@${root.name}`,
    toName: `${dialectOf(root).builtIn('DOMAIN ADMINS')}@${root.name}`,
    exists:
      root.hasFlaws &&
      NARROW_FLAWS.filter(({ name }) => ON_THE_ROUTE.includes(name)).every(
        (flaw) => countOf(flaw, root, forest) > 0,
      ),
  };
}
