/** Unread parts of the environments, shown next to findings, because unread data may hide findings. */
import { counted, unreadSentence } from '@clew/model';
import { useAnswer } from '../service/queries.ts';
import { cleanText } from '../text/cleanText.ts';

export function NotRead({ environment }: { readonly environment?: string | null }) {
  const { data } = useAnswer('GetAvailableDomains');
  const sentences = (data?.data ?? [])
    .filter(({ id }) => environment === undefined || environment === null || environment === id)
    .flatMap(({ name, not_read }) => unreadSentence(name, not_read) ?? []);
  if (sentences.length === 0) return null;
  const where = counted(sentences.length, 'environment');
  return (
    <details className="quiet not-read">
      <summary>
        Some data was not collected in {where}: paths through the missing parts are not in these figures
      </summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{cleanText(sentence)}.</li>
        ))}
      </ul>
    </details>
  );
}
