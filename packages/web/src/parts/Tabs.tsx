/** Views of a page, as links: each has its address. */
import { Link, useLocation, useSearchParams } from 'wouter';

export interface View {
  readonly id: string;
  readonly title: string;
}

/** @param kept parameters that are kept when the view changes */
export function Tabs({
  views,
  current,
  label,
  kept = [],
}: {
  views: readonly View[];
  current: string;
  label: string;
  kept?: readonly string[];
}) {
  const [path] = useLocation();
  const [parameters] = useSearchParams();
  return (
    <nav className="tabs" aria-label={label}>
      {views.map(({ id, title }, at) => {
        const query = new URLSearchParams(at === 0 ? {} : { view: id });
        for (const name of kept) for (const value of parameters.getAll(name)) query.append(name, value);
        return (
          <Link
            key={id}
            href={query.size === 0 ? path : `${path}?${query}`}
            aria-current={id === current ? 'page' : undefined}
          >
            {title}
          </Link>
        );
      })}
    </nav>
  );
}
