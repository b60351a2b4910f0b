// Files for the fields of a form: the picker of the library, and uploads.
import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { FieldFile } from '../../fields/control.ts';
import type { FileKind } from '../../media/media-file.ts';
import { noteKnown } from '../../media/note-known.ts';
import { FilePicker } from '../../media/picker.tsx';
import { uploadHere } from '../../media/use-uploads.ts';
import { useAdmin } from '../../shell/admin.ts';

interface Question {
  kinds: readonly FileKind[];
  answer(file: FieldFile | undefined): void;
}

const KINDS: Readonly<Record<string, readonly FileKind[]>> = { image: ['image'], video: ['video'], audio: ['audio'] };

export function useFiles() {
  const { session, site, request, messages } = useAdmin();
  const [question, ask] = useState<Question>();
  const mayUpload = session.may('media:write');
  const mayChoose = session.may('media:read');
  const files = useMemo(() => {
    const upload = async (file: File): Promise<FieldFile> => {
      const uploaded = await uploadHere({ site, request }, file);
      noteKnown(messages, [uploaded]);
      return { url: uploaded.url, alt: '' };
    };
    const chooseFile = (kind: string): Promise<FieldFile | undefined> =>
      new Promise((answer) => ask({ kinds: KINDS[kind] ?? [], answer }));
    return { upload: mayUpload ? upload : undefined, chooseFile: mayChoose ? chooseFile : undefined };
  }, [mayUpload, mayChoose]);
  const close = (file?: FieldFile): void => {
    ask(undefined);
    question?.answer(file);
  };
  const dialog =
    question &&
    h(FilePicker, {
      kinds: question.kinds,
      onChoose: ({ url, alt }) => close({ url, alt: alt ?? '' }),
      onClose: () => close(),
    });
  return { files, dialog };
}
