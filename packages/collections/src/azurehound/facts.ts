/** Collects the facts of an AzureHound item as nodes and edge sets. Ids are already in upper case. */
import type { AspectName, EdgeFact, EdgeSetFact, NodeFact, Properties, PropertyValue } from '@clew/model';

/** One end of an edge: its kind and id. `AZBase` if the item does not name the kind. */
export interface End {
  readonly kind: string;
  readonly id: string;
}

export class AzureFacts {
  readonly nodes: NodeFact[] = [];
  readonly notes: string[] = [];
  private readonly sets = new Map<string, { owner: End; aspect: AspectName; edges: EdgeFact[] }>();

  /** The item describes this object. */
  describe(kind: string, id: string, properties: Record<string, PropertyValue>): End {
    this.nodes.push({ objectId: id, kinds: kindsOf(kind), properties, described: true });
    return { kind, id };
  }

  /** The item names this object, with some of its properties. */
  mention(kind: string, id: string, properties: Record<string, PropertyValue>): End {
    this.nodes.push({ objectId: id, kinds: kindsOf(kind), properties, described: false });
    return { kind, id };
  }

  /** The item enumerates an aspect of `owner`, which may be empty. */
  enumerate(owner: End, aspect: AspectName): void {
    this.setOf(owner, aspect);
  }

  edge(owner: End, aspect: AspectName, start: End, kind: string, end: End, properties?: Properties): void {
    this.setOf(owner, aspect).edges.push({
      startId: start.id,
      startKind: start.kind,
      kind,
      endId: end.id,
      endKind: end.kind,
      flags: 0,
      ...(properties === undefined ? {} : { properties }),
    });
  }

  edgeSets(): EdgeSetFact[] {
    return [...this.sets.values()].map(({ owner, aspect, edges }) => ({
      ownerId: owner.id,
      ownerKind: owner.kind,
      aspect,
      edges,
      replaces: true,
    }));
  }

  private setOf(owner: End, aspect: AspectName): { owner: End; aspect: AspectName; edges: EdgeFact[] } {
    const key = `${aspect} ${owner.id}`;
    const known = this.sets.get(key);
    if (known !== undefined) return known;
    const made = { owner, aspect, edges: [] };
    this.sets.set(key, made);
    return made;
  }
}

function kindsOf(kind: string): readonly string[] {
  return kind === 'AZBase' ? ['AZBase'] : ['AZBase', kind];
}
