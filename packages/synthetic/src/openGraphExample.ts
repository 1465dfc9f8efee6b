/**
 * An OpenGraph file in addition to the forest: a separate source (repositories and the people who may deploy from them) that refers to
 * people and computers of the root domain by id and by name.
 */
import { applicationName } from './names.ts';
import { personName } from './people.ts';
import { blockId, type DomainPlan, type ForestOptions, planForest } from './plan.ts';
import type { GeneratedFile } from './write.ts';

const SOURCE_KIND = 'ForgeBase';
const PEOPLE_PER_REPOSITORY = 40;

export function generateOpenGraph(options: ForestOptions): GeneratedFile {
  const [domain] = planForest(options).domains as [DomainPlan, ...DomainPlan[]];
  return {
    name: 'forge_opengraph.json',
    domain: 'FORGE',
    type: 'opengraph',
    text: (onObject) => openGraphText(domain, onObject),
  };
}

function* openGraphText(domain: DomainPlan, onObject: () => void): Generator<string> {
  const repositories = Math.max(3, Math.ceil(domain.counts.person / PEOPLE_PER_REPOSITORY));
  yield `{"metadata":{"source_kind":${JSON.stringify(SOURCE_KIND)}},"graph":{"nodes":[`;
  for (let index = 0; index < repositories; index++) {
    const node = {
      id: repositoryId(index),
      kinds: ['ForgeRepository'],
      properties: { name: applicationName(index), isprivate: index % 3 !== 0 },
    };
    onObject();
    yield index === 0 ? JSON.stringify(node) : `,${JSON.stringify(node)}`;
  }
  yield '],"edges":[';
  for (let index = 0; index < repositories; index++) {
    for (const [number, edge] of edgesOf(domain, index).entries()) {
      onObject();
      yield index === 0 && number === 0 ? JSON.stringify(edge) : `,${JSON.stringify(edge)}`;
    }
  }
  yield ']}}';
}

const repositoryId = (index: number): string => `FORGE-REPOSITORY-${index + 1}`;

/** People push to a repository whose pipeline administers a server. */
function edgesOf(domain: DomainPlan, index: number): object[] {
  const person = (index * PEOPLE_PER_REPOSITORY) % domain.counts.person;
  const other = (person + 1) % domain.counts.person;
  const server = blockId(domain, 'server', index % domain.counts.server);
  return [
    {
      kind: 'ForgeCanPush',
      start: { value: blockId(domain, 'person', person), kind: 'User' },
      end: { value: repositoryId(index) },
    },
    {
      kind: 'ForgeCanPush',
      start: {
        match_by: 'name',
        value: `${personName(other, domain).account}@${domain.name}`,
        kind: 'User',
      },
      end: { value: repositoryId(index) },
    },
    {
      kind: 'ForgeDeploysTo',
      start: { value: repositoryId(index) },
      end: { value: server, kind: 'Computer' },
      properties: { environment: index % 2 === 0 ? 'production' : 'staging' },
    },
  ];
}
