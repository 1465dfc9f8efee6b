/** The organizations whose plans are compared with their planted flaws (`provePlanted.ts`). */
import { randomStream } from '@clew/synthetic';
import type { Generated } from './organizations.ts';

const COUNT = 36;
const FIRST_SEED = 601;
const SIZES = [400, 500, 700, 1000, 1500, 2000, 3000] as const;
/** Half of them differ in their flaws. */
const SHAPES = [3, 2, 3, 1, 3, 2] as const;
const MAX_DOMAINS = 12;
/** Number of domains in shape 1. */
const EVEN_DOMAINS = 3;
const SHARE_OF_TENANTS = 0.6;
const DAY_MS = 86_400_000;

export interface PlantedOrganization extends Generated {
  readonly name: string;
  readonly hasTenant: boolean;
}

/** @returns the seeds of the stored figures, or those of a day, which are new */
export const plantedSeeds = (day?: Date): number[] => {
  const first = day === undefined ? FIRST_SEED : Math.floor(day.getTime() / DAY_MS) * COUNT;
  return Array.from({ length: COUNT }, (_, at) => first + at);
};

/** @returns the organization of a seed: shapes 1 to 3, 400 to 3,000 users, 1 to 12 domains, with and without a tenant */
export function plantedOrganization(seed: number): PlantedOrganization {
  const draw = randomStream(seed, 'planted organization');
  const shape = SHAPES[seed % SHAPES.length] as 1 | 2 | 3;
  const users = SIZES[Math.floor(draw(0) * SIZES.length)] as number;
  const domains = 1 + Math.floor(MAX_DOMAINS * draw(1) ** 2);
  // In shape 3, the seed may also select the number of domains.
  const isDrawn = shape === 3 && draw(2) < 0.5;
  return organizationOf({
    ...{ users, seed, shape, hasTenant: draw(3) < SHARE_OF_TENANTS },
    ...(!isDrawn && { domains: shape === 1 ? EVEN_DOMAINS : domains }),
  });
}

const NAME = /^(?<users>\d+)-(?<seed>\d+)-(?<domains>\d+|x)-(?<shape>[123])(?<alone>-ad)?$/;

/**
 * @param name users, seed, domains (`x`: selected by the seed) and shape, with `-ad` if it has no tenant: `1500-604-3-2-ad`
 * @throws RangeError for another text
 */
export function organizationNamed(name: string): PlantedOrganization {
  const parts = NAME.exec(name)?.groups;
  if (parts === undefined)
    throw new RangeError(
      `an organization is named as USERS-SEED-DOMAINS-SHAPE or with -ad behind, not ${name}`,
    );
  return organizationOf({
    ...{ users: Number(parts.users), seed: Number(parts.seed), shape: Number(parts.shape) as 1 | 2 | 3 },
    ...(parts.domains !== 'x' && { domains: Number(parts.domains) }),
    hasTenant: parts.alone === undefined,
  });
}

const organizationOf = (options: Generated & { readonly hasTenant: boolean }): PlantedOrganization => ({
  ...options,
  name: `${options.users}-${options.seed}-${options.domains ?? 'x'}-${options.shape}${options.hasTenant ? '' : '-ad'}`,
});
