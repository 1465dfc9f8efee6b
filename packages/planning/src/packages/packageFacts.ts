/** Facts used to group and price packages: containers, forests, CAs, hosts of local groups, default and administrative groups. */

import { type AnalysisContext, domains, environments, largeDefaultGroups } from '@clew/analysis';
import { type NodeSet, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { isPossible } from '../repairs/possibleChanges.ts';
import type { Repair } from '../repairs/repair.ts';
import type { RepairKind } from '../repairs/repairKinds.ts';
import { type PriceInput, Prices } from './prices/prices.ts';
import { isKept, type Price } from './prices/reasons.ts';
import { rootOf } from './rootCause.ts';

/** Kinds of repairs that change one host, account or entry; all other kinds change settings or whole domains. */
const NARROW: ReadonlySet<RepairKind> = new Set([
  ...(['remove-permission', 'change-owner', 'remove-enrollment', 'remove-local-member'] as const),
  ...(['remove-logon-right', 'remove-member', 'keep-off', 'remove-relation', 'remove-delegation'] as const),
  ...(['unsynchronize', 'remove-role', 'unlink-policy', 'move-object', 'computer-smb-signing'] as const),
  ...(['clear-sid-history', 'remove-policy-member'] as const),
]);

/** Whether repairs of the kind are wide, for any principal. */
export const isWideKind = (kind: RepairKind): boolean => !NARROW.has(kind);

export interface LocalGroupPlace {
  readonly relativeId: number;
  readonly unit: number | undefined;
  readonly domain: number | undefined;
}

export interface RepairFacts {
  readonly price: Price;
  readonly isWide: boolean;
  /** Whether a careful administrator keeps the access that the repair removes. */
  readonly isKept: boolean;
  /** Smaller is nearer to the root cause. */
  readonly root: number;
  readonly isOfDefaultGroup: boolean;
}

export class PackageFacts {
  readonly #context: AnalysisContext;
  readonly prices: Prices;
  readonly #defaultGroups: NodeSet;
  readonly #authorities: NodeSet;
  readonly #parents = new Map<number, number | undefined>();
  readonly #localGroups = new Map<number, LocalGroupPlace | undefined>();

  constructor(context: AnalysisContext, input: PriceInput) {
    this.#context = context;
    this.prices = new Prices(context, input);
    this.#defaultGroups = largeDefaultGroups(context).all;
    this.#authorities = context.nodesOf('EnterpriseCA');
  }

  idOf(node: number): string {
    return node < 0 ? String(-node) : objectIdOf(this.#context.graph, node);
  }

  /** @returns false for changes that no one makes, or that do not solve the problem */
  isPossible(repair: Repair): boolean {
    return isPossible(this.#context, repair);
  }

  of(repair: Repair): RepairFacts {
    const { kind, principal } = repair;
    const price = this.prices.of(repair);
    const isOfDefaultGroup = principal !== undefined && this.#defaultGroups.has(principal);
    return {
      price,
      isWide: isWideKind(kind) || isOfDefaultGroup,
      isKept: isKept(price),
      root: rootOf(repair, price),
      isOfDefaultGroup,
    };
  }

  /** @returns the domain that represents a forest */
  forestOf(domain: number): number {
    const known = this.#context.use(domains);
    if (!known.nodes.has(domain)) return domain;
    return known.forestOf(domain).toArray()[0] ?? domain;
  }

  get authorities(): NodeSet {
    return this.#authorities;
  }

  templatesOf(ca: number): NodeSet {
    return this.#context.edges('PublishedTo').startsOf(ca);
  }

  /** @returns the object that sets the entry explicitly, if other objects inherit or copy it */
  sourceOf({ change }: Repair): number | undefined {
    const [entry] = change.removed;
    return entry && this.prices.sources.of(entry);
  }

  /** Whether Windows copies the entries of this object to protected objects. */
  isProtector(source: number): boolean {
    return this.prices.sources.isProtector(source);
  }

  /** @returns the container of an object */
  parentOf(object: number): number | undefined {
    return remembered(this.#parents, object, () => this.#before(object, EdgeKind.Contains));
  }

  localGroupOf(group: number): LocalGroupPlace | undefined {
    return remembered(this.#localGroups, group, () => this.#localGroup(group));
  }

  /** @returns the first node with an incoming relation of this kind to the given node */
  #before(node: number, kind: number): number | undefined {
    const { offsets, neighbors, kinds } = this.#context.graph.in;
    for (let at = offsets[node]; at < offsets[node + 1]; at++) if (kinds[at] === kind) return neighbors[at];
    return undefined;
  }

  #localGroup(group: number): LocalGroupPlace | undefined {
    const { offsets, neighbors, kinds } = this.#context.graph.out;
    const relativeId = Number(/-(\d+)$/.exec(this.idOf(group))?.[1]);
    if (!Number.isInteger(relativeId)) return undefined;
    for (let at = offsets[group]; at < offsets[group + 1]; at++) {
      if (kinds[at] !== EdgeKind.LocalToComputer) continue;
      const host = neighbors[at];
      const { of, nodes } = this.#context.use(environments);
      return { relativeId, unit: this.parentOf(host), domain: nodes[of[host]] };
    }
    return undefined;
  }
}

function remembered<Value>(
  known: Map<number, Value | undefined>,
  node: number,
  find: () => Value | undefined,
): Value | undefined {
  if (known.has(node)) return known.get(node);
  const found = find();
  known.set(node, found);
  return found;
}
