/** An in-memory service of this API; the test controls findings and errors. */
import { ClewClient } from '@clew/client';
import { severityOf, severityRank } from '../src/findings/items.ts';

export interface FakeFinding {
  id: number;
  environment: string;
  zone: number;
  type: string;
  source?: string;
  target: string;
  severity: string;
  /** Fraction. */
  exposure: number;
  accepted: boolean;
  createdAt: string;
  updatedAt: string;
  /** Set once the finding has ended. */
  status?: 'remediated' | 'orphaned' | 'deprecated';
  /** The finding that represents this one. */
  partOf?: FakeFinding | undefined;
  /** Reason for the last change. */
  changedBy?: string;
}

/** Replaces the answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string> }
  | 'reset'
  | 'truncated';

export class FakeService {
  readonly findings: FakeFinding[] = [];
  readonly environments = new Map([['S-1-5-21-1', 'CORP.LOCAL']]);
  /** Ids of environments that were not collected. */
  readonly notCollected = new Set<string>();
  /** Unread parts of every environment. */
  notRead: string[] = [];
  /** `false` simulates an older service. */
  hasFeed = true;
  /** Called for each request. */
  fault: (target: string) => Fault | undefined = () => undefined;
  /** Changes the answer. */
  mangle: ((target: string, answer: Record<string, unknown>) => void) | undefined;
  readonly targets: string[] = [];
  #nextId = 1;
  #clock = Date.parse('2026-01-01T00:00:00Z');

  /** Simulates an analysis or an acceptance at a new, later time. */
  tick(): string {
    this.#clock += 60_000;
    return new Date(this.#clock).toISOString().replace('Z', '000Z');
  }

  add(more: Partial<FakeFinding> = {}, at = this.tick()): FakeFinding {
    const id = this.#nextId++;
    const finding: FakeFinding = {
      id,
      environment: 'S-1-5-21-1',
      zone: 1,
      type: 'T0GenericAll',
      source: `S-1-5-21-1-${1000 + id}`,
      target: 'S-1-5-21-1-512',
      severity: 'low',
      exposure: 0.1,
      accepted: false,
      createdAt: at,
      updatedAt: at,
      ...more,
    };
    this.findings.push(finding);
    return finding;
  }

  change(finding: FakeFinding, more: Partial<FakeFinding>, at = this.tick()): void {
    Object.assign(finding, more, { updatedAt: at });
  }

  client(): ClewClient {
    return new ClewClient({
      url: 'https://clew.example',
      credentials: { tokenId: 'id', tokenKey: 'key' },
      fetch: this.fetch,
      retry: { retries: 2, firstPause: 1, longestPause: 5 },
    });
  }

  readonly fetch: typeof fetch = async (input) => {
    const url = new URL(String(input));
    const target = url.pathname + url.search;
    this.targets.push(target);
    const fault = this.fault(target);
    if (fault === 'reset') throw new TypeError('fetch failed');
    if (fault === 'truncated') return new Response('{"data":[{"id":');
    if (fault !== undefined)
      return json({ errors: [{ context: '', message: 'no' }] }, fault.status, fault.headers);
    const answer = this.#answer(url);
    if (this.mangle === undefined || !answer.headers.get('content-type')?.includes('json')) return answer;
    const value = (await answer.json()) as Record<string, unknown>;
    this.mangle(target, value);
    return json(value, answer.status);
  };

  #answer({ pathname, searchParams: query }: URL): Response {
    const path = pathname.replace('/api/v2', '');
    const [, environment = ''] = /^\/domains\/([^/]+)/.exec(path) ?? [];
    const zone = Number((query.get('asset_group_tag_id') ?? '1').replace('eq:', ''));
    const current = this.findings.filter(
      (finding) =>
        finding.status === undefined && finding.environment === environment && finding.zone === zone,
    );
    if (path === '/available-domains')
      return json({
        data: [...this.environments].map(([id, name]) => ({
          ...{ id, name, collected: !this.notCollected.has(id), not_read: this.notRead },
        })),
      });
    if (path === '/asset-group-tags')
      return json({ data: { tags: [{ id: 1, name: 'Tier Zero', type: 1 }] } });
    if (path === '/attack-path-types')
      return json({ data: ['T0GenericAll', 'T0WriteDACL', 'Kerberoasting'] });
    if (path === '/attack-paths/finding-types')
      return json({ data: [{ finding: 'T0GenericAll', title: 'Title of T0GenericAll' }] });
    if (path.startsWith('/assets/findings/')) {
      const [type, asset] = path.split('/').slice(3);
      return new Response(asset === 'title.md' ? `Title of ${type}\n` : `${asset} of ${type}`);
    }
    if (path.endsWith('/available-types'))
      return json({ data: [...new Set(current.map(({ type }) => type))].sort() });
    if (path.endsWith('/sparkline')) {
      const newest = this.findings
        .map(({ updatedAt }) => updatedAt)
        .sort()
        .at(-1);
      return json({ data: newest === undefined ? [] : [{ created_at: newest, updated_at: newest }] });
    }
    if (path.endsWith('/details')) {
      const since = (query.get('updated_at') ?? '').replace('gte:', '');
      const fitting = current.filter(
        ({ type, updatedAt }) =>
          type === query.get('finding') && Date.parse(updatedAt) >= (Date.parse(since) || 0),
      );
      const skip = Number(query.get('skip'));
      const data = fitting.slice(skip, skip + Math.min(Number(query.get('limit')), 400)).map(record);
      return json({ count: fitting.length, skip, limit: data.length, data });
    }
    if (path === '/attack-paths/findings' && this.hasFeed) return json({ data: this.#list().slice(0, 1000) });
    if (path === '/changes' && this.hasFeed) return this.#changes(query.get('since'));
    return json({ errors: [{ context: '', message: 'resource not found' }] }, 404);
  }

  #changes(since: string | null): Response {
    const ordered = [...this.findings].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const newest = ordered.at(-1);
    const end = newest === undefined ? '0' : placeOf(newest);
    if (since !== null && !/^(0|\d{4}-\S+\/\d+)$/.test(since))
      return json({ errors: [{ context: '', message: 'since is not a place in the feed' }] }, 400);
    if (since === null) return json({ data: [], next: end, has_more: false });
    const changed = ordered.filter((finding) => placeOf(finding) > since);
    const page = changed.slice(0, 100);
    const last = page.at(-1);
    return json({
      data: page.map((finding) => ({
        type: 'finding.changed',
        at: finding.updatedAt,
        finding: this.#row(finding),
      })),
      next: last === undefined ? since : placeOf(last),
      has_more: changed.length > page.length,
    });
  }

  /** Sorts by descending severity. */
  #list() {
    const rankOf = ({ severity }: FakeFinding): number => severityRank(severityOf(severity));
    return this.findings
      .filter(({ status }) => status === undefined)
      .toSorted((one, other) => rankOf(other) - rankOf(one))
      .map((finding) => this.#row(finding));
  }

  #row(finding: FakeFinding) {
    return {
      id: finding.id,
      severity: finding.severity,
      finding: finding.type,
      environment_id: finding.environment,
      environment_name: this.environments.get(finding.environment) ?? '',
      asset_group_tag_id: finding.zone,
      zone_name: finding.zone === 1 ? 'Tier Zero' : 'Hygiene',
      source_principal_id: finding.source ?? '',
      source_principal_kind: 'User',
      source_principal_name: finding.source ?? '',
      target_principal_id: finding.target,
      target_principal_kind: 'Group',
      target_principal_name: finding.target,
      exposure_count: 1,
      exposure_percentage: finding.exposure,
      impact_count: 1,
      impact_percentage: 0.5,
      status: finding.status ?? (finding.accepted ? 'accepted' : 'active'),
      first_seen: finding.createdAt,
      last_seen: finding.updatedAt,
      changed_by: finding.changedBy ?? 'data',
      ...(finding.partOf && { part_of: finding.partOf.type, part_of_id: finding.partOf.id }),
    };
  }
}

