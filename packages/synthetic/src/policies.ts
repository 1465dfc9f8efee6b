/** Group policies of a domain, and the places to which they are linked. */
import { siteName } from './names.ts';
import { isKioskSite, type Place, type Places } from './places.ts';
import { type DomainPlan, domainStream, objectGuid } from './plan.ts';
import { below, heavyTail, pick } from './random.ts';

interface Link {
  readonly policy: string;
  readonly isEnforced?: boolean;
}

/** Policies of every domain. The last one is not linked, as is usual. */
const POLICIES = [
  'DEFAULT DOMAIN POLICY',
  'DEFAULT DOMAIN CONTROLLERS POLICY',
  'SECURITY BASELINE',
  'TIER 0 BASELINE',
  'SERVER BASELINE',
  'WORKSTATION BASELINE',
  'LAPS',
  'REMOTE DESKTOP FOR KIOSKS',
  'LEGACY EXCEPTIONS',
  'PROXY SETTINGS 2014',
] as const;

const LINKS: Readonly<Record<string, readonly Link[]>> = {
  '': [{ policy: 'DEFAULT DOMAIN POLICY' }, { policy: 'SECURITY BASELINE', isEnforced: true }],
  'DOMAIN CONTROLLERS': [{ policy: 'DEFAULT DOMAIN CONTROLLERS POLICY' }],
  TIER0: [{ policy: 'TIER 0 BASELINE', isEnforced: true }],
  'TIER1/SERVERS': [{ policy: 'SERVER BASELINE' }, { policy: 'LAPS' }],
  LEGACY: [{ policy: 'LEGACY EXCEPTIONS' }],
  SITES: [{ policy: 'WORKSTATION BASELINE' }, { policy: 'LAPS' }],
};

export const policyId = (plan: DomainPlan, name: string): string => objectGuid(plan, `gpo/${name}`);

/** @returns whether the editors of policies may write it */
export const isOrdinaryPolicy = (name: string): boolean =>
  !name.startsWith('DEFAULT') && name !== 'TIER 0 BASELINE' && name !== 'SECURITY BASELINE';

const TOPICS = [
  ...[
    'PRINTERS',
    'DRIVE MAPPINGS',
    'FIREWALL EXCEPTION',
    'BROWSER',
    'WALLPAPER',
    'SOFTWARE',
    'TEST',
    'DRUCKER MÜNCHEN',
  ],
  ...['OFFICE', 'POWER', 'LOGON SCRIPT', 'WIFI', 'CERTIFICATES', 'EVENT LOG', 'USB STORAGE', 'OLD'],
] as const;

/**
 * Policies that accumulate over the years: one per site, and others that grow with the square root of the number of
 * people.
 */
function gatheredPolicies(plan: DomainPlan): { ofSites: string[]; others: string[] } {
  if (plan.shape === 1) return { ofSites: [], others: [] };
  const count = Math.round(3 * Math.sqrt(plan.counts.person));
  return {
    ofSites: Array.from({ length: plan.sites }, (_, site) => `SITE ${siteName(site)}`),
    others: Array.from(
      { length: count },
      (_, index) => `${TOPICS[index % TOPICS.length]} ${String(index + 1).padStart(4, '0')}`,
    ),
  };
}

export function policiesOf(plan: DomainPlan): string[] {
  const { ofSites, others } = gatheredPolicies(plan);
  return [...POLICIES, ...ofSites, ...others];
}

/** The links of a domain, by place. */
export class PolicyLinks {
  readonly #plan: DomainPlan;
  readonly #gathered = new Map<string, Link[]>();

  constructor(plan: DomainPlan, places: Places) {
    this.#plan = plan;
    const { ofSites, others } = gatheredPolicies(plan);
    for (const [site, policy] of ofSites.entries()) this.#link(`SITES/${siteName(site)}`, { policy });
    // Excludes the units of controllers and Tier Zero, because links there are planted deliberately (`flaws.ts`).
    const units = [...places.all()].filter(
      ({ kind, path }) => kind === 'OU' && !/^(TIER0|DOMAIN)/.test(path),
    );
    const draw = domainStream(plan, 'policy-links');
    for (const [index, policy] of others.entries()) {
      // One in six is not linked, most are linked at one unit, a few at dozens.
      const count =
        draw(index) < 1 / 6 ? 0 : heavyTail(draw(index, 1), { least: 1, exponent: 1.2, most: 60 });
      for (let link = 0; link < count; link++) {
        const { path } = pick(units, draw(index, 2 + link));
        this.#link(path, { policy, isEnforced: below(20, draw(index, 100 + link)) === 0 });
      }
    }
  }

  #link(path: string, link: Link): void {
    const links = this.#gathered.get(path);
    if (links === undefined) this.#gathered.set(path, [link]);
    else if (!links.some(({ policy }) => policy === link.policy)) links.push(link);
  }

  /** @returns the links of the place as collectors write them */
  at(place: Place): object[] {
    const links: Link[] = [...(LINKS[place.path] ?? [])];
    if (place.workstationSite !== undefined && isKioskSite(place.workstationSite)) {
      links.push({ policy: 'REMOTE DESKTOP FOR KIOSKS' });
    }
    links.push(...(this.#gathered.get(place.path) ?? []));
    return links.map((link) => ({
      GUID: policyId(this.#plan, link.policy),
      IsEnforced: link.isEnforced ?? false,
    }));
  }
}
