/** The HTTP server, its description of the API and of its own state, and the pages of the web interface. */

export { apiReferenceHandlers } from './apiReference/apiReferenceHandlers.ts';
export type { BoltOptions } from './bolt/boltOptions.ts';
export { type BoltServer, startBolt } from './bolt/boltServer.ts';
export type { HttpOptions } from './http/httpOptions.ts';
export { createInsideFetch, type InsideFetch } from './http/insideFetch.ts';
export { exchangeCounts } from './http/rateExchange.ts';
export { RateLimiter } from './http/rateLimit.ts';
export { checkHandlers } from './http/routing.ts';
export { createHttpServer, type HttpServer } from './http/server.ts';
export { openPages } from './pages/pages.ts';
export { contradictionsOf, datapipeStatus, selectorTimes } from './system/datapipeStatus.ts';
export { countJobsByStatus, databaseObstacle } from './system/health.ts';
export type { Expiry, MetricsSources } from './system/metrics/metricSources.ts';
export { createMetrics } from './system/metrics/metrics.ts';
export { systemHandlers } from './system/systemHandlers.ts';
export { workload } from './system/workload.ts';
