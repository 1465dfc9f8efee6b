/** Types of environments: domains, tenants, and environments of other platforms, whose type is the kind of their node. */

const DIRECTORIES: ReadonlySet<string> = new Set(['active-directory', 'azure']);

/** Whether its users, computers and sessions cannot be counted like those of a directory. */
export const isPlatform = ({ type }: { readonly type: string }): boolean => !DIRECTORIES.has(type);
