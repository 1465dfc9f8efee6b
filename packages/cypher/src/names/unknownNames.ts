/** Warns about labels and types that do not occur in the graph. */
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { didYouMean } from './nearestName.ts';

export const noLabel = (name: string, graph: PropertyGraph): string =>
  `no node has the label ${name}${didYouMean(name, graph.labelNames())}`;

export const noType = (name: string, graph: PropertyGraph): string =>
  `no relationship has the type ${name}${didYouMean(name, graph.typeNames())}`;
