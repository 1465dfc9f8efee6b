/** Sends a recorded query over Bolt, and writes it with the shape of its answer as text: columns, types of the first row, rows. */
import { RawBolt } from '@clew/server/testing';
import type { ClientService } from './clientService.ts';
import type { RecordedQuery } from './recordings.ts';

export async function playBolt(
  { boltUrl, token }: ClientService,
  { query, parameters = {} }: RecordedQuery,
): Promise<string> {
  const client = await RawBolt.signedIn(boltUrl, token.id, token.key);
  try {
    client.send(['RUN', query, { ...parameters }, { mode: 'r' }], ['PULL', { n: -1 }]);
    const [name, ran] = await client.next();
    const head = [query, JSON.stringify(parameters), ''];
    if (name !== 'SUCCESS') return [...head, `${name} ${(ran as { code?: string })?.code ?? ''}`].join('\n');
    const { fields } = ran as { readonly fields?: unknown };
    let first: unknown;
    for (let count = 0; ; count++) {
      const [answer, values] = await client.next();
      if (answer === 'RECORD') {
        first ??= values;
        continue;
      }
      const rows = `${count} rows${first === undefined ? '' : ` of ${JSON.stringify(shapeOf(first))}`}`;
      return [...head, answer, `columns: ${JSON.stringify(fields)}`, rows, ''].join('\n');
    }
  } finally {
    client.socket.destroy();
  }
}

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
