/** The menu of columns for the list of findings. */
import { Menu } from '../../parts/Menu.tsx';
import { CHOOSABLE, isShown, showColumn, useKeptColumns } from './columns.ts';

export function ColumnMenu() {
  const kept = useKeptColumns();
  return (
    <Menu title="Columns">
      {CHOOSABLE.map((column) => (
        <label key={column.title}>
          <input
            type="checkbox"
            checked={isShown(column, kept)}
            onChange={({ target }) => showColumn(column, target.checked)}
          />{' '}
          {column.title}
        </label>
      ))}
    </Menu>
  );
}
