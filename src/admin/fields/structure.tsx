// Values that hold others: objects, places on a map, lists, blocks, columns.
import { useContext, useId, useRef } from 'preact/hooks';
import { type BlockInfo, type FieldInfo, labelOf } from '../config/manifest.ts';
import { useAdmin } from '../shell/admin.ts';
import { useOwnKey } from '../shell/own-key.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { BlockMenu } from './block-menu.tsx';
import { type ControlProps, named, useForm } from './control.ts';
import { withDefaults } from './defaults.ts';
import { Field } from './field.tsx';
import { fieldId } from './field-id.ts';
import { AroundContext, ItemList } from './item-list.tsx';
import { inserted, nameOfItem, summaryOf } from './items.ts';
import { isShown } from './shown.ts';

type Values = Readonly<Record<string, unknown>>;

function toValues(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

interface FieldsProps {
  fields: readonly FieldInfo[];
  values: Values;
  path: string;
  isReadOnly: boolean;
  onChange(values: Values): void;
}

export function Fields({ fields, values, path, isReadOnly, onChange }: FieldsProps) {
  // Two fields that change at once, such as an upload and a key, must not undo each other.
  const latest = useRef(values);
  latest.current = values;
  return (
    <div class="fields">
      {fields
        .filter((field) => isShown(field, values))
        .map((field) => (
          <Field
            key={field.name}
            field={field}
            path={`${path}.${field.name}`}
            value={values[field.name]}
            isReadOnly={isReadOnly}
            onChange={(value) => {
              latest.current = { ...latest.current, [field.name]: value };
              onChange(latest.current);
            }}
          />
        ))}
    </div>
  );
}

export function ObjectField({ field, path, value, onChange, isReadOnly }: ControlProps) {
  const { blocks } = useForm().manifest;
  const isNew = value === undefined || value === null;
  return (
    <Fields
      fields={field.fields ?? []}
      values={toValues(value)}
      path={path}
      isReadOnly={isReadOnly}
      onChange={(values) => onChange(isNew ? withDefaults(values, field.fields, blocks) : values)}
    />
  );
}

const MAP_FIELDS: readonly FieldInfo[] = [
  { name: 'address', type: 'text' },
  { name: 'lat', type: 'number', min: -90, max: 90 },
  { name: 'lng', type: 'number', min: -180, max: 180 },
  { name: 'zoom', type: 'number', min: 0, max: 22 },
];

export function MapField({ path, value, onChange, isReadOnly }: ControlProps) {
  const fields = MAP_FIELDS.map((field) => ({
    ...field,
    label: t(`map.${field.name}` as 'map.lat'),
    ...(field.name === 'address' ? {} : { ui: { width: 'third' as const } }),
  }));
  const onValues = (values: Values): void => {
    const isEmpty = Object.values(values).every((one) => one === null || one === '' || one === undefined);
    onChange(isEmpty ? null : values);
  };
  return <Fields fields={fields} values={toValues(value)} path={path} isReadOnly={isReadOnly} onChange={onValues} />;
}

export function ArrayField(props: ControlProps) {
  const { field, label, path, value, onChange, isReadOnly } = props;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const { fields } = field;
  const { blocks } = useForm().manifest;
  const around = useContext(AroundContext);
  const isFull = field.max !== undefined && items.length >= field.max;
  const added = useRef<number | undefined>(undefined);
  return (
    <>
      <ItemList
        items={items}
        onChange={onChange}
        {...{ isReadOnly, path, added }}
        canFold={fields !== undefined}
        hasGroups={fields !== undefined}
        nameOf={(_, index) => nameOfItem(label, index, fields ? around : [])}
        summaryOf={summaryOf}
      >
        {(item, index, set) =>
          fields ? (
            <Fields
              fields={fields}
              values={toValues(item)}
              path={`${path}.${index}`}
              isReadOnly={isReadOnly}
              onChange={set}
            />
          ) : (
            <TextItem
              label={`${label} ${index + 1}`}
              path={`${path}.${index}`}
              value={item}
              isReadOnly={isReadOnly}
              onChange={set}
            />
          )
        }
      </ItemList>
      {!isReadOnly && !isFull && (
        <button
          type="button"
          class="add"
          onClick={() => {
            added.current = items.length + 1;
            onChange([...items, fields ? withDefaults({}, fields, blocks) : '']);
          }}
        >
          <Icon name="plus" /> {t('array.add', { label })}
        </button>
      )}
    </>
  );
}

interface TextItemProps {
  label: string;
  path: string;
  value: unknown;
  isReadOnly: boolean;
  onChange(value: string): void;
}

function TextItem({ label, path, value, isReadOnly, onChange }: TextItemProps) {
  const id = useId();
  const problem = useForm().problems.value.get(path);
  return (
    <>
      <input
        id={`field-${path}`}
        type="text"
        dir="auto"
        aria-label={label}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? id : undefined}
        value={typeof value === 'string' ? value : String(value ?? '')}
        readOnly={isReadOnly}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {problem && (
        <p class="error" id={id}>
          {problem}
        </p>
      )}
    </>
  );
}

type Block = Values & { _block?: string };

