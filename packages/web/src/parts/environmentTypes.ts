/** Types of environments: domains, tenants, and the environments of other platforms, whose types are those of their nodes. */

const DIRECTORIES: ReadonlySet<string> = new Set(['active-directory', 'azure']);

/** Whether it lacks users, computers and sessions that count like those of a directory. */
export const isPlatform = ({ type }: { readonly type: string }): boolean => !DIRECTORIES.has(type);
