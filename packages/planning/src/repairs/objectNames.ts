/**
 * Names of objects in sentences. Containers, organizational units and policies of one domain can have the same name, such as an
 * OU=Computers below two other units. An administrator who reads only the name could then change the wrong one, so texts have the
 * distinguished name instead.
 *
 * Rule: `docs/plan.md#names-in-texts`.
 */
import { type AnalysisContext, environments, type Shared } from '@clew/analysis';
import { nameOf, objectIdOf } from '@clew/graph';

/** Kinds of objects whose names are unique only within their container, or not at all. */
const KINDS = ['Container', 'OU', 'GPO'] as const;

/** Texts that replace the names of objects which share their name with another object of these kinds in their environment. */
const replacedNames: Shared<ReadonlyMap<number, string>> = {
  name: 'names that several objects share',
  reads: { nodeProperties: ['distinguishedname'], shared: [environments] },
  build: (context) => {
    const { graph, properties } = context;
    const { of } = context.use(environments);
    const policies = context.nodesOf('GPO');
    const nodes = new Set(KINDS.flatMap((kind) => [...context.nodesOf(kind)]));
    const byName = Map.groupBy(nodes, (node) => `${of[node]} ${nameOf(graph, node).toUpperCase()}`);
    const replaced = new Map<number, string>();
    for (const same of byName.values()) {
      if (same.length === 1) continue;
      for (const node of same) {
        const name = nameOf(graph, node);
        const place = properties.text('distinguishedname', node) || objectIdOf(graph, node);
        // The common name of a policy is a GUID, so its distinguished name does not contain its name.
        const isInPlace = !policies.has(node) && place.includes('=');
        if (name !== '') replaced.set(node, isInPlace ? place : `${name} (${place})`);
      }
    }
    return replaced;
  },
};

/** @returns the name of the object, or its distinguished name if other objects have the same name; empty if it has no name */
export const distinctName = (context: AnalysisContext, node: number): string =>
  context.use(replacedNames).get(node) ?? nameOf(context.graph, node);
