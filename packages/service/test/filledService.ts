/** A service with data in every list, and the path of each route. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RouteContract, routes } from '@clew/api';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { expect, vi } from 'vitest';
import { ServiceUnderTest } from './serviceUnderTest.ts';
import type { SimulatedCollector } from './simulatedCollector.ts';

export interface FilledService {
  readonly service: ServiceUnderTest;
  /** Paths after `/api/v2/`, with the required query parameters, by contract path. */
  readonly paths: ReadonlyMap<string, string>;
  readonly collector: SimulatedCollector;
}

const FOREST = { users: 20, seed: 7, domains: 1 } as const;

/**
 * @param makesPlans if false, plans are made only on request, because making them after each change took more CPU time than the requests
 */
export async function startFilledService({ makesPlans = false } = {}): Promise<FilledService> {
  const service = await ServiceUnderTest.start({}, { makesPlans });
  await uploadAll(service);
  const made = async (path: string, body: object) => {
    const { status, json } = await service.call('POST', path, body);
    expect([path, status < 300 ? '' : json]).toEqual([path, '']);
    return json.data;
  };
  const environments = (await service.data('GET', 'available-domains')) as { id: string; type: string }[];
  const idOf = (type: string) => environments.find((environment) => environment.type === type)?.id ?? '';
  const domain = idOf('active-directory');
  const { id: client, collector } = await service.newCollector();
  await made('events', { client_id: client, rrule: 'DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY' });
  await made(`clients/${client}/jobs`, {});
  const token = await made('tokens', { token_name: 'test' });
  const query = await made('saved-queries', {
    name: 'All',
    query: 'MATCH (n) RETURN n LIMIT 1',
    description: '',
  });
  await service.call('PUT', `saved-queries/${query.id}/watch`);
  const webhook = await made('webhooks', {
    ...{ name: 'test', url: 'https://hooks.example.com/', event_types: ['finding.opened'] },
  });
  const { selectors } = await service.data('GET', 'asset-group-tags/1/selectors');
  const [finding] = (await service.call('GET', 'attack-paths/findings?limit=1')).json.data;
  const user = await service.data('GET', 'self');
  const [upload] = await service.data('GET', 'file-upload');
  const ids: Readonly<Record<string, string | number>> = {
    ...{ domain_id: domain, object_id: domain, environment_id: domain, tenant_id: idOf('azure') },
    ...{ platform_id: 'ad', schema_environment_kind_id: 1, finding: finding.finding, client_id: client },
    ...{ asset_group_tag_id: 1, asset_group_tag_selector_id: selectors[0].id, asset_group_id: 1 },
    ...{ webhook_id: webhook.id, saved_query_id: query.id, token_id: token.id, user_id: user.id },
    ...{ finding_id: finding.id, attack_path_id: finding.id, file_upload_job_id: upload.id },
    ...{ data_type: 'exposure' },
  };
  return { service, collector, paths: new Map(routes.map((route) => [route.path, pathOf(route, ids)])) };
}

async function uploadAll(service: ServiceUnderTest): Promise<void> {
  const archives = ['forest.zip', 'tenant.zip'].map((name) => join(service.directory, name));
  await writeForestZip(generateForest(FOREST), archives[0]);
  await writeZip([generateTenant(FOREST).file], archives[1], () => {});
  const job = (await service.call('POST', 'file-upload/start')).json.data;
  for (const archive of archives) {
    const answer = await fetch(`${service.service.url}/api/v2/file-upload/${job.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/zip', authorization: service.authorization },
      body: new Uint8Array(await readFile(archive)),
    });
    expect(answer.status).toBe(202);
  }
  await service.call('POST', `file-upload/${job.id}/end`);
  const isComplete = async () => (await service.data('GET', `file-upload?id=eq:${job.id}`))[0].status === 2;
  await vi.waitUntil(isComplete, { timeout: 100_000, interval: 100 });
}

/** Parameters without a known id are 1. */
function pathOf(route: RouteContract, ids: Readonly<Record<string, string | number>>): string {
  const path = route.path
    .replace('/api/v2/', '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name] ?? 1)));
  const required = (route.query?.required ?? []).map((name): [string, string] => [
    name,
    String(ids[name] ?? 'x'),
  ]);
  return required.length === 0 ? path : `${path}?${new URLSearchParams(required)}`;
}
