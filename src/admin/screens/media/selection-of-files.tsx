// The bar of the selected files, and the dialogs of what it does.
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { AddTags } from '../../ui/add-tags.tsx';
import { EVERYTHING, NOTHING } from '../../ui/selection.ts';
import { SelectionBar } from '../../ui/selection-bar.tsx';
import type { FilesAction } from './change-many.ts';
import { DeleteMany } from './delete-many.tsx';
import { MoveMany } from './move-many.tsx';
import type { useMany } from './use-many.ts';

type Question = FilesAction['kind'];

export interface SelectionOfFilesProps {
  many: ReturnType<typeof useMany>;
  count: number;
  total: number | undefined;
  /** Tags to suggest. */
  known: readonly string[];
  question: Question | undefined;
  onQuestion(question: Question | undefined): void;
}

export function SelectionOfFiles({ many, count, total, known, question, onQuestion }: SelectionOfFilesProps) {
  const { session } = useAdmin();
  const { selection, setSelection, job } = many;
  const kinds: readonly Question[] = [
    ...(session.may('media:write') ? (['move', 'tag'] as const) : []),
    ...(session.may('media:delete') ? (['delete'] as const) : []),
  ];
  const close = (): void => onQuestion(undefined);
  const run = (action: FilesAction): void => {
    close();
    void many.run(action);
  };
  return (
    <>
      {(count > 0 || job) && (
        <SelectionBar
          {...{ count, total, job }}
          actions={kinds.map((kind) => ({ label: t(`many.${kind}`), run: () => onQuestion(kind) }))}
          onSelectAll={() => setSelection(EVERYTHING)}
          onClear={() => setSelection(NOTHING)}
        />
      )}
      {question === 'move' && (
        <MoveMany
          count={count}
          onMove={(folder, updateReferences) => run({ kind: 'move', folder, updateReferences })}
          onClose={close}
        />
      )}
      {question === 'tag' && (
        <AddTags
          help={t('many.tagHelp', { count })}
          known={known}
          onAdd={(tags) => run({ kind: 'tag', tags })}
          onClose={close}
        />
      )}
      {question === 'delete' && (
        <DeleteMany
          count={count}
          files={selection.kind === 'some' ? [...selection.items.values()] : undefined}
          onDelete={() => run({ kind: 'delete' })}
          onClose={close}
        />
      )}
    </>
  );
}
