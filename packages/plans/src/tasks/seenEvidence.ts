/** Evidence of a finding limited to visible objects: relations, repairs and sentences. */
import type { AnalysisContext } from '@clew/analysis';
import type { EvidenceRecord, FindingPathsRecord } from '@clew/api';
import { findNode, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { distinctName } from '@clew/planning';
import type { Sight } from './sight.ts';

export function seenEvidence(
  context: AnalysisContext,
  { relations, repairs, advice, attack_path: path, ...more }: EvidenceRecord,
  { isVisible: sees }: Sight,
): EvidenceRecord {
  const seesObject = ({ object_id }: { readonly object_id: string }): boolean => sees(object_id);
  const hidden = hiddenNames(context, { relations, more }, sees);
  // A relationship or a change is shown completely or not at all.
  const seesFrom = (one: { readonly inherited_from: { readonly object_id: string } | null }): boolean =>
    one.inherited_from === null || seesObject(one.inherited_from);
  return {
    ...more,
    values: more.values.filter(seesObject),
    seen: more.seen.filter(seesObject),
    relations: relations.filter((one) => seesObject(one.source) && seesObject(one.target) && seesFrom(one)),
    advice: advice.filter((sentence) => !hidden.some((name) => sentence.includes(name))),
    repairs: repairs
      .filter(
        (one) =>
          seesObject(one.object) &&
          (one.principal === undefined || seesObject(one.principal)) &&
          seesFrom(one),
      )
      .map((one) => ({
        ...one,
        values: one.values.filter(seesObject),
        affected_holders: one.affected_holders.filter(seesObject),
      })),
    // Hidden objects are not revealed, not even by a list that is complete.
    ...{ relations_are_complete: false, repairs_are_complete: false },
    attack_path: path !== null && [...path.nodes, ...path.through].every(seesObject) ? path : null,
  };
}

/** Hidden names and ids that sentences about a finding can contain: the objects of its relationships, and its direct neighbors. */
function hiddenNames(
  context: AnalysisContext,
  {
    relations,
    more,
  }: { readonly relations: EvidenceRecord['relations']; readonly more: Pick<EvidenceRecord, 'seen'> },
  sees: Sight['isVisible'],
): string[] {
  const { graph } = context;
  const names = new Set<string>();
  const note = (id: string, node = findNode(graph, id)): void => {
    if (sees(id)) return;
    const shown = node === NO_NODE ? [] : [nameOf(graph, node), distinctName(context, node)];
    for (const name of [id, ...shown]) if (name !== '') names.add(name);
  };
  for (const { source, target } of relations) for (const { object_id } of [source, target]) note(object_id);
  for (const { object_id } of more.seen) {
    const node = findNode(graph, object_id);
    if (node === NO_NODE) continue;
    for (const { offsets, neighbors } of [graph.out, graph.in])
      for (let at = offsets[node]; at < offsets[node + 1]; at++)
        note(objectIdOf(graph, neighbors[at]), neighbors[at]);
  }
  return [...names];
}

/** Keeps paths whose objects are all visible. The number and the users of other paths are not revealed. */
export function seenPaths(
  record: FindingPathsRecord,
  sight: Sight | undefined,
): FindingPathsRecord | undefined {
  if (sight === undefined) return record;
  const paths = record.paths.filter((path) =>
    [...path.nodes, ...path.through].every(({ object_id }) => sight.isVisible(object_id)),
  );
  if (paths.length === 0) return undefined;
  const most = record.most_used === null ? -1 : paths.indexOf(record.paths[record.most_used]);
  const lengths = paths.map(({ relations }) => relations.length);
  return {
    ...{ generation: record.generation, closed: record.closed },
    paths: paths.map((path) => ({ ...path, principal_count: null })),
    shortest: lengths.indexOf(Math.min(...lengths)),
    most_used: most < 0 ? null : most,
    ...{ count: paths.length, is_complete: false, principal_count: null },
  };
}