export function BlocksField(props: ControlProps) {
  const { field, path, value, onChange, isReadOnly } = props;
  const { manifest } = useForm();
  const { messages } = useAdmin();
  const around = useContext(AroundContext);
  const blocks = (Array.isArray(value) ? value : []) as readonly Block[];
  const known = new Map(manifest.blocks.map((block) => [block.name, block]));
  const offered = manifest.blocks.filter(({ name }) => !field.blocks || field.blocks.includes(name));
  const isFull = field.max !== undefined && blocks.length >= field.max;
  const added = useRef<number | undefined>(undefined);
  const copiedKey = useOwnKey('copied-block');
  return (
    <>
      <ItemList<Block>
        items={blocks}
        onChange={onChange}
        {...{ isReadOnly, path, added }}
        nameOf={(block, index) => nameOfBlock(blocks, block, index, { known, around })}
        summaryOf={summaryOf}
        extra={(block) => (
          <button
            type="button"
            class="plain"
            aria-label={t('blocks.copy')}
            title={t('blocks.copy')}
            onClick={() => {
              copyBlock(copiedKey, block);
              messages.notify(t('blocks.copied'));
            }}
          >
            <Icon name="clipboard" />
          </button>
        )}
      >
        {(block, index, set) => (
          <BlockFields
            block={block}
            info={known.get(block._block ?? '')}
            path={`${path}.${index}`}
            isReadOnly={isReadOnly}
            onChange={set}
          />
        )}
      </ItemList>
      {!isReadOnly && !isFull && (
        <BlockMenu
          blocks={offered}
          readCopied={() => readCopiedBlock(copiedKey, offered)}
          onAdd={(block) => {
            added.current = blocks.length + 1;
            const { fields } = known.get(String(block._block)) ?? {};
            onChange(inserted(blocks, blocks.length, withDefaults(block, fields, manifest.blocks)));
          }}
        />
      )}
    </>
  );
}

interface BlockFieldsProps {
  block: Block;
  info: BlockInfo | undefined;
  path: string;
  isReadOnly: boolean;
  onChange(block: Block): void;
}

function BlockFields({ block, info, path, isReadOnly, onChange }: BlockFieldsProps) {
  // A block that the configuration does not have any more is kept as it is.
  if (!info) {
    return (
      <>
        <p class="help">{t('blocks.unknown', { name: block._block ?? '' })}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
        <pre class="raw" id={fieldId(path)} tabIndex={0}>
          {JSON.stringify(block, undefined, 2)}
        </pre>
      </>
    );
  }
  return <Fields fields={info.fields} values={block} path={path} isReadOnly={isReadOnly} onChange={onChange} />;
}

/** "Quote 2": blocks are counted by their label. */
function nameOfBlock(
  blocks: readonly Block[],
  block: Block,
  index: number,
  { known, around }: { known: ReadonlyMap<string, BlockInfo>; around: readonly string[] },
): string {
  const labelOfBlock = ({ _block = '' }: Block): string => labelOf(known.get(_block) ?? { name: _block });
  const label = labelOfBlock(block);
  const number = blocks.slice(0, index).filter((one) => labelOfBlock(one) === label).length + 1;
  return nameOfItem(label, number - 1, around);
}

/** Copied blocks stay in this browser, so that they can be put into another document. */
function copyBlock(key: string, block: Block): void {
  localStorage.setItem(key, JSON.stringify(block));
}

function readCopiedBlock(key: string, offered: readonly BlockInfo[]): Block | undefined {
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  const block = JSON.parse(text) as Block;
  return offered.some(({ name }) => name === block._block) ? block : undefined;
}

interface Columns {
  layout?: unknown;
  slots: readonly (readonly Block[])[];
}

function isColumns(value: unknown): value is Columns & Values {
  const { slots } = toValues(value) as { slots?: unknown };
  return Array.isArray(slots) && slots.every((slot) => Array.isArray(slot));
}

export function ColumnSlots(props: ControlProps) {
  const { field, path, value, onChange, isReadOnly } = props;
  const isEmpty = value === undefined || value === null;
  if (!isEmpty && !isColumns(value)) return <Unknown {...props} />;
  const columns: Columns & Values = isEmpty ? { slots: [] } : value;
  const set = (slots: readonly (readonly Block[])[]): void => onChange({ ...columns, slots });
  return (
    <>
      <div class="columns">
        {columns.slots.map((slot, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity than their place
          <ColumnGroup key={index} name={t('columns.name', { number: index + 1 })}>
            <BlocksField
              {...props}
              field={{ ...field, type: 'blocks' }}
              path={`${path}.slots.${index}`}
              value={slot}
              onChange={(next) =>
                set(columns.slots.map((one, at) => (at === index ? (next as readonly Block[]) : one)))
              }
            />
          </ColumnGroup>
        ))}
      </div>
      {!isReadOnly && (
        <div class="buttons">
          <button type="button" onClick={() => set([...columns.slots, []])}>
            <Icon name="plus" /> {t('columns.add')}
          </button>
          {columns.slots.at(-1)?.length === 0 && (
            <button type="button" onClick={() => set(columns.slots.slice(0, -1))}>
              {t('columns.remove')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function ColumnGroup({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a column
    <div class="column" role="group" aria-label={name}>
      <p class="item-name" aria-hidden="true">
        {name}
      </p>
      {children}
    </div>
  );
}

/** What no control knows is shown and stays as it is. */
export function Unknown(props: ControlProps) {
  return <textarea {...named(props)} class="raw" readOnly value={JSON.stringify(props.value, undefined, 2) ?? ''} />;
}
