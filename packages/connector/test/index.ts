/** Test support that other packages share. */
export { GitHubModel } from './trackers/gitHub.ts';
