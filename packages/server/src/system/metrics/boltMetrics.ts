/** Metrics of the listener of Bolt. They are 0 where it is off. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const LATENCY_BUCKETS = [0.001, 0.01, 0.1, 0.5, 1, 5, 30];

export interface BoltMetrics {
  /** @param outcome `answered`, `canceled`, or the code of a failure */
  observeQuery(outcome: string, seconds: number): void;
  observeRefusal(reason: 'address' | 'total' | 'user' | 'credentials'): void;
  countConnections(open: number): void;
}

export function registerBolt(registry: Registry): BoltMetrics {
  const registers = [registry];
  const queries = new Counter({
    ...{ name: 'clew_bolt_queries_total', help: 'Queries over Bolt, by their outcome' },
    ...{ labelNames: ['outcome'], registers },
  });
  const latency = new Histogram({
    ...{ name: 'clew_bolt_query_duration_seconds', help: 'Time from a query over Bolt to its first row' },
    ...{ buckets: LATENCY_BUCKETS, registers },
  });
  const refusals = new Counter({
    name: 'clew_bolt_refused_connections_total',
    help: 'Refused Bolt connections: because of a limit of their address, their user or all, or because of their credentials',
    ...{ labelNames: ['reason'], registers },
  });
  const connections = new Gauge({
    ...{ name: 'clew_bolt_connections', help: 'Open Bolt connections', registers },
  });
  return {
    observeQuery(outcome, seconds) {
      queries.inc({ outcome });
      latency.observe(seconds);
    },
    observeRefusal: (reason) => refusals.inc({ reason }),
    countConnections: (open) => connections.set(open),
  };
}
