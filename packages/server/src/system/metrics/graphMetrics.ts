/** Metrics of the current graph: its size, the age of its data, and contradictions. */
import { Gauge, type Registry } from 'prom-client';
import type { EnvironmentTimes, MetricsSources } from './metricSources.ts';
import { sharedAnswer } from './sharedAnswer.ts';

/** Collected and derived parts of the current generation. */
const ORIGINS = ['collected', 'derived'] as const;

export function registerGraph(registry: Registry, sources: MetricsSources): void {
  const { generation } = sources;
  for (const part of ['nodes', 'edges'] as const) {
    new Gauge({
      name: `clew_graph_${part}`,
      help: `${part === 'nodes' ? 'Nodes' : 'Edges'} of the current graph by kind`,
      labelNames: ['kind', 'origin'],
      registers: [registry],
      collect() {
        this.reset();
        for (const origin of ORIGINS)
          for (const [kind, count] of Object.entries(generation()[origin][part]))
            this.set({ kind, origin }, count);
      },
    });
  }
  new Gauge({
    name: 'clew_graph_generation',
    help: 'Number of the current graph',
    registers: [registry],
    collect() {
      this.set(generation().id);
    },
  });
  new Gauge({
    name: 'clew_contradictions',
    help: 'Contradictions in the latest analysis and its plans, by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [kind, count] of await sources.contradictions()) this.set({ kind }, count);
    },
  });
  registerTimes(registry, sources);
}

function registerTimes(registry: Registry, sources: MetricsSources): void {
  const environments = sharedAnswer(() => sources.environments());
  const ofEnvironment = (name: string, help: string, at: (times: EnvironmentTimes) => Date | undefined) =>
    new Gauge({
      ...{ name, help, labelNames: ['environment', 'id'], registers: [registry] },
      async collect() {
        this.reset();
        for (const times of await environments()) {
          const time = at(times);
          if (time !== undefined)
            this.set({ environment: times.environment, id: times.id }, time.getTime() / 1000);
        }
      },
    });
  ofEnvironment(
    'clew_environment_analyzed_timestamp_seconds',
    'When the latest analysis of an environment was published',
    ({ analyzedAt }) => analyzedAt,
  );
  ofEnvironment(
    'clew_environment_collected_timestamp_seconds',
    'When the latest collection saw an environment',
    ({ collectedAt }) => collectedAt,
  );
}
