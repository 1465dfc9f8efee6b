/** Tests each worked case alone: its edges, their independence of order, their explanations. */
import { EdgeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { answered, derive, edgesOf, OBSERVATION, Pki, published } from '../../test/adcs/pki.ts';
import { WORKED_CASES } from '../../test/adcs/workedCases.ts';
import { BASELINE } from '../../test/adcs/workedWorlds.ts';
import { sharedOf } from '../../test/observedContext.ts';
import { compose } from '../analyze.ts';
import { SKETCH_READS } from './pkiSketch.ts';
import { ADCS_RULES } from './rules.ts';

/** Structures whose reads are covered by the tests of the directory. */
const OF_THE_DIRECTORY = ['membership', 'principal sets', 'special groups'];

/** Edges between objects of the infrastructure, for which no one requests an explanation. */
const UNEXPLAINED = new Set<number>([
  EdgeKind.IssuedSignedBy,
  EdgeKind.EnterpriseCAFor,
  EdgeKind.TrustedForNTAuth,
  EdgeKind.EnrollOnBehalfOf,
  EdgeKind.ExtendedByPolicy,
]);

describe.each(WORKED_CASES)('$id', ({ world: change, expected, parity, chain = BASELINE }) => {
  const pki = new Pki();
  change(pki);
  const world = pki.build();

  it('gives these edges and no others', () => {
    expect(derive(world).edges).toEqual([...chain, ...expected].sort());
    expect(derive(world, 'parity').edges).toEqual([...chain, ...(parity ?? expected)].sort());
  });

  it('counts no ESC15 at authorities that have the update', () => {
    const { edges } = derive(world, 'clean', answered('C', 'C2'));
    const others = expected.map((edge) => edge.replace(/^ADCSESC15 /, 'ADCSESC15Updated '));
    expect(edges).toEqual([...chain, ...others].sort());
    expect(derive(world, 'parity', answered('C', 'C2')).edges).toEqual(derive(world, 'parity').edges);
  });

  it('gives them whatever the order of the facts', () => {
    const reversed = pki.build((items) => [...items].reverse());
    expect(edgesOf(derive(reversed).result)).toEqual(edgesOf(derive(world).result));
  });

  it('explains each edge by facts of the graph, from its start to its end', () => {
    const { result } = derive(world);
    const input = published(world, result);
    const facts = new Set(world.edges().map(([start, kind, end]) => `${kind} ${start} ${end}`));
    for (const edge of edgesOf(result)) facts.add(asFact(edge));
    for (const edge of edgesOf(result)) {
      if (UNEXPLAINED.has(edge.kind)) continue;
      const { nodes, edges } = compose(input, edge);
      expect(nodes).toContain(edge.end);
      // The start of a relay is everybody who can coerce, regardless of enrollment rights.
      if (edge.kind !== EdgeKind.CoerceAndRelayNTLMToADCS) expect(nodes).toContain(edge.start);
      for (const part of edges) expect(facts).toContain(asFact(part));
      expect(edges.map(asFact)).not.toContain(asFact(edge));
    }

    function asFact({ start, kind, end }: { start: number; kind: number; end: number }): string {
      return [kind, ...world.ids([start, end])].join(' ');
    }
  });
});

// Undeclared reads throw in the cases above.
it('reads in one case or another all that the rules declare', () => {
  const shared = [...sharedOf(ADCS_RULES)].filter(({ name }) => !OF_THE_DIRECTORY.includes(name));
  const sketch = { name: 'certificate sketch', reads: SKETCH_READS };
  expect(OBSERVATION.unused([...ADCS_RULES, ...shared, sketch])).toEqual([]);
});
