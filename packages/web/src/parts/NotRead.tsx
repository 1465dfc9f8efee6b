/** What was not read of the environments, beside what was found in them: nothing read is not nothing wrong. */
import { unreadSentence } from '@clew/model';
import { useAnswer } from '../service/queries.ts';
import { cleanText } from '../text/cleanText.ts';

export function NotRead({ environment }: { readonly environment?: string | null }) {
  const { data } = useAnswer('GetAvailableDomains');
  const sentences = (data?.data ?? [])
    .filter(({ id }) => environment === undefined || environment === null || environment === id)
    .flatMap(({ name, not_read }) => unreadSentence(name, not_read) ?? []);
  if (sentences.length === 0) return null;
  return (
    <section className="quiet" aria-label="What was not read">
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{cleanText(sentence)}. Paths over them are not in these figures.</li>
        ))}
      </ul>
    </section>
  );
}
