/** The first step: completes the nodes in the store with facts that follow from the collected ones alone. */
import { type CompletedNodes, completeNodes } from '../completeNodes.ts';
import type { Step } from '../step.ts';

export const completeStep: Step<CompletedNodes> = {
  name: 'complete',
  work: ({ client, context }) => completeNodes(client, context.database.pool),
};
