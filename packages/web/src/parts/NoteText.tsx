/** A user's note as text, with mentioned users highlighted; names of unknown users are plain text. */
import { mentionsIn } from '@clew/model';
import { Fragment } from 'react';
import { useAnswer } from '../service/queries.ts';
import { useSelf } from '../service/self.ts';
import { cleanText } from '../text/cleanText.ts';

export function NoteText({ text }: { readonly text: string }) {
  const self = useSelf();
  const hasMention = text.includes('@');
  const maySee = self?.may('auth/ReadUsersMinimal') ?? false;
  const users = useAnswer('ListAssignableUsers', {}, { enabled: hasMention && maySee }).data?.data ?? [];
  const own = self?.user.principal_name ?? '';
  const shown = text.split('\n').map(cleanText).join('\n');
  const mentions = hasMention ? mentionsIn(shown, [own, ...users.map(({ name }) => cleanText(name))]) : [];
  let end = 0;
  return (
    <>
      {mentions.map(({ from, to, name }) => {
        const before = shown.slice(end, from);
        end = to;
        return (
          <Fragment key={from}>
            {before}
            <bdi className={name.toLowerCase() === own.toLowerCase() ? 'mention own' : 'mention'}>
              {shown.slice(from, to)}
            </bdi>
          </Fragment>
        );
      })}
      {shown.slice(mentions.at(-1)?.to ?? 0)}
    </>
  );
}
