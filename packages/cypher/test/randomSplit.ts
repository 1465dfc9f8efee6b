/** A random question as one pattern, and the same in several clauses: patterns, conditions and WITH in other places. */
import type { Random } from './randomGraph.ts';

/** No type occurs twice in a question: so it does not matter which MATCH contains a relationship. */
export const SPLIT_TYPES = ['T0', 'T1', 'T2', 'T3'];
export const SPLIT_LABELS = ['A', 'B', 'C'];

interface Link {
  readonly from: string;
  readonly text: string;
  readonly to: string;
}

interface Question {
  readonly names: readonly string[];
  /** Label of each name: `:A`, or nothing. */
  readonly labels: ReadonlyMap<string, string>;
  readonly links: readonly Link[];
  readonly conditions: readonly { readonly text: string; readonly needs: readonly string[] }[];
  readonly end: string;
}

export function randomQuestion(random: Random): Question {
  const count = 1 + random.below(SPLIT_TYPES.length);
  const names = Array.from({ length: count + 1 }, (_, at) => `v${at}`);
  const labels = new Map(
    names.map((name) => [name, random.chance(0.4) ? `:${random.of(SPLIT_LABELS)}` : '']),
  );
  const links = Array.from({ length: count }, (_, at): Link => {
    const length = random.chance(0.3) ? random.of(['*1..2', '*', '*0..1']) : '';
    const text = random.of(['-[#]->', '<-[#]-']).replace('#', `:${SPLIT_TYPES[at]}${length}`);
    // A chain, or branches of one.
    return { from: random.chance(0.8) ? names[at] : names[random.below(at + 1)], text, to: names[at + 1] };
  });
  const conditions = Array.from({ length: random.below(4) }, () => {
    const [a, b] = [random.of(names), random.of(names)];
    return random.of([
      { text: `${a}.n = ${random.below(4)}`, needs: [a] },
      { text: `${a}.n IN [0, 2]`, needs: [a] },
      { text: `(${a}:A OR ${a}:B)`, needs: [a] },
      { text: `${a}.n = ${b}.n`, needs: [a, b] },
      { text: `${a} <> ${b}`, needs: [a, b] },
    ]);
  });
  const [a, b] = [random.of(names), random.of(names)];
  const end = random.of([names.join(', '), 'count(*) AS c', `DISTINCT ${a}`, `count(DISTINCT ${b}) AS c`]);
  return { names, labels, links, conditions, end };
}

const shuffled = <T>(items: readonly T[], random: Random): T[] =>
  items
    .map((item) => ({ item, at: random.below(1000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** Everything in one MATCH, its relationships in some order: of beginnings that promise the same, the first is taken. */
export function asOne({ labels, links, conditions, end }: Question, random: Random): string {
  const patterns = shuffled(links, random).map(
    ({ from, text, to }) => `(${from}${labels.get(from)})${text}(${to}${labels.get(to)})`,
  );
  const where = conditions.map(({ text }) => text).join(' AND ');
  return `MATCH ${patterns.join(', ')}${where === '' ? '' : ` WHERE ${where}`} RETURN ${end}`;
}

/** Puts each part into any of several clauses in which its names are known. */
export function split(question: Question, random: Random): string {
  const { names, labels, links, conditions, end } = question;
  // Some nodes alone, in addition to the relationships.
  const lone = names.filter(() => random.chance(0.3)).map((name) => ({ from: name, text: '', to: name }));
  const left = shuffled([...links, ...lone], random);
  const open = new Set(shuffled(conditions, random));
  const unlabeled = new Set(names.filter((name) => labels.get(name) !== ''));
  const known = new Set<string>();
  const clauses: string[] = [];
  const node = (name: string, isLast: boolean): string => {
    known.add(name);
    if (!unlabeled.has(name) || !(isLast || random.chance(0.5))) return `(${name})`;
    unlabeled.delete(name);
    return `(${name}${labels.get(name)})`;
  };
  const where = (isLast: boolean): string => {
    const taken = [...open].filter(
      ({ needs }) => needs.every((name) => known.has(name)) && (isLast || random.chance(0.5)),
    );
    for (const condition of taken) open.delete(condition);
    return taken.length === 0 ? '' : ` WHERE ${taken.map(({ text }) => text).join(' AND ')}`;
  };
  while (left.length > 0) {
    const parts = left.splice(0, 1 + random.below(2));
    const isLast = (name: string): boolean => !left.some(({ from, to }) => from === name || to === name);
    const patterns = parts.map(({ from, text, to }) =>
      text === '' ? node(from, isLast(from)) : node(from, isLast(from)) + text + node(to, isLast(to)),
    );
    clauses.push(`MATCH ${patterns.join(', ')}${where(left.length === 0)}`);
    if (left.length > 0 && random.chance(0.5))
      clauses.push(`WITH ${random.chance(0.3) ? '*' : [...known].join(', ')}${where(false)}`);
  }
  return `${clauses.join(' ')} RETURN ${end}`;
}
