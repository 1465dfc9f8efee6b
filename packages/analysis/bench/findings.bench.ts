/**
 * Zones, findings and ratings on a generated forest. Budget: 20 s and 3 GB at 1 M objects, 10 M edges and 10,000
 * relationship findings.
 */
import { EdgeList, NO_NODE, NodeSet, reachableNodes, withEdges } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import { DEFAULT_SELECTORS } from '@clew/model';
import { leadsTo } from '../src/findings/leadsTo.ts';
import {
  AnalysisContext,
  analyze,
  attackSteps,
  defaultOptions,
  expandZone,
  FINDING_TYPES,
  type FindingsResult,
  findFindings,
  RULES,
  selectNodes,
} from '../src/index.ts';
import { directoryWorld, type SIZES } from './directoryWorld.ts';

/** One in this number of accounts is in Tier Zero: that makes about 10,000 findings at 1 M objects. */
const PRIVILEGED_SHARE = 26;

export default {
  name: 'analysis: findings',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const world = directoryWorld(scale);
    const input = { ...world, options: defaultOptions() };
    const derived = new EdgeList();
    // The certificate services of this world would make hundreds of thousands of findings.
    const rules = RULES.filter(({ produces }) => !produces.some((kind) => kind.startsWith('ADCSESC')));
    derived.appendChunk(analyze(input, rules).edges);
    const graph = withEdges(world.graph, derived);
    const before = residentMb();
    const context = new AnalysisContext({ ...input, graph });
    const began = performance.now();
    const seeds = DEFAULT_SELECTORS.map(({ criterion }) => selectNodes(context, criterion));
    const members = expandZone(context, NodeSet.union(graph.nodeCount, seeds), 'all').all;
    const zonesMs = performance.now() - began;
    const some = context.nodesOf('User').filter((node) => node % PRIVILEGED_SHARE === 0);
    const pending = NodeSet.empty(graph.nodeCount);
    const zone = { id: 1, position: 1, analyzed: true, members: members.or(some), pending };
    const findingsBegan = performance.now();
    const result = findFindings({ context, zones: [zone], now: Date.UTC(2026, 0) / 1000 });
    const findingsMs = performance.now() - findingsBegan;
    const resident = residentMb();
    expectRight(context, zone.members, result);
    return [
      {
        name: 'zones and findings',
        figures: {
          objects: graph.nodeCount,
          edges: graph.edgeCount,
          'relationship findings': countOf(result, 'relationship'),
          'list findings': countOf(result, 'list'),
          'zones (ms)': Math.round(zonesMs),
          'findings (ms)': Math.round(findingsMs),
          'resident before (MB)': before,
          'resident after (MB)': resident,
        },
      },
    ];
  },
};

function countOf({ found }: FindingsResult, kind: 'relationship' | 'list'): number {
  return found.types.reduce((sum, type) => sum + (FINDING_TYPES[type].kind === kind ? 1 : 0), 0);
}

/** Some findings, walked one by one. */
function expectRight(context: AnalysisContext, zone: NodeSet, result: FindingsResult): void {
  const { graph } = context;
  const { found, ratings, environments } = result;
  const leads = context.use(leadsTo);
  const random = newRandom(7);
  const filter = attackSteps(graph);
  for (let n = 0; n < 8; n++) {
    const at = Math.floor(random() * found.count);
    const principals = ownPrincipals(result, found.environments[at]);
    const [target, source] = [found.targets[at], found.sources[at]];
    const falling = reachableNodes(graph, [target, ...(leads.get(target) ?? [])], { filter }).and(
      principals,
    ).size;
    if (ratings.impactCounts[at] !== falling)
      throw new Error(`${ratings.impactCounts[at]} fall, not ${falling}`);
    if (source === NO_NODE) continue;
    const blocked = found.zones[at] === 0 ? NodeSet.empty(graph.nodeCount) : zone;
    const upstream = reachableNodes(graph, [source], { direction: 'in', filter, blocked });
    const exposed = upstream.and(principals.andNot(blocked)).size;
    if (ratings.exposureCounts[at] !== exposed) {
      throw new Error(`${ratings.exposureCounts[at]} are exposed, not ${exposed}`);
    }
  }
  if (environments.nodes.length < 4) throw new Error('the domains are missing');
}

function ownPrincipals({ environments }: FindingsResult, environment: number): NodeSet {
  return environments.principals.filter((node) => environments.of[node] === environment);
}

function residentMb(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}
