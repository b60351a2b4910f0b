// The questions before many documents are deleted: those that readers see, and those that others point to.
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import type { BulkFailure } from './run-bulk.ts';
import type { SelectedDocument } from './selection.ts';

export type DeletionQuestion =
  | { kind: 'published'; documents: readonly SelectedDocument[] }
  | { kind: 'referenced'; left: readonly BulkFailure[] };

const SHOWN = 20;

/** Undefined if nothing has to be asked: one document has its way back in sight. */
export function toPublishedQuestion(documents: readonly SelectedDocument[]): DeletionQuestion | undefined {
  const isAsked = documents.filter(({ status }) => status === 'published').length > 1;
  return isAsked ? { kind: 'published', documents } : undefined;
}

export interface DeleteQuestionProps {
  question: DeletionQuestion;
  onDelete(documents: readonly SelectedDocument[], ifUnreferenced: boolean): void;
  onClose(): void;
}

export function DeleteQuestion({ question, onDelete, onClose }: DeleteQuestionProps) {
  const isReferenced = question.kind === 'referenced';
  const documents = isReferenced ? question.left.map(({ document }) => document) : question.documents;
  return (
    <AlertDialog
      title={t('bulk.delete')}
      verb={t('bulk.delete')}
      cancel={t('app.cancel')}
      onConfirm={() => onDelete(documents, !isReferenced)}
      onClose={onClose}
    >
      {isReferenced ? (
        <>
          <p>{t('bulk.askReferenced', { count: documents.length })}</p>
          <ul>
            {question.left.slice(0, SHOWN).map(({ document: { id, title }, pointers = 0 }) => (
              <li key={id}>
                <bdi>{title}</bdi> <span class="help">{t('bulk.pointers', { count: pointers })}</span>
              </li>
            ))}
          </ul>
          {documents.length > SHOWN && <p class="help">{t('dashboard.more', { count: documents.length - SHOWN })}</p>}
        </>
      ) : (
        <p>
          {t('bulk.askPublished', {
            count: documents.length,
            number: documents.filter(({ status }) => status === 'published').length,
          })}
        </p>
      )}
    </AlertDialog>
  );
}
