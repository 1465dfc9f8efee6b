/** What security-operations platforms use of Clew: actions for analysts. */
export { doesPathExist, type PathInfo, type PathItem } from './actions/doesPathExist.ts';
export { type AssetItem, type FetchAssetsOptions, fetchAssets } from './actions/fetchAssets.ts';
export { getObjectId, type ObjectItem } from './actions/getObjectId.ts';
export { InputError, type NodePair, parseItems, parsePairs } from './actions/inputs.ts';
export { type PingInfo, ping } from './actions/ping.ts';
export type { ActionResult, ItemResult } from './actions/results.ts';
