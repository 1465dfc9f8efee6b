/**
 * Slow twin of the ratings, after the text of `docs/findings.md#exposure-and-impact` and
 * `docs/findings.md#records-over-time`: sets of names, walked edge by edge.
 */
import { FINDING_TYPES } from '../../src/findings/types/index.ts';

export interface NaiveWorld {
  readonly nodes: readonly {
    readonly id: string;
    readonly environment: string;
    readonly isPrincipal: boolean;
  }[];
  /** Edges of kinds that are steps of attack paths. */
  readonly steps: readonly (readonly [start: string, end: string])[];
  /** In order of privilege. */
  readonly zones: readonly { readonly id: number; readonly members: ReadonlySet<string> }[];
  /** Domains that fall with an object although no step says so. */
  readonly leadsTo?: ReadonlyMap<string, readonly string[]>;
  /** Environments that are one forest. */
  readonly forest?: readonly string[];
  /** Default: `clean`. */
  readonly rules?: 'clean' | 'parity';
}

export interface NaiveFinding {
  readonly type: string;
  readonly zone: number;
  /** Absent for list findings. */
  readonly source?: string;
  readonly target: string;
  readonly environment: string;
}

export class NaiveRatings {
  readonly #world: NaiveWorld;
  readonly #neighbors: Readonly<Record<'out' | 'back', ReadonlyMap<string, readonly string[]>>>;

  constructor(world: NaiveWorld) {
    this.#world = world;
    this.#neighbors = {
      out: neighbors(world.steps),
      back: neighbors(world.steps.map(([start, end]) => [end, start])),
    };
  }

  /** Principals of the environment; by the public rule also of all from which a principal has a path into it. */
  principals(environment: string): ReadonlySet<string> {
    const { nodes, rules } = this.#world;
    if (rules !== 'parity')
      return new Set(
        nodes.filter((node) => node.isPrincipal && node.environment === environment).map(({ id }) => id),
      );
    const inside = nodes.filter((node) => node.environment === environment).map(({ id }) => id);
    const upstream = this.#walk(inside, 'back', new Set());
    const scope = new Set([environment]);
    for (const node of nodes) if (node.isPrincipal && upstream.has(node.id)) scope.add(node.environment);
    return new Set(
      nodes.filter((node) => node.isPrincipal && scope.has(node.environment)).map(({ id }) => id),
    );
  }

  /** H: members of the zone and of those more privileged; empty for findings of no zone. */
  excluded(zone: number): ReadonlySet<string> {
    const { zones } = this.#world;
    const at = zones.findIndex(({ id }) => id === zone);
    return new Set(zones.slice(0, at + 1).flatMap(({ members }) => [...members]));
  }

  exposed({ zone, source, environment }: NaiveFinding): ReadonlySet<string> {
    if (source === undefined) return new Set();
    const excluded = this.excluded(zone);
    return intersection(this.outside(environment, zone), this.#walk([source], 'back', excluded));
  }

  /** Principals of another environment that can use the finding. */
  exposedFrom(attacker: string, { zone, source }: NaiveFinding): ReadonlySet<string> {
    if (source === undefined) return new Set();
    return intersection(this.outside(attacker, zone), this.#walk([source], 'back', this.excluded(zone)));
  }

  outside(environment: string, zone: number): ReadonlySet<string> {
    const excluded = this.excluded(zone);
    return new Set([...this.principals(environment)].filter((id) => !excluded.has(id)));
  }

  falling({ target, environment }: NaiveFinding): ReadonlySet<string> {
    const { leadsTo, rules } = this.#world;
    const also = rules === 'parity' ? [] : (leadsTo?.get(target) ?? []);
    return intersection(this.principals(environment), this.#walk([target, ...also], 'out', new Set()));
  }

  /** Composite risk of all findings of one type under one zone in one environment. */
  compositeRisk(findings: readonly NaiveFinding[]): number {
    const [{ type, zone, environment }] = findings;
    const traits = FINDING_TYPES.find(({ id }) => id === type)!;
    const byImpact = traits.kind === 'list' || traits.boundary.startsWith('large');
    const together = new Set(
      findings.flatMap((finding) => [...(byImpact ? this.falling(finding) : this.exposed(finding))]),
    );
    const whole = byImpact ? this.principals(environment) : this.outside(environment, zone);
    return whole.size === 0 ? 0 : (100 * together.size) / whole.size;
  }

  exposureIndex(environment: string, zone: number): number {
    const members = this.#world.zones.find(({ id }) => id === zone)!.members;
    const { nodes, forest = [], rules } = this.#world;
    const within = forest.includes(environment) && rules !== 'parity' ? forest : [environment];
    const here = nodes.filter((node) => within.includes(node.environment) && members.has(node.id));
    const upstream = this.#walk(
      here.map(({ id }) => id),
      'back',
      new Set(),
    );
    const outside = this.outside(environment, zone);
    return outside.size === 0 ? 0 : intersection(outside, upstream).size / outside.size;
  }

  #walk(
    from: readonly string[],
    direction: 'out' | 'back',
    blocked: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const reached = new Set(from.filter((id) => !blocked.has(id)));
    for (const id of reached) {
      for (const next of this.#neighbors[direction].get(id) ?? []) if (!blocked.has(next)) reached.add(next);
    }
    return reached;
  }
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((id) => b.has(id)));
}

function neighbors(
  steps: readonly (readonly [start: string, end: string])[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [start, end] of steps) found.set(start, [...(found.get(start) ?? []), end]);
  return found;
}
