/** Tests rows on their way from a thread to a client: complete, in order, in batches of limited size, and without copies. */
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { buffersOf, eachRow, type PackedRows, RowPacker, unpackedRows } from './answerRows.ts';

function packed(count: number, rowOf: (at: number) => readonly unknown[], size = 1): PackedRows {
  const packer = new RowPacker();
  for (let at = 0; at < count; at++) packer.add(rowOf(at), size, at === 3);
  return packer.rows();
}

test('all rows arrive in order, some hundred per batch, and fewer if they are long', () => {
  const row = (at: number) => [at, `row ${at}`, null, true, [at, { $: { type: 'node', node: at } }]];
  const rows = packed(1234, row);
  expect([rows.count, rows.hasLiterals]).toEqual([1234, true]);
  expect([...eachRow(rows)]).toEqual(Array.from({ length: 1234 }, (_, at) => row(at)));
  expect([...unpackedRows(rows)].map(({ length }) => length)).toEqual([500, 500, 234]);
  const long = packed(100, (at) => [Array.from({ length: 5000 }, () => at)], 5000);
  expect([...unpackedRows(long)].map(({ length }) => length)).toEqual(new Array(25).fill(4));
  expect(packed(0, row)).toEqual({ count: 0, hasLiterals: false, batches: [] });
});

test('batches are unpacked on demand, one after the other', () => {
  const rows = packed(2000, (at) => [at]);
  const broken = { ...rows, batches: [rows.batches[0], new Uint8Array([1, 2, 3])] };
  const batches = unpackedRows(broken);
  expect(batches.next().value).toHaveLength(500);
  expect(() => batches.next()).toThrow();
});

test('a thread transfers them and keeps nothing', async () => {
  const rows = packed(700, (at) => ['x'.repeat(100), at]);
  const { port1, port2 } = new MessageChannel();
  const arrived = new Promise<PackedRows>((resolve) => port2.once('message', resolve));
  port1.postMessage(rows, buffersOf(rows));
  expect(rows.batches.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  expect([...eachRow(await arrived)]).toHaveLength(700);
  port1.close();
});
