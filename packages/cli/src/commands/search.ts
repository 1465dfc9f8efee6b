/** `clew search`: objects by name or object ID. */
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText } from '../terminal/text.ts';

export interface SearchOptions extends ConnectionOptions {
  readonly kind?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const COLUMNS = [{ title: 'KIND' }, { title: 'NAME' }, { title: 'OBJECT ID' }] as const;

export async function search(context: Context, text: string, options: SearchOptions): Promise<number> {
  const client = await connect(context, options);
  const { kind, limit } = options;
  const found = await client.search(text, { kind, limit, signal: context.signal });
  if (options.json) {
    context.out.write(jsonText(found));
  } else if (found.length === 0) {
    context.err.write('Nothing found.\n');
  } else {
    const rows = found.map((hit) => [hit.type, hit.name, hit.objectid]);
    context.out.write(formatTable(context.out, COLUMNS, rows));
    if (found.length === limit) context.err.write(`Only the first ${limit} are shown; --limit shows more.\n`);
  }
  return found.length === 0 ? EXIT.failed : 0;
}
