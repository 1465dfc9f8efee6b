/** Types of environments: domains, tenants, and the environments of other platforms, whose types are those of their nodes. */

const DIRECTORIES: ReadonlySet<string> = new Set(['active-directory', 'azure']);

/** Whether it has no users, computers and sessions that are counted as those of a directory. */
export const isPlatform = ({ type }: { readonly type: string }): boolean => !DIRECTORIES.has(type);
