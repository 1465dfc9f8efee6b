/** Sends a recorded query over Bolt, and writes it with the shape of its answer as text: columns, types of the first row, rows, changes. */
import { RawBolt } from '@clew/server/testing';
import type { ClientService } from './clientService.ts';
import type { BoltRecording, RecordedQuery, RecordedValue } from './recordings.ts';

export async function playBolt(
  { boltUrl, token }: ClientService,
  { layer, version }: BoltRecording,
  asked: RecordedQuery,
): Promise<string> {
  const [user, key] =
    layer === undefined ? [token.id, token.key] : [`layer.${layer}`, `${token.id}:${token.key}`];
  const client = await RawBolt.signedIn(boltUrl, user, key, version);
  try {
    return [...headOf(version, layer, asked), ...(await answered(client, asked))].join('\n');
  } finally {
    client.socket.destroy();
  }
}

function headOf(version: string, layer: string | undefined, asked: RecordedQuery): readonly string[] {
  const { query, parameters = {}, database, inTransaction, mode, fetch } = asked;
  const said = [
    ...[`Bolt ${version}`, layer && `layer ${layer}`, database && `database ${database}`],
    ...[inTransaction && 'in a transaction', mode === 'r' && 'to read', fetch && `${fetch} rows at a time`],
  ];
  return [said.filter(Boolean).join(', '), query, JSON.stringify(parameters), ''];
}

async function answered(client: RawBolt, asked: RecordedQuery): Promise<readonly string[]> {
  const { query, parameters = {}, database, inTransaction = false, mode, fetch = -1 } = asked;
  const extra = { ...(mode && { mode }), ...(database !== undefined && { db: database }) };
  if (inTransaction) {
    client.send(['BEGIN', extra]);
    const [begun, fault] = await client.next();
    if (begun !== 'SUCCESS') return [failureOf(begun, fault)];
  }
  client.send(['RUN', query, packable(parameters), inTransaction ? {} : extra]);
  const [name, ran] = await client.next();
  if (name !== 'SUCCESS') return [failureOf(name, ran)];
  const { fields } = ran as { readonly fields?: unknown };
  let first: unknown;
  let count = 0;
  for (;;) {
    client.send(['PULL', { n: fetch }]);
    let [answer, values] = await client.next();
    for (; answer === 'RECORD'; [answer, values] = await client.next()) {
      first ??= values;
      count++;
    }
    const { has_more: hasMore = false, stats } = values as { has_more?: boolean; stats?: object };
    if (answer === 'SUCCESS' && hasMore) continue;
    if (inTransaction) {
      client.send(['COMMIT']);
      await client.next();
    }
    const rows = `${count} rows${first === undefined ? '' : ` of ${JSON.stringify(shapeOf(first))}`}`;
    const changes = stats === undefined ? [] : [`changes: ${JSON.stringify(stats)}`];
    return [answer, `columns: ${JSON.stringify(fields)}`, rows, ...changes, ''];
  }
}

const failureOf = (name: string, metadata: unknown): string =>
  `${name} ${(metadata as { code?: string })?.code ?? ''}`;

/** The packer writes own objects. */
const packable = (parameters: { readonly [name: string]: RecordedValue }) =>
  structuredClone(parameters) as Parameters<RawBolt['send']>[0][2] as never;

interface Structured {
  readonly tag: number;
  readonly fields: readonly unknown[];
}

const isStructure = (value: object): value is Structured => 'tag' in value && 'fields' in value;

function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value))
    return value.length === 0
      ? []
      : [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].map((one) => JSON.parse(one));
  if (typeof value !== 'object') return typeof value;
  if (isStructure(value)) return { [`structure ${value.tag.toString(16)}`]: value.fields.length };
  return 'map';
}
