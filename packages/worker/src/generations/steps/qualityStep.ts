/** Measures the collected data of each environment. */
import { type EnvironmentQuality, measureQuality, writeQuality } from '@clew/judgment';
import type { Step } from '../step.ts';
import { definitionsStep } from './definitionsStep.ts';
import { loadStep } from './loadStep.ts';

export const qualityStep: Step<readonly EnvironmentQuality[]> = {
  name: 'measure',
  async work(build) {
    const { loaded, scanned } = build.resultOf(loadStep);
    return measureQuality({
      graph: build.resultOf(definitionsStep).graph,
      environments: loaded.environments,
      properties: loaded.nodeProperties,
      scanned,
      now: Date.now() / 1000,
    });
  },
  publish: ({ client }, quality, generation) => writeQuality(client, generation, quality),
};
