/**
 * Folders whose comments and texts are plain sentences and have to stay so (`plainSentences.ts`). Add a folder once
 * it is; when all packages and scripts are listed, the list goes and the rule holds everywhere.
 */
export const HELD_ROOMS: readonly string[] = [
  'packages/analysis/',
  'packages/collections/',
  'packages/common/',
  'packages/cypher/',
  'packages/embedded/',
  'packages/explore/',
  'packages/generation/',
  'packages/graph/',
  'packages/identity/',
  'packages/model/',
  'packages/queries/',
  'packages/server/',
  'packages/store/',
  'packages/synthetic/',
];

export const isHeld = (file: string): boolean =>
  /\.tsx?$/.test(file) && HELD_ROOMS.some((room) => file.startsWith(room));
