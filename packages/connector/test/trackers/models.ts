/** Models of all trackers. */
import { GitHubModel } from './gitHub.ts';
import type { ModelSystem } from './modelSystem.ts';

const MODELS = { github: () => new GitHubModel() } satisfies Record<string, () => ModelSystem>;

export type TrackerType = keyof typeof MODELS;
export const TRACKER_MODELS = Object.keys(MODELS) as TrackerType[];
export const trackerModel = (type: TrackerType): ModelSystem => MODELS[type]();
