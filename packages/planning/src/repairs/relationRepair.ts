/** Repairs that remove one relationship, with the settings that cause it. Rule: `docs/plan.md#repairs`. */
import { type AnalysisContext, APPROVERS, type EdgeRef, edgeNameOf, SYNCHRONIZED } from '@clew/analysis';
import { findEdge, NO_EDGE, objectIdOf } from '@clew/graph';
import { EdgeKind, type EdgeKindName, edgeKindById } from '@clew/model';
import { declaredRepair } from './declaredRepairs.ts';
import type { FactsChange, Repair } from './repair.ts';
import { AT_START, type RepairKind } from './repairKinds.ts';
import type { RepairedValue } from './settings.ts';

/** Relations whose collected name differs from the name in the attack graph. */
const COLLECTED_AS: Readonly<Partial<Record<EdgeKindName, EdgeKindName>>> = {
  Owns: 'OwnsRaw',
  WriteOwner: 'WriteOwnerRaw',
};

/** A repair that removes one relation. There may be millions, so values are computed on request to save memory. */
export class RelationRepair implements Repair {
  readonly kind: RepairKind;
  readonly object: number;
  readonly principal: number;
  readonly #context: AnalysisContext;
  readonly #edgeKind: number;
  readonly #isAtStart: boolean;

  constructor(context: AnalysisContext, kind: RepairKind, { start, kind: edgeKind, end }: EdgeRef) {
    this.kind = kind;
    this.#context = context;
    this.#edgeKind = edgeKind;
    // Settings stored at the start are changed there.
    this.#isAtStart =
      (AT_START.has(kind) && edgeKind !== EdgeKind.AllowedToAct) ||
      declaredRepair(context.graph, edgeKind)?.isAtStart === true;
    this.object = this.#isAtStart ? start : end;
    this.principal = this.#isAtStart ? end : start;
  }

  get cost(): number | undefined {
    return declaredRepair(this.#context.graph, this.#edgeKind)?.cost;
  }

  get id(): string {
    const { graph } = this.#context;
    const { start, end } = this.edge;
    const [name] = this.edgeKinds;
    return `${this.kind} ${objectIdOf(graph, start)} ${name ?? this.#edgeKind} ${objectIdOf(graph, end)}`;
  }

  get edgeKinds(): readonly EdgeKindName[] {
    const name = edgeNameOf(this.#context.graph, this.#edgeKind);
    return name === undefined ? [] : [name as EdgeKindName];
  }

  get change(): FactsChange {
    return {
      removed: [collected(this.#context, this.edge)],
      properties: alongside(this.#context, this.edge),
    };
  }

  get edge(): EdgeRef {
    const [start, end] = this.#isAtStart ? [this.object, this.principal] : [this.principal, this.object];
    return { start, kind: this.#edgeKind, end };
  }
}

/** The collected relation, if it has another name in the attack graph. */
export function collected({ graph }: AnalysisContext, edge: EdgeRef): EdgeRef {
  const raw = COLLECTED_AS[edgeKindById(edge.kind)?.name as EdgeKindName];
  if (raw === undefined) return edge;
  const isThere = findEdge(graph, edge.start, EdgeKind[raw], edge.end) !== NO_EDGE;
  return isThere ? { ...edge, kind: EdgeKind[raw] } : edge;
}

/** Settings that cause a relation and are removed with it. */
export function alongside(
  { graph, properties }: AnalysisContext,
  { start, kind, end }: EdgeRef,
): RepairedValue[] {
  switch (kind) {
    case EdgeKind.CoerceToTGT:
      return [{ node: start, key: 'unconstraineddelegation', value: false }];
    case EdgeKind.HasSIDHistory: {
      const former = objectIdOf(graph, end);
      const isFormer = (sid: unknown): boolean => typeof sid === 'string' && sid.toUpperCase() === former;
      const value = properties.value('sidhistory', start);
      if (isFormer(value)) return [{ node: start, key: 'sidhistory', value: [] }];
      if (!Array.isArray(value) || !value.some(isFormer)) return [];
      return [{ node: start, key: 'sidhistory', value: value.filter((sid) => !isFormer(sid)) }];
    }
    case EdgeKind.SyncedToADUser:
      return [{ node: start, key: SYNCHRONIZED, value: false }];
    case EdgeKind.SyncedToEntraUser:
      return [{ node: end, key: SYNCHRONIZED, value: false }];
    case EdgeKind.AZRoleApprover: {
      const approver = objectIdOf(graph, start);
      return APPROVERS.flatMap((key) => {
        const named = properties.texts(key, end);
        const others = named.filter((id) => id.toUpperCase() !== approver);
        return others.length === named.length ? [] : [{ node: end, key, value: others }];
      });
    }
    default:
      return [];
  }
}
