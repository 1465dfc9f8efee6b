/**
 * Compares the answers of this contract with the public description: clients that read one can read the other. `test/publicAnswers.json`
 * contains the facts of the description. (Tests of the service compare its answers with the contract.)
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from './index.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly nullable?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

interface PublicOperation {
  readonly answer: number;
  readonly query: readonly string[];
}

const facts: {
  readonly answers: readonly Schema[];
  readonly operations: Readonly<Record<string, PublicOperation>>;
  /** Keys by which lists can be sorted, by operation. */
  readonly sortKeys: Readonly<Record<string, readonly string[]>>;
} = JSON.parse(readFileSync(new URL('../../test/publicAnswers.json', import.meta.url), 'utf8'));

/** The reasons are in `docs/api.md`, "Differences from the public description". */
const JUSTIFIED: readonly RegExp[] = [
  // Scalars or null instead of the wrappers in the description: the original's answers have this form.
  /: (string|integer|boolean), theirs object \{(string|int32|int64|bool|uuid)/,
  /: null, theirs object \{(string|int32|int64|bool|uuid)/,
  /\.AuthSecret: null, theirs object/,
  /\.certified_by: null, theirs string/,
  // Missing values with a format: clients generated from the description accept null, but not an empty text.
  /\.(user_email_address|actor_email|actor_id|request_id|(source_)?ip_address|hostname): null, theirs string/,
  // Appearance of drawn graphs, which this service leaves to its clients.
  /\.data\.\*\.(fade|glyphs|coordinates|cutout|halos|image|shape|border|fontIcon|label)\b.*: missing/,
  // An object of the directory, with any properties.
  /^GetAzureEntity \.data\.\*: object, theirs integer/,
  // Wrapped in `data`, like every other answer.
  /^GetCustomNode \.(id|kindName|config): missing/,
  // An object in the description, but a text in its own example.
  /^GetAllAttackPathFindings \.findings\[\]\.environment_id: string, theirs object/,
  // One of two records; the comparison uses the first.
  /^ListAuthProviders \.data\[\]\.details\.(client_id|issuer|sso_provider_id): /,
  // Ids, as its own parameters `hydrate_ous` and `hydrate_domains` document.
  /(Client|Job|Task)\w* \.data.*\.(ous|domains)\[\]: string, theirs object/,
  // Jobs of a client without a running job.
  /Clients? \.data.*\.current_(job|task): null, theirs object/,
  // A list of lists in the description; one object of records in the original.
  /^GetAssetGroupTagHistory \.data: object, theirs array/,
];

const kindsOf = (schema: Schema): readonly string[] => {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(kindsOf);
  if (schema.const !== undefined) return [typeof schema.const];
  return schema.type === undefined ? [] : [schema.type];
};

function partOf(schema: Schema, kind: string): Schema | undefined {
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => partOf(one, kind)).find((one) => one);
  return schema.type === kind ? schema : undefined;
}

/** Additional members of an object. */
function wildOf({ patternProperties, additionalProperties }: Schema): Schema | undefined {
  if (patternProperties !== undefined) return Object.values(patternProperties)[0];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function* differences(path: string, ours: Schema, theirs: Schema): Generator<string> {
  const [mine, wanted] = [kindsOf(ours), kindsOf(theirs)];
  if (mine.length === 0 || wanted.length === 0) return;
  const wrapper = partOf(theirs, 'object')?.properties;
  const shown = wrapper?.valid === undefined ? wanted.join() : `object {${Object.keys(wrapper).join()}}`;
  for (const kind of mine) {
    const fits =
      wanted.includes(kind) ||
      (kind === 'integer' && wanted.includes('number')) ||
      (kind === 'null' && theirs.nullable === true);
    if (!fits) yield `${path}: ${kind}, theirs ${shown}`;
  }
  const [myObject, theirObject] = [partOf(ours, 'object'), partOf(theirs, 'object')];
  if (myObject !== undefined && theirObject !== undefined) {
    const wild = wildOf(myObject);
    for (const [name, member] of Object.entries(theirObject.properties ?? {})) {
      const own = myObject.properties?.[name];
      if (own !== undefined) yield* differences(`${path}.${name}`, own, member);
      else if (wild === undefined) yield `${path}.${name}: missing`;
    }
    const theirWild = wildOf(theirObject);
    if (wild !== undefined && theirWild !== undefined) yield* differences(`${path}.*`, wild, theirWild);
  }
  const [myList, theirList] = [partOf(ours, 'array'), partOf(theirs, 'array')];
  if (myList?.items !== undefined && theirList?.items !== undefined)
    yield* differences(`${path}[]`, myList.items, theirList.items);
}

const compared = routes.filter(({ operationId }) => Object.hasOwn(facts.operations, operationId));

test('answers are those of the public description, except for the justified differences', () => {
  expect(compared.length).toBeGreaterThan(145);
  const found = compared.flatMap(({ operationId, responses }) => {
    const answer = facts.answers[facts.operations[operationId].answer];
    return [...differences('', responses[200] as Schema, answer)].map((one) => `${operationId} ${one}`);
  });
  expect(found.filter((one) => !JUSTIFIED.some((pattern) => pattern.test(one)))).toEqual([]);
  // A reason that no longer applies has to be removed.
  expect(JUSTIFIED.filter((pattern) => !found.some((one) => pattern.test(one)))).toEqual([]);
});

test('query parameters of the public description are supported', () => {
  const unknown = compared.flatMap(({ operationId, query }) => {
    const known = new Set(Object.keys(query?.properties ?? {}));
    return facts.operations[operationId].query
      .filter((name) => !known.has(name))
      .map((name) => `${operationId} ${name}`);
  });
  // Keys of tokens cannot be used as filters.
  expect(unknown).toEqual(['ListAuthTokens key']);
});

test('lists can be sorted by every key of the public description', () => {
  const sorted = routes.filter(({ operationId }) => Object.hasOwn(facts.sortKeys, operationId));
  expect(sorted.length).toBeGreaterThan(20);
  const missing = sorted.flatMap(({ operationId, query }) => {
    const { description = '' } = (query?.properties.sort_by ?? {}) as { readonly description?: string };
    const known = new Set([...description.matchAll(/`(\w+)`/g)].map(([, key]) => key.toLowerCase()));
    return facts.sortKeys[operationId]
      .filter((key) => !known.has(key.toLowerCase()))
      .map((key) => `${operationId} ${key}`);
  });
  expect(missing).toEqual([]);
});
