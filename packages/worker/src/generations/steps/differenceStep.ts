/** Computes the changes of the new generation from the previous one. */
import { differenceTo, writeDifference } from '@clew/judgment';
import type { Step } from '../step.ts';
import { definitionsStep } from './definitionsStep.ts';
import { loadStep } from './loadStep.ts';

export const differenceStep: Step<ReturnType<typeof differenceTo>> = {
  name: 'compare',
  work: async (build) =>
    differenceTo(
      build.context.previous(),
      build.resultOf(definitionsStep).graph,
      build.resultOf(loadStep).loaded.nodeProperties,
    ),
  async publish({ client }, difference, generation) {
    await writeDifference(client, generation.id, difference);
  },
};
