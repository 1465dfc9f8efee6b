/**
 * Checks the nodes and edges of an OpenGraph file while it is being received. It stops after a number of faulty objects, enough to find the
 * error of the program that wrote them. Rule: `docs/reference/collections.md#opengraph`.
 */
import { type FileFault, fileFault } from '../fileFault.ts';
import { isItem, type Violation, validateEdge, validateNode } from './validate.ts';

const MAX_FAULTY_OBJECTS = 15;

export class GraphSchemaCheck {
  #faultyObjects = 0;
  readonly #problems: string[] = [];
  /** Nodes without a kind of their own: faulty unless `metadata`, which may come last, names a source kind. */
  readonly #withoutKinds: string[] = [];

  /** There are enough faults; the rest need not be checked. */
  get isFull(): boolean {
    return this.#faultyObjects >= MAX_FAULTY_OBJECTS;
  }

  /** @param section `graph.nodes` or `graph.edges` */
  object(section: string, index: number, value: unknown): void {
    if (this.isFull) return;
    const isNode = section === 'graph.nodes';
    const violations = this.#violations(isNode, value);
    const place = `${section}[${index}]`;
    if (violations.length > 0) this.#faultyObjects++;
    for (const { path, problem } of violations) {
      this.#problems.push(`${place}${path === '' ? '' : `.${path}`} ${problem}`);
    }
    const isWithoutKind = isNode && isItem(value) && Array.isArray(value.kinds) && value.kinds.length === 0;
    if (isWithoutKind && this.#withoutKinds.length < MAX_FAULTY_OBJECTS) {
      this.#withoutKinds.push(`${place}.kinds must have at least one kind when there is no source kind`);
    }
  }

  /** The file has ended, or enough of it was wrong. */
  finish(sourceKind: string | undefined): FileFault | undefined {
    const kindless = sourceKind === undefined && !this.isFull ? this.#withoutKinds : [];
    const problems = [...this.#problems, ...kindless].slice(0, MAX_FAULTY_OBJECTS);
    return problems.length === 0 ? undefined : { ...fileFault('schema'), problems };
  }

  #violations(isNode: boolean, value: unknown): readonly Violation[] {
    if (!isItem(value)) return [{ path: '', problem: 'must be an object' }];
    return isNode ? validateNode(value, 'named later or not') : validateEdge(value);
  }
}
