/**
 * Markdown texts by authors of extensions and checks. A library renders GitHub-flavored Markdown; it is loaded when the first
 * such text is opened. Until then, and for texts above the limit of the service, `Markdown` renders its few elements.
 */
import { lazy, Suspense } from 'react';
import { Markdown } from './Markdown.tsx';

const GithubMarkdown = lazy(() => import('./GithubMarkdown.tsx'));
/** The limit of the service: for some texts, the library needs more than linear time. */
const MAX_LENGTH = 64 * 1024;

export function AuthorText({ text }: { readonly text: string }) {
  const simple = <Markdown text={text} isForeign />;
  if (text.length > MAX_LENGTH) return simple;
  return (
    <Suspense fallback={simple}>
      <GithubMarkdown text={text} />
    </Suspense>
  );
}
