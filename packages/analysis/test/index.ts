/**
 * Test helpers: the worked cases of certificate services for tests that take the long way, through ingest, the slow twin of ratings, and
 * the worlds that tests of plans share with those of findings.
 */
import type { JsonValue } from '@clew/graph';
import { Pki } from './adcs/pki.ts';
import { WORKED_CASES } from './adcs/workedCases.ts';
import { BASELINE } from './adcs/workedWorlds.ts';

export { leadsTo } from '../src/findings/leadsTo.ts';
export { type NaiveFinding, NaiveRatings } from './findings/naiveRatings.ts';

export interface WorkedWorld {
  readonly nodes: readonly {
    readonly id: string;
    readonly kinds: readonly string[];
    readonly properties: Readonly<Record<string, JsonValue>>;
  }[];
  readonly edges: readonly { readonly start: string; readonly kind: string; readonly end: string }[];
  /** All edges that analysis derives, as `KIND start end`, ascending; the experimental rule included. */
  readonly expected: readonly string[];
}

/** @returns all worked cases side by side in one world: each has domains, certificates and accounts of its own. */
export function workedWorld(): WorkedWorld {
  const worlds = WORKED_CASES.map(({ world: change, expected, chain = BASELINE }, at) => {
    const pki = new Pki();
    change(pki);
    const { nodes, edges } = pki.plain();
    const idOf = (name: string) => idIn(at, name, nodes.get(name)!.kind);
    return {
      nodes: [...nodes].map(([name, { kind, props }]) => ({
        id: idOf(name),
        kinds: ['Base', kind],
        properties: Object.fromEntries(
          Object.entries(props).map(([key, value]) => [key, valueIn(at, key, value)]),
        ),
      })),
      edges: edges.map(([start, kind, end]) => ({ start: idOf(start), kind, end: idOf(end) })),
      expected: [...chain, ...expected].map((edge) => {
        const [kind, start, end] = edge.split(' ');
        return `${kind} ${idOf(start)} ${idOf(end)}`;
      }),
    };
  });
  return {
    nodes: worlds.flatMap((world) => world.nodes),
    edges: worlds.flatMap((world) => world.edges),
    expected: worlds.flatMap((world) => world.expected).sort(),
  };
}

const SUFFIXES: Readonly<Record<string, string>> = {
  AU: 'CORP.LOCAL-S-1-5-11',
  EV: 'CORP.LOCAL-S-1-1-0',
  AU2: 'OTHER.LOCAL-S-1-5-11',
};
const RELATIVE_IDS: Readonly<Record<string, string>> = { DU: '513', DC: '515', PU: '525' };

/** Ids that rules look at keep their form; all others are distinguished by kind, since case does not count in ids. */
function idIn(world: number, name: string, kind: string): string {
  if (name in SUFFIXES) return `W${world}.${SUFFIXES[name]}`;
  if (name in RELATIVE_IDS) return `${sidIn(world, 'S-1-5-21-1')}-${RELATIVE_IDS[name]}`;
  if (kind === 'Domain') return sidIn(world, name === 'D' ? 'S-1-5-21-1' : 'S-1-5-21-2');
  return `W${world}.${kind}.${name}`.toUpperCase();
}

function sidIn(world: number, sid: string): string {
  return sid.replace('S-1-5-21-', `S-1-5-21-${world + 1}-`);
}

function valueIn(world: number, key: string, value: JsonValue): JsonValue {
  const each = (text: JsonValue) => `${String(text)}-${world}`;
  if (key === 'domainsid') return sidIn(world, String(value));
  if (key === 'certthumbprint') return each(value);
  if (key === 'certthumbprints' || key === 'certchain') return (value as JsonValue[]).map(each);
  return value;
}

export { endsMatches } from '../src/derivedMatches.ts';
export { commonMembers } from '../src/directory/commonMembers.ts';
export { Membership } from '../src/directory/membership.ts';
export { primaryGroups } from '../src/directory/primaryGroups.ts';
export { answered, inputOf, Pki, SAN_FLAG, TEMPLATE } from './adcs/pki.ts';
export { infrastructureOf, randomInfrastructures } from './adcs/randomInfrastructures.ts';
export { WORKED_CASES } from './adcs/workedCases.ts';
export { randomTenants, tenantOf } from './azure/randomTenants.ts';
export { ACCOUNTS_CASES } from './findings/cases/accounts.ts';
export type { Case, Cases } from './findings/cases/case.ts';
export { CERTIFICATES_CASES } from './findings/cases/certificates.ts';
export { ENTRA_CASES } from './findings/cases/entra.ts';
export { KERBEROS_CASES } from './findings/cases/kerberos.ts';
export { PRIVILEGES_CASES } from './findings/cases/privileges.ts';
export { RESOURCES_CASES } from './findings/cases/resources.ts';
export { FINDING_FAMILIES } from './findings/families.ts';
export {
  contextOf,
  DAY,
  type Fact,
  type Found,
  findIn,
  NOW,
  OTHER_SID,
  SID,
  TENANT,
  type Thing,
  type World,
} from './findings/worlds.ts';
export { Observation } from './observedContext.ts';
export { maybe, someFacts } from './randomFacts.ts';
