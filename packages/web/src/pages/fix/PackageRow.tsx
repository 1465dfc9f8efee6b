/** One change of a card: a summary in one line, and on request its steps, their verification, and the users who lose access. */

import type { CardRecord, PackageRecord } from '@clew/api';
import { costText, principalsText, propertyWords } from '@clew/model';
import { Breakable } from '../../parts/Breakable.tsx';
import { Cost } from '../../parts/Cost.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { useSaid } from '../../parts/oneDomain.ts';
import { aroundName } from '../../text/aroundName.ts';
import { cleanText, valueText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { RepairWork } from './RepairWork.tsx';
import { Questions, WhyThis } from './WhyThis.tsx';

interface PackageRowProps {
  readonly one: PackageRecord;
  readonly at: number;
  readonly card: CardRecord;
  readonly isOpen?: boolean;
}

export function PackageRow({ one, at, card, isOpen = false }: PackageRowProps) {
  const said = useSaid();
  if (isOpen)
    return (
      <li>
        <p className="package-title">
          {card.packages.length > 1 && (
            <span className="what">
              <Breakable text={said(one.title)} />
            </span>
          )}
          {one.change_count > 1 && <span className="how">{counted(one.change_count, 'change')}</span>}
          <span className="how">Cost</span>
          <Cost cost={one.cost} />
        </p>
        <RepairWork card={card} one={one} />
        <PackageSteps one={one} at={at} card={card} isWorkShown />
        <Questions one={one} />
      </li>
    );
  return (
    <li>
      <details>
        <summary>
          {card.packages.length > 1 ? (
            <span className="what">
              <Breakable text={said(one.title)} />
            </span>
          ) : (
            // The card already shows the title.
            <span className="whole-text">
              <Breakable text={said(one.fix)} />
            </span>
          )}
          <span className="how">{one.change_count > 1 ? counted(one.change_count, 'change') : ''}</span>
          <Cost cost={one.cost} />
          <span className="steps-label">Details</span>
        </summary>
        <PackageSteps one={one} at={at} card={card} isFixShown={card.packages.length === 1} />
      </details>
      <Questions one={one} />
    </li>
  );
}

interface PackageStepsProps extends Omit<PackageRowProps, 'isOpen'> {
  /** Whether the text above the row explains how to apply the change. */
  readonly isFixShown?: boolean;
  /** Whether applying and verifying it is explained above the row. */
  readonly isWorkShown?: boolean;
}

function PackageSteps({ one, at, card, isFixShown = false, isWorkShown = false }: PackageStepsProps) {
  const said = useSaid();
  const left = one.cost_still_needed ?? 0;
  const isLast = at === card.packages.length - 1;
  const [first] = one.changes;
  return (
    <div className="package-steps">
      <dl className="facts">
        {!isFixShown && !isWorkShown && (
          <>
            <dt>Apply</dt>
            <dd>{said(one.fix)}</dd>
          </>
        )}
        {first?.is_inherited && first.inherited_from !== null && (
          <>
            <dt>Inherited</dt>
            <dd>
              The entry is inherited from <ObjectLink object={first.inherited_from} />: change it there.
            </dd>
          </>
        )}
        {!isWorkShown && (
          <>
            <dt>Verify</dt>
            <dd>{said(one.check)}</dd>
          </>
        )}
        <dt>Risk</dt>
        <dd>{said(one.risk)}</dd>
        <WhyThis one={one} />
        {one.affected_count > 0 && (
          <>
            <dt>Loses access</dt>
            <dd>
              {principalsText(one.affected_count)}
              {first !== undefined && first.affected_holders.length > 0 && ', through '}
              {first?.affected_holders.map((holder) => (
                <ObjectLink key={holder.object_id} object={holder} />
              ))}
            </dd>
          </>
        )}
      </dl>
      {card.packages.length > 1 && !isLast && left >= 0.05 && (
        <p className="quiet">
          With {at + 1} of {card.packages.length} done, changes that cost at least {costText(left)} remain
          before exposure falls.
        </p>
      )}
      <Changes one={one} />
    </div>
  );
}

/** The title, with the name of the object in it as a link; after it where the title does not name the object. */
function ChangeTitle({ change: { title, object } }: { readonly change: PackageRecord['changes'][number] }) {
  const said = useSaid();
  const [before, after] = aroundName(title, object.name) ?? [`${title} `, ''];
  return (
    <>
      {said(before)}
      <ObjectLink object={object} />
      {said(after)}
    </>
  );
}

const valueWords = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : cleanText(valueText(value));

function Changes({ one }: { readonly one: PackageRecord }) {
  const values = one.changes.flatMap((change) => change.values);
  return (
    <>
      {one.change_count > 1 && (
        <ul>
          {one.changes.map((change) => (
            <li key={JSON.stringify(change.repair)}>
              <ChangeTitle change={change} />
            </li>
          ))}
          {one.change_count > one.changes.length && (
            <li>and {counted(one.change_count - one.changes.length, 'more change')}</li>
          )}
        </ul>
      )}
      {values.length > 0 && (
        <table className="values">
          <caption className="unseen">Values now and wanted</caption>
          <thead>
            <tr>
              <th scope="col">Object</th>
              <th scope="col">Setting</th>
              <th scope="col">Now</th>
              <th scope="col">Wanted</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ object_id, name, property, now, wanted }) => (
              <tr key={`${object_id} ${property}`}>
                <td>
                  <Name text={name} id={object_id} />
                </td>
                <td>
                  <span title={property}>{propertyWords(property)}</span>
                </td>
                <td>{valueWords(now) || 'not set'}</td>
                <td>{valueWords(wanted) || 'empty'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
