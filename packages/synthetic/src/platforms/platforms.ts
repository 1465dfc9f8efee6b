/** The platforms of an organization: their definitions, their payloads, and the planted path across them. */
import { dialectOf } from '../dialects/index.ts';
import { type ForestOptions, relativeId } from '../plan.ts';
import type { PlantedRoute } from '../plantFlaws.ts';
import type { GeneratedFile } from '../write.ts';
import { desk } from './desk.ts';
import { gate, gateUserId, gateUserName, phishedPerson } from './gate.ts';
import { hub } from './hub.ts';
import { definitionOf, payloadOf, planPlatforms } from './platform.ts';

export interface Platforms {
  /** Platforms in the order of installation; each is complete without the others. */
  readonly definitions: readonly GeneratedFile[];
  readonly payloads: readonly GeneratedFile[];
  /** A route from an account of the identity provider whose sign-in is easily phished, over a workflow, to Tier Zero. */
  readonly route: Omit<PlantedRoute, 'exists'>;
}

const PLATFORMS = [gate, hub, desk];

/** @returns the platforms of the forest with the same options; objects are generated on demand */
export function generatePlatforms(options: ForestOptions): Platforms {
  const plan = planPlatforms(options);
  const { domain } = plan;
  const person = phishedPerson(plan);
  return {
    definitions: PLATFORMS.map(definitionOf),
    payloads: PLATFORMS.map((platform) => payloadOf(platform, plan)),
    route: {
      from: gateUserId(person).toUpperCase(),
      to: relativeId(domain, 512),
      fromName: gateUserName(plan, person),
      toName: `${dialectOf(domain).builtIn('DOMAIN ADMINS')}@${domain.name}`,
    },
  };
}
