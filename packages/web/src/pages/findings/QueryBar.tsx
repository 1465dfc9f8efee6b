/** One box for all filters: each filter is a removable chip, and typed text is matched with values and texts. */
import { useCombobox } from 'downshift';
import { X } from 'lucide';
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { Icon } from '../../parts/Icon.tsx';
import { cleanText, shortText } from '../../text/cleanText.ts';
import {
  type Chip,
  chipsOf,
  type FindingType,
  FROM_START,
  type Owner,
  type Suggestion,
  suggestionsFor,
} from './filterChips.ts';

interface QueryBarProps {
  readonly address: Address;
  readonly types: readonly FindingType[];
  readonly owners: readonly Owner[];
}

export function QueryBar({ address, types, owners }: QueryBarProps) {
  const [typed, setTyped] = useState('');
  const chips = chipsOf(address, types, owners);
  const items = [...suggestionsFor(typed, types, owners)];
  const combobox = useCombobox<Suggestion>({
    items,
    inputValue: typed,
    selectedItem: null,
    defaultHighlightedIndex: 0,
    itemToString: () => '',
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setTyped(inputValue ?? '');
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem === null || selectedItem === undefined) return;
      address.set({ [selectedItem.name]: selectedItem.value, ...FROM_START });
      setTyped('');
    },
  });
  const remove = ({ name }: Chip) => address.set({ [name]: undefined, ...FROM_START });
  return (
    <div className="query-bar">
      {chips.map((chip) => (
        <span key={chip.name} className="chip">
          <bdi>{shortText(cleanText(chip.words), 60)}</bdi>
          <button type="button" className="ghost" onClick={() => remove(chip)}>
            <Icon of={X} size={13} />
            <span className="unseen">Remove filter {cleanText(chip.words)}</span>
          </button>
        </span>
      ))}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the properties name the input */}
      <label {...combobox.getLabelProps()} className="unseen">
        Filter findings
      </label>
      <input
        {...combobox.getInputProps({
          placeholder:
            chips.length === 0 ? 'Search text, or filter by severity, type, status or owner' : 'Add a filter',
          spellCheck: false,
          maxLength: 200,
          onKeyDown: (event) => {
            const last = chips.at(-1);
            if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last);
          },
        })}
      />
      <ul {...combobox.getMenuProps({ className: combobox.isOpen ? 'suggestions open' : 'suggestions' })}>
        {combobox.isOpen &&
          items.map((item, index) => (
            <li
              key={`${item.name} ${item.value}`}
              {...combobox.getItemProps({ item, index })}
              className={combobox.highlightedIndex === index ? 'active' : ''}
            >
              {shortText(cleanText(item.words), 100)}
            </li>
          ))}
      </ul>
    </div>
  );
}
