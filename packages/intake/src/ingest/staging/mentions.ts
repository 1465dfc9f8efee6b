/**
 * Which objects a job describes or mentions, and their kinds. A batch writes only new items: objects that are new
 * to the job, and kinds that an object did not have in the job before. Kinds from descriptions are separate from
 * kinds from mentions: a mention never changes the kinds of a described object (`merge/nodes.ts`).
 */
import { getOrMake } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { FileScope, Place } from './fileScope.ts';
import { IdSet } from './idSet.ts';
import { baseKind } from './kindNames.ts';
import type { Numbers } from './numbers.ts';
import type { StagingTables } from './stagingTables.ts';

/** The facts of a batch about an object. */
interface Mention {
  /** First file that contains it. */
  readonly scope: FileScope;
  /** Kinds from mentions. */
  readonly kinds: number[];
  /** Kinds from descriptions. */
  readonly stated: number[];
  /** Whether this is the first mention of the object in the job. */
  readonly isFirst: boolean;
}

/**
 * The source of the first mention of an object in the job, and all kinds that the object has if it is described
 * now.
 */
export type FirstMention = Pick<Mention, 'scope' | 'kinds'>;

/** A kind, its base kind, and the objects that have it from mentions and from descriptions. */
interface KindMembers {
  readonly kind: number;
  readonly mentioned: IdSet;
  readonly stated: IdSet;
  readonly base: KindMembers | undefined;
}

export class Mentions {
  readonly #tables: StagingTables;
  readonly #numbers: Numbers;
  readonly #mentioned = new IdSet();
  readonly #byNumber = new Map<number, KindMembers>();
  readonly #byName = new Map<string, KindMembers>();
  /** Seen objects, by the file that gives their source and time. */
  readonly #seen = new Map<number, IdSet>();
  #rows = new Map<number, Mention>();

  constructor(tables: StagingTables, numbers: Numbers) {
    this.#tables = tables;
    this.#numbers = numbers;
  }

  /** Records that the file describes the object. */
  add(place: Place, id: number): void {
    place.scope.seen.add(id);
    place.notes.sees(id);
    if (this.#mentioned.add(id))
      this.#rows.set(id, { scope: place.scope, kinds: [], stated: [], isFirst: true });
  }

  /**
   * Removes the pending row of the object from this batch. @returns `undefined` if the job mentioned the object
   * before
   */
  takeFirst(id: number): FirstMention | undefined {
    const mention = this.#rows.get(id);
    if (mention?.isFirst !== true) return undefined;
    this.#rows.delete(id);
    return { scope: mention.scope, kinds: inOrder(describedKinds(mention)) };
  }

  /** Records a kind that the file mentions for the object. */
  addKind(place: Place, id: number, kind: string): void {
    const members = this.#byName.get(kind) ?? this.#membersOf(place, kind);
    if (members === undefined) return;
    if (members.mentioned.add(id)) this.#rowOf(place, id).kinds.push(members.kind);
    if (members.base?.mentioned.add(id)) this.#rowOf(place, id).kinds.push(members.base.kind);
  }

  /** Records a kind from a description of the object in the file. */
  stateKind(place: Place, id: number, kind: string): void {
    const members = this.#byName.get(kind) ?? this.#membersOf(place, kind);
    if (members === undefined) return;
    if (members.stated.add(id)) this.#rowOf(place, id).stated.push(members.kind);
    if (members.base?.stated.add(id)) this.#rowOf(place, id).stated.push(members.base.kind);
  }

  /**
   * @param sightingOrigin file with the same source and time, under which the objects of all such files are
   * recorded once
   */
  endFile(seen: IdSet, sightingOrigin: number): void {
    const known = getOrMake(this.#seen, sightingOrigin, () => new IdSet());
    known.addAll(seen);
  }

  endBatch(): void {
    const rows = this.#tables.rows('mention');
    for (const [id, { scope, kinds, stated }] of this.#rows)
      rows.begin().id(id).origin(scope.origin).kinds(inOrder(kinds)).stated(inOrder(stated));
    this.#rows = new Map();
  }

  async endJob(): Promise<void> {
    for (const [origin, seen] of this.#seen) {
      const rows = this.#tables.rows('seen');
      let written = 0;
      for (const id of seen) {
        rows.begin().id(id).origin(origin);
        if (++written % 10_000 === 0) await this.#tables.written();
      }
    }
  }

  #rowOf(place: Place, id: number): Mention {
    return getOrMake(this.#rows, id, () => ({ scope: place.scope, kinds: [], stated: [], isFirst: false }));
  }

  #membersOf(place: Place, name: string): KindMembers | undefined {
    const kind = this.#numbers.nodeKind(place, name);
    if (kind === undefined) return undefined;
    const base = baseKind(name);
    const members = this.#membersByNumber(
      kind,
      base === undefined || base === kind ? undefined : this.#membersByNumber(base),
    );
    this.#byName.set(name, members);
    return members;
  }

  #membersByNumber(kind: number, base?: KindMembers): KindMembers {
    return getOrMake(this.#byNumber, kind, () => ({
      kind,
      mentioned: new IdSet(),
      stated: new IdSet(),
      base,
    }));
  }
}

/** A group that a computer reports as its own is also a local group; see `merge/nodes.ts`. */
function describedKinds({ kinds, stated }: Mention): number[] {
  const isLocal = stated.includes(NodeKind.Group) && kinds.includes(NodeKind.ADLocalGroup);
  return isLocal && !stated.includes(NodeKind.ADLocalGroup) ? [...stated, NodeKind.ADLocalGroup] : stated;
}

function inOrder(kinds: number[]): number[] {
  return kinds.sort((a, b) => a - b);
}
