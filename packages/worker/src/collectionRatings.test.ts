/** Compares exposure, impact and composite risk of complete collections with a step-by-step evaluation of the definition. */
import {
  AnalysisContext,
  analyze,
  attackSteps,
  expandZone,
  FINDING_TYPES,
  findFindings,
  PRINCIPAL_KINDS,
  selectNodes,
} from '@clew/analysis';
import { leadsTo, type NaiveFinding, NaiveRatings } from '@clew/analysis/testing';
import { EdgeList, NO_NODE, NodeSet, nodesOfKind, withEdges } from '@clew/graph';
import { TEST_COLLECTIONS } from '@clew/intake/testing';
import { DEFAULT_SELECTORS, NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { readWorld } from '../test/collectedWorld.ts';

describe.each(TEST_COLLECTIONS)('the ratings of $name', ({ files }) => {
  it('equal the definition for every finding', async () => {
    const world = await readWorld(await files());
    const list = new EdgeList();
    list.appendChunk(analyze(world.input()).edges);
    const graph = withEdges(world.graph, list);
    const context = new AnalysisContext({ ...world.input(), graph });
    const seeds = DEFAULT_SELECTORS.map(({ criterion }) => selectNodes(context, criterion));
    const members = expandZone(context, NodeSet.union(graph.nodeCount, seeds), 'all').all;
    const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(graph.nodeCount) };
    const result = findFindings({ context, zones: [zone], now: Date.UTC(2024, 0) / 1000 });
    expect(result.warnings.filter((warning) => warning.includes('cut'))).toEqual([]);
    const { found, ratings, environments } = result;
    const [ids] = [world.ids(Array.from({ length: graph.nodeCount }, (_, node) => node))];
    // Collectors describe NETWORK SERVICE and IUSR as users of each domain.
    const principals = nodesOfKind(graph, ...PRINCIPAL_KINDS.map((kind) => NodeKind[kind])).filter(
      (node) => !/-S-1-5-(17|20)$/.test(ids[node] ?? ''),
    );
    // Attack paths exclude units and policies that pass nothing on.
    const { attackGraph } = context;
    const { allows } = attackSteps(attackGraph);
    const steps: [string, string][] = [];
    const { offsets, neighbors, kinds } = attackGraph.out;
    for (let start = 0; start < graph.nodeCount; start++) {
      for (let edge = offsets[start]; edge < offsets[start + 1]; edge++) {
        if (allows[kinds[edge]] === 1) steps.push([ids[start], ids[neighbors[edge]]]);
      }
    }
    const naive = new NaiveRatings({
      nodes: ids.map((id, node) => ({
        id,
        environment: ids[environments.nodes[environments.of[node]]] ?? '',
        isPrincipal: environments.nodes[environments.of[node]] !== undefined && principals.has(node),
      })),
      steps,
      leadsTo: new Map(
        [...context.use(leadsTo)].map(([node, domains]) => [ids[node], domains.map((one) => ids[one])]),
      ),
      zones: [{ id: 1, members: new Set(world.ids(members)) }],
    });
    const findings = Array.from(
      { length: found.count },
      (_, at): NaiveFinding => ({
        type: FINDING_TYPES[found.types[at]].id,
        zone: found.zones[at],
        source: found.sources[at] === NO_NODE ? undefined : ids[found.sources[at]],
        target: ids[found.targets[at]],
        environment: ids[environments.nodes[found.environments[at]]],
      }),
    );
    expect(findings.length).toBeGreaterThan(200);
    for (const [at, finding] of findings.entries()) {
      const expected = [naive.exposed(finding).size, naive.falling(finding).size];
      expect([finding, ratings.exposureCounts[at], ratings.impactCounts[at]]).toEqual([finding, ...expected]);
    }
    for (const { type, zone, environment, compositeRisk } of result.risks) {
      const [id, place] = [FINDING_TYPES[type].id, ids[environments.nodes[environment]]];
      const all = findings.filter((one) => one.type === id && one.zone === zone && one.environment === place);
      expect(compositeRisk).toBeCloseTo(naive.compositeRisk(all));
    }
    for (const { environment, zone, exposureIndex } of result.postures.filter(
      (posture) => posture.zone === 1,
    )) {
      expect(exposureIndex).toBeCloseTo(naive.exposureIndex(ids[environments.nodes[environment]], zone));
    }
  });
});
