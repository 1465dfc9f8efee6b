/** The pages with their numbers of waiting items, and the age of the results. */
import { Link } from 'wouter';
import type { PageEntry } from '../pageRows.ts';
import { useBasket } from '../parts/basket.ts';
import { Icon } from '../parts/Icon.tsx';
import { useAnswer } from '../service/queries.ts';
import { useMay } from '../service/self.ts';
import { formatCount } from '../text/formats.ts';
import { Status } from './Status.tsx';
import { usePages } from './usePages.ts';

export function SideBar({ current }: { readonly current: string | undefined }) {
  const mayRead = useMay('graphdb/Read');
  const pages = usePages();
  const findings = useAnswer('ListAttackPathFindings', { query: { limit: 1 } }, { enabled: mayRead });
  const inbox = useAnswer('GetInbox', { query: { limit: 0 } }, { enabled: mayRead });
  const basket = useBasket();
  const counts: Readonly<Record<string, { readonly count: number; readonly of: string } | undefined>> = {
    '/findings': { count: findings.data?.count ?? 0, of: 'open' },
    '/changes': { count: inbox.data?.data.count ?? 0, of: 'new' },
    '/what-if': { count: basket.length, of: 'selected' },
  };
  const entry = ({ path, title, icon }: PageEntry) => {
    const counted = counts[path];
    return (
      <Link
        key={path}
        href={path}
        className="page-link"
        title={title}
        aria-current={current === path ? 'page' : undefined}
      >
        <Icon of={icon} />
        <span className="label">{title}</span>
        {counted !== undefined && counted.count > 0 && (
          <span className="count">
            {formatCount(counted.count)}
            <span className="unseen"> {counted.of}</span>
          </span>
        )}
      </Link>
    );
  };
  return (
    <nav className="side-bar" aria-label="Pages">
      <Link href={pages[0]?.path ?? '/profile'} className="brand">
        <img src="./icon.svg" alt="" width="26" height="26" /> <span className="label">Clew</span>
      </Link>
      {pages.filter(({ isSetUp }) => !isSetUp).map(entry)}
      <p className="part">Set up</p>
      {pages.filter(({ isSetUp }) => isSetUp).map(entry)}
      <Status />
    </nav>
  );
}