const placeOf = ({ updatedAt, id }: FakeFinding): string => `${updatedAt}/${String(id).padStart(9, '0')}`;

function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers });
}

function record(finding: FakeFinding): Record<string, unknown> {
  const common = {
    id: finding.id,
    created_at: finding.createdAt,
    updated_at: finding.updatedAt,
    Finding: finding.type,
    DomainSID: finding.environment,
    Accepted: finding.accepted,
    AcceptedUntil: finding.accepted ? '2027-01-01T00:00:00.000000Z' : '0001-01-01T00:00:00Z',
    ImpactPercentage: 0.5,
    ImpactCount: 1,
    ExposurePercentage: finding.exposure,
    ExposureCount: 1,
    Severity: finding.severity,
    ...(finding.partOf && { PartOf: finding.partOf.type, PartOfID: finding.partOf.id }),
  };
  if (finding.source === undefined)
    return {
      ...common,
      Principal: finding.target,
      PrincipalKind: 'User',
      PrincipalName: finding.target,
      Props: {},
    };
  return {
    ...common,
    FromPrincipal: finding.source,
    FromPrincipalKind: 'User',
    FromPrincipalName: `NAME ${finding.source}`,
    FromPrincipalProps: { objectid: finding.source, note: '}, {' },
    ToPrincipal: finding.target,
    ToPrincipalKind: 'Group',
    ToPrincipalName: 'DOMAIN ADMINS',
    ToPrincipalProps: { objectid: finding.target },
  };
}
