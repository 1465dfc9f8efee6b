/** Lists each error of a file with its location, as reported by the service. */
import { describeError } from '../service/queries.ts';
import { cleanText } from '../text/cleanText.ts';

export function Faults({ error }: { readonly error: unknown }) {
  return (
    <div className="failure" role="alert">
      <ul className="faults">
        {describeError(error)
          .text.split('; ')
          .map((fault) => (
            <li key={fault}>{cleanText(fault)}</li>
          ))}
      </ul>
    </div>
  );
}
