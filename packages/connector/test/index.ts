/** Helpers that tests of other packages share with those of this one. */
export { GitHubModel } from './trackers/gitHub.ts';
