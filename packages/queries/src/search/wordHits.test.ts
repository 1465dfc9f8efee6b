/** Compares the search by words with a naive implementation, also with wrong letters. */
import { graphOf, type TestNode } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generationOf } from '../../test/generations.ts';
import { queryDataOf } from '../queryData.ts';
import { buildSearchIndex } from './searchIndex.ts';
import { isOneChangeAway, wordHits } from './wordHits.ts';
import { buildWordIndex, folded } from './wordIndex.ts';

interface Said {
  readonly id: string;
  readonly name: string;
  readonly says?: readonly string[];
}

function world(nodes: readonly Said[]) {
  const kinds = [NodeKind.Base, NodeKind.User];
  const { graph, ids } = graphOf({ nodes: nodes.map(({ id, name }): TestNode => ({ id, name, kinds })) });
  const data = queryDataOf(generationOf(graph));
  const index = buildSearchIndex(data);
  const order = ids(Array.from({ length: graph.nodeCount }, (_, node) => node));
  const said = order.flatMap((id, node) =>
    (nodes.find((one) => one.id === id)?.says ?? []).map((text) => ({ node, text })),
  );
  const texts = Buffer.from(said.map(({ text }) => text).join(''));
  const offsets = [0];
  for (const { text } of said) offsets.push((offsets.at(-1) as number) + Buffer.byteLength(text));
  const words = buildWordIndex(data, index, {
    nodes: Uint32Array.from(said, ({ node }) => node),
    texts: { bytes: new Uint8Array(texts), offsets: Uint32Array.from(offsets) },
  });
  return (text: string, wanted = 10): string[] => {
    const work = wordHits(index, words, { text, wanted, admits: () => true, mayHaveTypo: true });
    for (let step = work.next(); ; step = work.next()) if (step.done === true) return ids(step.value);
  };
}

describe('search by words', () => {
  const search = world([
    { id: '1', name: 'RWEBER@CORP', says: ['Ravi Weber', 'ravi.weber@corp.example'] },
    { id: '2', name: 'DOMAIN ADMINS@CORP' },
    { id: '3', name: 'JGARCON@CORP', says: ['José Garçon'] },
    { id: '4', name: 'SQL01.CORP', says: ['MSSQLSvc/ledger.corp:1433'] },
    { id: '5', name: 'Zoë Müller@CORP' },
  ]);

  test.each([
    ['Ravi Weber', ['1']],
    ['weber ravi', ['1']],
    ['ravi.weber@corp.example', ['1']],
    ['jose garcon', ['3']],
    ['Garçon', ['3']],
    ['admins domain', ['2']],
    ['ledger', ['4']],
    ['MSSQLSvc/ledger', ['4']],
    ['MULLER zoe', ['5']],
    ['', []],
    [' ,', []],
    ['\0', []],
  ])('%s', (text, ids) => {
    expect(search(text)).toEqual(ids);
  });

  test.each([
    ['DOMAN ADMINS', ['2']],
    ['DOMAIN ADMNIS', ['2']],
    ['DOMAINS ADMINS', ['2']],
    ['ravi webber', ['1']],
    ['Garson', ['3']],
    ['ledgre', ['4']],
    ['ledgxyz', []],
    ['SQL02.CORP', []],
    ['rwebre@corp.example', []],
    ['abc', []],
  ])('%s, with a wrong letter', (text, ids) => {
    expect(search(text)).toEqual(ids);
  });

  const words = fc.string({ unit: fc.constantFrom('A', 'B', 'É', 'e', '1'), minLength: 1, maxLength: 3 });
  const phrases = fc.array(words, { minLength: 1, maxLength: 3 }).map((some) => some.join(' '));

  test('equals the naive rule on random texts', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({ id: fc.uuid(), name: phrases, says: fc.array(phrases, { maxLength: 2 }) }),
          {
            selector: ({ id }) => id.toUpperCase(),
            minLength: 1,
            maxLength: 150,
          },
        ),
        fc.array(phrases, { minLength: 3, maxLength: 10 }),
        (named, questions) => {
          const nodes = named.map((one) => ({ ...one, id: one.id.toUpperCase() }));
          const find = world(nodes);
          for (const question of questions) {
            const wanted = folded(question).split(' ');
            const fit = nodes.filter(({ name, says }) => {
              const text = [name, ...says].map(folded).join(' ');
              return wanted.every((word) => text.includes(word));
            });
            // Without an exact hit, one with a wrong letter may be found.
            if (fit.length > 0) expect(find(question, 1000).sort()).toEqual(fit.map(({ id }) => id).sort());
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('finds one wrong letter like the naive rule, on random names', () => {
    const letters = fc.string({
      unit: fc.constantFrom('A', 'B', 'C', 'É', "'", '-'),
      minLength: 3,
      maxLength: 6,
    });
    const names = fc.array(letters, { minLength: 1, maxLength: 3 }).map((some) => some.join(' '));
    const word = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 3, maxLength: 6 });
    const question = fc.array(word, { minLength: 1, maxLength: 2 }).map((some) => some.join(' '));
    let count = 0;
    fc.assert(
      fc.property(
        fc.array(names, { minLength: 50, maxLength: 200 }),
        fc.array(question, { minLength: 5, maxLength: 10 }),
        (named, questions) => {
          const nodes = named.map((name, at) => ({ id: `ID${at}`, name }));
          const find = world(nodes);
          for (const asked of questions) {
            const wanted = asked.split(' ');
            const holds = (name: string, some: readonly string[]): boolean =>
              some.every((one) => folded(name).includes(one));
            const isNear = (name: string, one: string): boolean =>
              [...folded(name).split(/[^\p{L}\p{N}]+/u), ...folded(name).split(' ')].some((token) =>
                isOneChangeAway(token, one),
              );
            if (nodes.some(({ name }) => holds(name, wanted))) continue;
            const fits = wanted.map((one, at) =>
              nodes.filter(
                ({ name }) =>
                  one.length >= 4 &&
                  holds(
                    name,
                    wanted.filter((_, other) => other !== at),
                  ) &&
                  isNear(name, one),
              ),
            );
            const first = fits.find(({ length }) => length > 0) ?? [];
            count += first.length;
            expect([asked, find(asked, 1000).sort()]).toEqual([asked, first.map(({ id }) => id).sort()]);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(count).toBeGreaterThan(100);
  });

  test('recognizes one change of letters', () => {
    const isNear = (a: string, b: string): boolean => isOneChangeAway(a, b);
    expect(
      ['DOMAIN', 'DOMAN', 'DOMAAIN', 'DOMIAN', 'DIMAIN', 'OMAIN', 'DOMAINS'].every((text) =>
        isNear(text, 'DOMAIN'),
      ),
    ).toBe(true);
    expect(['DOMA', 'DMOIAN', 'XOMAIX', 'ADOMAINS'].some((text) => isNear(text, 'DOMAIN'))).toBe(false);
  });
});
