/**
 * Texts of authors in Markdown: of extensions, and of checks. All of GitHub's flavor is shown, by a library that is loaded when the first of
 * these texts is opened; until then, and for a text that the service would not take, the few elements of `Markdown`.
 */
import { lazy, Suspense } from 'react';
import { Markdown } from './Markdown.tsx';

const GithubMarkdown = lazy(() => import('./GithubMarkdown.tsx'));
/** The limit of the service: the library takes more than linear time for some texts. */
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
