/** Replaces a page that the user's role may not use: names the role and the page, and links to another page. */
import { Link } from 'wouter';
import type { PageEntry } from '../pageRows.ts';
import { useSelf, yourRole } from '../service/self.ts';
import { landingPath } from './landing.ts';
import { usePages } from './usePages.ts';

export function Refused({ page }: { readonly page: PageEntry }) {
  const self = useSelf();
  const [first] = usePages();
  return (
    <div className="page">
      <h1>{page.title}</h1>
      <div className="failure" role="alert">
        <strong>
          {yourRole(self)} can't see {page.title}
        </strong>
        <p>Ask an administrator for a role with this permission.</p>
        {self !== undefined && (
          <Link className="button" href={landingPath(self)}>
            Go to {first?.title ?? 'your profile'}
          </Link>
        )}
      </div>
    </div>
  );
}
