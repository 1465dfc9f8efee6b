/** `clew layers` and `clew layer remove`: what queries changed for their user alone. */
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable } from '../terminal/text.ts';

export async function layers(
  context: Context,
  options: ConnectionOptions & { readonly json?: boolean },
): Promise<void> {
  const client = await connect(context, options);
  const { data } = await client.call('ListQueryLayers', {}, { signal: context.signal });
  if (options.json) {
    context.out.write(jsonText(data));
    return;
  }
  const columns = [{ title: 'NAME' }, { title: 'CHANGES' }, { title: 'CHANGED' }, { title: 'ENDS' }];
  const rows = data.map(({ name, changes, changed_at, ends_at }) => [
    name,
    String(changes),
    changed_at,
    ends_at,
  ]);
  context.out.write(formatTable(context.out, columns, rows));
  if (data.length === 0) context.err.write('clew query --layer NAME "MATCH (n) ... SET ..." begins one.\n');
}

export async function removeLayer(context: Context, name: string, options: ConnectionOptions): Promise<void> {
  const client = await connect(context, options);
  await client.call('EndQueryLayer', { params: { layer_name: name } }, { signal: context.signal });
  context.err.write(`the layer ${printable(name)} has ended\n`);
}
