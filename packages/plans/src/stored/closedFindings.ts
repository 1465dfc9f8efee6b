/**
 * Answers about archived findings. Their relationship, objects, zone or type no longer exist, so they have no paths and no repairs; the
 * current values of their objects show how they were fixed. Rule: `docs/findings.md#evidence`.
 */

import { findingTypesOf } from '@clew/analysis';
import type { EvidenceRecord, FindingPathsRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNode, NO_NODE } from '@clew/graph';
import type { FindingRow } from '@clew/judgment';

type Closed = NonNullable<EvidenceRecord['closed']>;

export const closedOf = ({ deleted_at: at, status }: FindingRow): Closed | null =>
  at === null ? null : { status: status as Closed['status'], at };

/** Whether the type and the objects still exist. @param ends object ids */
export const isInGraph = ({ graph }: Generation, type: string, ends: readonly string[]): boolean =>
  findingTypesOf(graph).some(({ id }) => id === type) && ends.every((id) => findNode(graph, id) !== NO_NODE);

const COMPLETE = { relations_are_complete: true, repairs_are_complete: true };

export const noEvidence = ({ id: generation }: Generation, closed: Closed): EvidenceRecord => ({
  ...{ generation, closed, values: [], relations: [], advice: [], seen: [], repairs: [], attack_path: null },
  ...COMPLETE,
});

/** Current values and relationships, without repairs. */
export const closedEvidence = (evidence: EvidenceRecord, closed: Closed): EvidenceRecord => ({
  ...evidence,
  ...{ closed, advice: [], repairs: [], repairs_are_complete: true, attack_path: null },
});

export const noPaths = ({ id: generation }: Generation, closed: Closed): FindingPathsRecord => ({
  ...{ generation, closed, paths: [], shortest: null, most_used: null },
  ...{ count: 0, is_complete: true, principal_count: null },
});
