export function sourcesDigest(root: string): string;
