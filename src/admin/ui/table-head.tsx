export interface TableHeadProps {
  /** The visible names of the columns. */
  columns: readonly string[];
  /** The name of a last column of buttons, which only readers of the screen need. */
  actions?: string | undefined;
}

/** One row of column headers. */
export function TableHead({ columns, actions }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
        {actions !== undefined && (
          <th scope="col">
            <span class="hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
