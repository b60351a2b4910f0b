// One file by its address: chosen from the library, uploaded, dropped or pasted; and a gallery of pictures.
import { useRef, useState } from 'preact/hooks';
import { toSentence } from '../api/sentence.ts';
import { useFileDrop } from '../media/use-file-drop.ts';
import { t } from '../text/translate.ts';
import { type ControlProps, type FieldFile, useForm } from './control.ts';
import { fieldId } from './field-id.ts';
import { ItemList } from './item-list.tsx';
import { useRemoval } from './use-removal.ts';

const ACCEPTS: Readonly<Record<string, string>> = { image: 'image/*', video: 'video/*', audio: 'audio/*' };

export function FileField(props: ControlProps) {
  const { field, label, value, onChange, isReadOnly } = props;
  const { upload, chooseFile } = useForm();
  const url = typeof value === 'string' ? value : '';
  const { error, isBusy, take } = useUpload(upload, (file) => onChange(file.url));
  const input = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const noteRemoval = useRemoval();
  const latest = useRef(onChange);
  latest.current = onChange;
  function remove(): void {
    body.current?.querySelector('button')?.focus();
    onChange(null);
    noteRemoval(label, () => {
      latest.current(url);
      body.current?.querySelector('button')?.focus();
    });
  }
  const canDrop = !isReadOnly && upload !== undefined;
  useFileDrop(() => groupOf(body), canDrop ? ([file]) => file && take(file) : undefined);
  return (
    <div class="file">
      {url !== '' && <Preview type={field.type} url={url} />}
      <div class="file-body" ref={body}>
        <input
          type="text"
          inputMode="url"
          aria-label={t('file.address', { label })}
          aria-describedby={props.describedBy}
          aria-invalid={props.isInvalid ? 'true' : undefined}
          placeholder={isReadOnly ? undefined : (field.ui?.placeholder ?? t('file.placeholder'))}
          value={url}
          readOnly={isReadOnly}
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
          onPaste={(event) => {
            const file = event.clipboardData?.files[0];
            if (!canDrop || !file) return;
            event.preventDefault();
            take(file);
          }}
        />
        {!isReadOnly && (
          <div class="buttons">
            {chooseFile && (
              <button
                type="button"
                onClick={async () => {
                  const chosen = await chooseFile(field.type);
                  if (chosen) onChange(chosen.url);
                }}
              >
                {t('file.choose', { label })}
              </button>
            )}
            {upload && (
              <button type="button" disabled={isBusy} onClick={() => input.current?.click()}>
                {isBusy ? t('file.uploading') : t('file.upload', { label })}
              </button>
            )}
            {url !== '' && (
              <button type="button" onClick={remove}>
                {t('file.remove', { label })}
              </button>
            )}
            <input
              ref={input}
              type="file"
              hidden
              accept={ACCEPTS[field.type]}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                currentTarget.value = '';
                if (file) take(file);
              }}
            />
          </div>
        )}
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

function useUpload(upload: ((file: File) => Promise<FieldFile>) | undefined, onDone: (file: FieldFile) => void) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const done = useRef(onDone);
  done.current = onDone;
  async function take(file: File): Promise<void> {
    if (!upload) return;
    setBusy(true);
    setError(undefined);
    try {
      done.current(await upload(file));
    } catch (failure) {
      setError(toSentence(failure));
    } finally {
      setBusy(false);
    }
  }
  return { error, isBusy, take: (file: File) => void take(file) };
}

/** Files are dropped on all of the field, its label included. */
function groupOf(part: { current: HTMLElement | null }): HTMLElement | null {
  return part.current?.closest<HTMLElement>('.field') ?? null;
}

/** Only what the browser may load under the page's own rules is shown: the service's own files. */
function Preview({ type, url }: { type: string; url: string }) {
  const src = url.startsWith('/uploads/') ? url : undefined;
  if (!src) return null;
  if (type === 'image') return <img class="thumb" src={`${src}?w=400`} alt="" loading="lazy" />;
  // biome-ignore lint/a11y/useMediaCaption: captions belong to the site, which this is not
  if (type === 'video') return <video class="thumb" src={src} controls preload="metadata" />;
  // biome-ignore lint/a11y/useMediaCaption: captions belong to the site, which this is not
  if (type === 'audio') return <audio src={src} controls preload="metadata" />;
  return null;
}

interface Picture {
  /** A draft may lack it. */
  url?: string;
  alt?: string;
}

export function Gallery(props: ControlProps) {
  const { label, path, value, onChange, isReadOnly } = props;
  const { upload, chooseFile } = useForm();
  const pictures = (Array.isArray(value) ? value : []) as readonly Picture[];
  const latest = useRef(pictures);
  latest.current = pictures;
  const add = ({ url, alt }: FieldFile): void => {
    latest.current = [...latest.current, { url, alt }];
    onChange(latest.current);
  };
  const { error, isBusy, take } = useUpload(upload, add);
  const input = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  useFileDrop(() => groupOf(body), !isReadOnly && upload ? (files) => files.forEach(take) : undefined);
  return (
    <div ref={body}>
      <ItemList
        items={pictures}
        onChange={onChange}
        isReadOnly={isReadOnly}
        path={path}
        canFold={false}
        nameOf={(_, index) => `${label} ${index + 1}`}
        summaryOf={({ url = '' }) => url}
      >
        {(picture, index, set) => (
          <div class="file">
            <Preview type="image" url={picture.url ?? ''} />
            <AltText id={fieldId(`${path}.${index}.alt`)} {...{ picture, isReadOnly }} onChange={set} />
          </div>
        )}
      </ItemList>
      {!isReadOnly && (
        <div class="buttons">
          {chooseFile && (
            <button
              type="button"
              onClick={async () => {
                const chosen = await chooseFile('image');
                if (chosen) add(chosen);
              }}
            >
              {t('file.choose', { label })}
            </button>
          )}
          {upload && (
            <button type="button" disabled={isBusy} onClick={() => input.current?.click()}>
              {isBusy ? t('file.uploading') : t('file.upload', { label })}
            </button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            multiple
            accept="image/*"
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])];
              currentTarget.value = '';
              for (const file of files) take(file);
            }}
          />
        </div>
      )}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface AltTextProps {
  id: string;
  picture: Picture;
  isReadOnly: boolean;
  onChange(picture: Picture): void;
}

function AltText({ id, picture, isReadOnly, onChange }: AltTextProps) {
  return (
    <div class="file-body">
      <p class="help address">{picture.url}</p>
      <label for={id}>{t('media.alt')}</label>
      <input
        id={id}
        type="text"
        value={picture.alt ?? ''}
        readOnly={isReadOnly}
        onInput={(event) => onChange({ ...picture, alt: event.currentTarget.value })}
      />
    </div>
  );
}
