/** All rules on a generated forest: time a rule, peak memory. Budget: 20 s together at 1 M objects, 10 M edges. */
import { EdgeList, withEdges } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { AnalysisContext, type AnalysisResult, analyze, compose, defaultOptions } from '../src/index.ts';
import { type DirectoryWorld, directoryWorld, type SIZES } from './directoryWorld.ts';

export default {
  name: 'analysis: rules',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const world = directoryWorld(scale);
    const before = residentMb();
    const began = performance.now();
    const result = analyze({ ...world, options: defaultOptions() });
    const ms = performance.now() - began;
    const resident = residentMb();
    expectRight(world, result);
    const perRule = result.perRule.map(({ name, edges, ms }) => ({
      name: `rule ${name}`,
      figures: { edges, ms: Math.round(ms) },
    }));
    const together = {
      objects: world.graph.nodeCount,
      edges: world.graph.edgeCount,
      'derived edges': result.edges.count,
      ms: Math.round(ms),
      'resident before (MB)': before,
      'resident after (MB)': resident,
    };
    return [{ name: 'all rules', figures: together }, ...perRule, explanations(world, result)];
  },
};

function expectRight(world: DirectoryWorld, { edges, perRule }: AnalysisResult): void {
  for (const rule of perRule) if (rule.status === 'failed') throw rule.error;
  const count = (kind: EdgeKindName) => edges.kinds.filter((number) => number === EdgeKind[kind]).length;
  // Every CA has a host of its own and two domains that accept its certificates.
  if (count('GoldenCert') !== world.cas * 2) throw new Error(`${count('GoldenCert')} GoldenCert`);
  if (count('DCSync') !== world.domains.length) throw new Error(`${count('DCSync')} DCSync`);
  for (const kind of ['ADCSESC1', 'ADCSESC3', 'ADCSESC4', 'ADCSESC6a', 'ADCSESC9a', 'ADCSESC10b'] as const) {
    if (count(kind) === 0) throw new Error(`no ${kind}`);
  }
}

/** Explaining escalations one after the other, as an analyst does. */
function explanations(world: DirectoryWorld, { edges }: AnalysisResult) {
  const escalations = [...edges.kinds.keys()].filter(
    (at) => edges.kinds[at] >= EdgeKind.GoldenCert && edges.kinds[at] <= EdgeKind.ADCSESC10b,
  );
  const list = new EdgeList();
  list.appendChunk(edges);
  const graph = withEdges(world.graph, list);
  const context = new AnalysisContext({ ...world, graph, options: defaultOptions() });
  const step = Math.ceil(escalations.length / 50);
  const times: number[] = [];
  for (let n = 0; n < escalations.length; n += step) {
    const at = escalations[n];
    const began = performance.now();
    const ref = { start: edges.starts[at], kind: edges.kinds[at], end: edges.ends[at] };
    const { nodes } = compose(context, ref);
    times.push(performance.now() - began);
    if (!nodes.includes(ref.end)) throw new Error(`edge ${at} is not explained`);
  }
  times.sort((a, b) => a - b);
  const figures = {
    'p50 (ms)': Math.round(times[Math.floor(times.length / 2)]),
    'longest (ms)': Math.round(times[times.length - 1]),
  };
  return { name: 'explain an escalation', figures };
}

function residentMb(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}
