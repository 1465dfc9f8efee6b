/** Compares the certificate services rules with their slow twin on random infrastructures. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveRules } from '../../test/adcs/naiveRules.ts';
import { answered, derive, edgesOf } from '../../test/adcs/pki.ts';
import { infrastructureOf, randomInfrastructures } from '../../test/adcs/randomInfrastructures.ts';
import { ADCS_RULES } from './rules.ts';

const KINDS = new Set<string>(ADCS_RULES.flatMap((rule) => rule.produces));

describe('on random infrastructures', () => {
  it('the rules give what their slow twin gives, in an order of facts that does not matter', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(randomInfrastructures, (spec) => {
        const pki = infrastructureOf(spec);
        const built = pki.build();
        const { edges, result } = derive(built);
        const own = edges.filter((edge) => KINDS.has(edge.split(' ')[0]));
        for (const edge of own) seen.set(edge.split(' ')[0], 1 + (seen.get(edge.split(' ')[0]) ?? 0));
        expect(own).toEqual(naiveRules(pki.plain(), ['AU', 'EV', 'AU2']));
        const updated = derive(built, 'clean', answered('C')).edges.filter((edge) =>
          KINDS.has(edge.split(' ')[0]),
        );
        for (const edge of updated) seen.set(edge.split(' ')[0], 1 + (seen.get(edge.split(' ')[0]) ?? 0));
        expect(updated).toEqual(naiveRules(pki.plain(), ['AU', 'EV', 'AU2'], 'C'));
        const reversed = derive(pki.build((items) => [...items].reverse()));
        expect(edgesOf(reversed.result)).toEqual(edgesOf(result));
      }),
      { numRuns: 250 },
    );
    // Every kind occurred, so the comparisons above were not empty.
    expect([...KINDS].filter((kind) => !seen.has(kind))).toEqual([]);
  });
});
