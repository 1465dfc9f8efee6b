/**
 * Checks the nodes and edges of an OpenGraph file during the upload. It stops after enough faulty objects to find the error in the program
 * that wrote them. Rule: `docs/reference/collections.md#opengraph`.
 */
import { type FileFault, fileFault } from '../fileFault.ts';
import { isItem, type Violation, validateEdge, validateNode } from './validate.ts';

const MAX_FAULTY_OBJECTS = 15;

export class GraphSchemaCheck {
  #faultyObjects = 0;
  readonly #problems: string[] = [];
  /** Nodes without a kind: faulty unless `metadata`, which may come last, names a source kind. */
  readonly #withoutKinds: string[] = [];

  /** Whether there are enough faults to stop. */
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

  /** Called at the end of the file, or after enough faults. */
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
