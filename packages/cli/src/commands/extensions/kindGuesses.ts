/** Guesses from the names of kinds, for an author's first file: icons, principals, and relationships that pass on control. */

/** Words of a name in lower case: `GH_OrgRole` becomes org and role. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[_\s]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}

/** Font Awesome icons by words of names; the last word of a name takes precedence. */
const ICONS: Readonly<Record<string, { readonly icon: string; readonly color: string }>> = {
  ...forWords('user person agent employee member identity', 'user', '#17A673'),
  ...forWords('account serviceaccount principal', 'user-gear', '#2E8B9A'),
  ...forWords('group team', 'users', '#C9A227'),
  ...forWords('role permission policy', 'id-badge', '#8D5BB5'),
  ...forWords('org organization tenant enterprise domain company desk', 'building', '#2F6FAB'),
  ...forWords('app application service client', 'window-restore', '#3D8FC9'),
  ...forWords('repo repository project', 'code-branch', '#5C6BC0'),
  ...forWords('workflow pipeline job action automation runner', 'gears', '#B5562D'),
  ...forWords('key token secret credential certificate', 'key', '#A63D57'),
  ...forWords('device computer host machine server instance vm', 'desktop', '#B06A3B'),
  ...forWords('database table schema', 'database', '#6B7A8F'),
  ...forWords('bucket storage share folder file', 'folder', '#7FB069'),
  ...forWords('network subnet firewall', 'network-wired', '#5F7D8C'),
  ...forWords('queue ticket', 'inbox', '#D08C60'),
  ...forWords('environment branch', 'layer-group', '#7A8B99'),
};

function forWords(words: string, icon: string, color: string) {
  return Object.fromEntries(words.split(' ').map((word) => [word, { icon, color }]));
}

const UNKNOWN = { icon: 'circle-nodes', color: '#7A8B99' };

export function lookFor(kind: string): { readonly icon: string; readonly color: string } {
  const known = wordsOf(kind)
    .toReversed()
    .find((word) => Object.hasOwn(ICONS, word));
  return known === undefined ? UNKNOWN : (ICONS[known] as typeof UNKNOWN);
}

const PRINCIPALS: ReadonlySet<string> = new Set([
  ...['user', 'person', 'agent', 'employee', 'account', 'serviceaccount', 'principal', 'device', 'app'],
  ...['application', 'identity'],
]);
export const isLikelyPrincipal = (kind: string): boolean => PRINCIPALS.has(wordsOf(kind).at(-1) ?? '');

const ENVIRONMENTS: ReadonlySet<string> = new Set([
  ...['org', 'organization', 'tenant', 'enterprise', 'domain', 'company', 'desk', 'instance'],
]);
export const isLikelyEnvironment = (kind: string): boolean => ENVIRONMENTS.has(wordsOf(kind).at(-1) ?? '');

/** Verbs of relationships that pass on control. */
const CONTROL: ReadonlySet<string> = new Set([
  ...[
    'admin',
    'administers',
    'manage',
    'manages',
    'own',
    'owns',
    'owner',
    'write',
    'writes',
    'edit',
    'edits',
  ],
  ...['control', 'controls', 'reset', 'resets', 'assume', 'assumes', 'impersonate', 'impersonates'],
  ...['member', 'run', 'runs', 'execute', 'executes', 'push', 'deploy', 'deploys', 'synced', 'sync'],
  ...['add', 'adds', 'create', 'creates', 'bypass', 'authenticate', 'authenticates', 'role', 'same', 'grant'],
  ...['full', 'all', 'modify', 'update', 'delegate', 'delegates', 'become', 'becomes'],
]);
/** Verbs of structure and read access, which never pass on control. */
const NO_CONTROL: ReadonlySet<string> = new Set([
  ...['contains', 'contain', 'knows', 'read', 'reads', 'view', 'views', 'list', 'lists', 'uses', 'belongs'],
  ...['created', 'protects', 'requires', 'references'],
]);

/** @param namespace its words are ignored */
export function isLikelyTraversable(kind: string, namespace: string): boolean {
  const words = wordsOf(kind.slice(namespace.length));
  return !words.some((word) => NO_CONTROL.has(word)) && words.some((word) => CONTROL.has(word));
}
