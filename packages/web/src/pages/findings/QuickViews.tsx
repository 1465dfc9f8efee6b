/** Built-in views of findings; each is an address. */
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { findingsPath } from './findingsPath.ts';

const VIEWS: readonly (readonly [title: string, filters: Readonly<Record<string, string>>])[] = [
  ['Open', {}],
  ['Mine', { owner: 'me' }],
  ['No owner', { owner: 'none' }],
  ['Overdue', { overdue: 'true' }],
  ['New this week', { new: '7' }],
  ['Accepted', { status: 'accepted' }],
];

const NAMES = ['owner', 'overdue', 'new', 'status'];

export function QuickViews({ address }: { readonly address: Address }) {
  return (
    <nav className="quick-views" aria-label="Quick views">
      {VIEWS.map(([title, filters]) => (
        <Link
          key={title}
          href={findingsPath({ ...filters, type: address.get('type') })}
          aria-current={NAMES.every((name) => address.get(name) === filters[name]) ? 'true' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
