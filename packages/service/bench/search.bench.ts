/**
 * Measures search on a generated organization with its tenant, with typical input: names, their prefixes, display names, words in any
 * order, without accents, with one wrong letter. The intended object must be among the first ten. Times are CPU times. Budget: 2,000
 * searches a second.
 */
import { nameOf } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import {
  buildSearchIndex,
  buildWordIndex,
  folded,
  type NodeTexts,
  searchNodes,
  wordHits,
} from '@clew/queries';
import { type Organization, organizationOf, SIZES } from './organization.ts';

const SEARCHES = 2000;
const PAGE = 10;
const KEYS = ['displayname', 'samaccountname', 'userprincipalname', 'email', 'dnshostname'];

export default {
  name: 'service: search',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const organization = await organizationOf(SIZES[scale]);
    const { graph, properties } = organization;
    const ask = askerOf(organization);
    const random = newRandom(7);
    const named = Array.from({ length: graph.nodeCount }, (_, node) => node).filter(
      (node) => typeof properties.value('displayname', node) === 'string' && nameOf(graph, node).length > 8,
    );
    const shown = (node: number): string => properties.value('displayname', node) as string;
    const wordsOf = (node: number): string => shown(node).split(' ').toReversed().join(' ');
    /** The longest word without its third letter. */
    const wrong = (text: string): string => {
      const words = text.split(' ');
      const longest = words.reduce((one, other) => (other.length > one.length ? other : one));
      return words.map((word) => (word === longest ? word.slice(0, 2) + word.slice(3) : word)).join(' ');
    };
    const questions: Record<string, (node: number) => string> = {
      'by name': (node) => nameOf(graph, node),
      'by the beginning of a name': (node) => nameOf(graph, node).slice(0, 8),
      'by display name': shown,
      'by words in another order': wordsOf,
      'without accents': (node) => folded(shown(node)).toLowerCase(),
      'with a letter missing': (node) => wrong(shown(node)),
      'without a hit': (node) => `${nameOf(graph, node).slice(0, 4)}#${nameOf(graph, node).slice(0, 3)}`,
    };
    return Object.entries(questions).map(([name, question]) => {
      const asked = Array.from({ length: SEARCHES }, () => named[Math.floor(random() * named.length)]);
      const began = process.cpuUsage();
      const found = asked.map((node) => ask(question(node)));
      const { user, system } = process.cpuUsage(began);
      const hits = asked.filter((node, at) => found[at].includes(node)).length;
      // If many objects share a name, ten of them are shown.
      if (name === 'by name' && hits < SEARCHES) throw new Error(`${SEARCHES - hits} names are not found`);
      if (name === 'without a hit' && hits > 0) throw new Error(`${hits} are found by a wrong name`);
      const figures = {
        'searches/s': Math.round((SEARCHES * 1e6) / (user + system)),
        'among the first ten (%)': (100 * hits) / SEARCHES,
      };
      return { name: `search ${name}`, figures };
    });
  },
};

/** Searches like the handler: by name first, and by word if the names do not fill a page. */
function askerOf({ graph, data, properties }: Organization): (text: string) => readonly number[] {
  const index = buildSearchIndex(data);
  const words = buildWordIndex(data, index, textsOf({ graph, properties }));
  return (text) => {
    const request = { text: text.toUpperCase(), skip: 0, limit: PAGE, admits: () => true };
    const found = ended(searchNodes(graph, index, request));
    if (found.length >= PAGE) return found;
    const more = { text, wanted: PAGE - found.length, mayHaveTypo: found.length === 0 };
    return [...found, ...ended(wordHits(index, words, { ...more, admits: (node) => !found.includes(node) }))];
  };
}

function ended(work: Generator<void, number[]>): number[] {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

function textsOf({ graph, properties }: Pick<Organization, 'graph' | 'properties'>): NodeTexts {
  const nodes: number[] = [];
  const texts: Buffer[] = [];
  for (let node = 0; node < graph.nodeCount; node++)
    for (const key of KEYS) {
      const value = properties.value(key, node);
      if (typeof value !== 'string') continue;
      nodes.push(node);
      texts.push(Buffer.from(value));
    }
  const offsets = new Uint32Array(texts.length + 1);
  for (const [at, text] of texts.entries()) offsets[at + 1] = offsets[at] + text.length;
  return { nodes: Uint32Array.from(nodes), texts: { bytes: new Uint8Array(Buffer.concat(texts)), offsets } };
}
