// The control of each type of field.
import type { ComponentType } from 'preact';
import type { FieldInfo } from '../config/manifest.ts';
import { Checkbox, FormSelect, MultiSelect, Select } from './choice.tsx';
import type { ControlProps } from './control.ts';
import { DateInput } from './date.tsx';
import { FileField, Gallery } from './file.tsx';
import { Relation } from './relation.tsx';
import { HtmlField, JsonField, RichText } from './source.tsx';
import { ArrayField, BlocksField, ColumnSlots, MapField, ObjectField, Unknown } from './structure.tsx';
import { Tags } from './tags.tsx';
import { Color, NumberInput, Text, TextArea } from './text.tsx';

/**
 * How the field's name gets to its control: by a `label` element, by a `group` around several elements, as `text` for
 * the eye beside a control that names itself, or by the control alone.
 */
export type Frame = 'label' | 'group' | 'text' | 'own';

export interface FieldControl {
  Control: ComponentType<ControlProps>;
  frame: Frame;
}

const CONTROLS: Readonly<Record<string, FieldControl>> = {
  text: { Control: Text, frame: 'label' },
  email: { Control: Text, frame: 'label' },
  url: { Control: Text, frame: 'label' },
  textarea: { Control: TextArea, frame: 'label' },
  richtext: { Control: RichText, frame: 'text' },
  number: { Control: NumberInput, frame: 'label' },
  boolean: { Control: Checkbox, frame: 'own' },
  date: { Control: DateInput, frame: 'label' },
  image: { Control: FileField, frame: 'group' },
  video: { Control: FileField, frame: 'group' },
  audio: { Control: FileField, frame: 'group' },
  file: { Control: FileField, frame: 'group' },
  'image-gallery': { Control: Gallery, frame: 'group' },
  tags: { Control: Tags, frame: 'text' },
  select: { Control: Select, frame: 'label' },
  relation: { Control: Relation, frame: 'text' },
  array: { Control: ArrayField, frame: 'group' },
  object: { Control: ObjectField, frame: 'group' },
  blocks: { Control: BlocksField, frame: 'group' },
  'column-slots': { Control: ColumnSlots, frame: 'group' },
  map: { Control: MapField, frame: 'group' },
  htmldoc: { Control: HtmlField, frame: 'text' },
  interactive: { Control: HtmlField, frame: 'text' },
  form: { Control: FormSelect, frame: 'label' },
  color: { Control: Color, frame: 'label' },
  json: { Control: JsonField, frame: 'text' },
};

const MULTI_SELECT: FieldControl = { Control: MultiSelect, frame: 'group' };
const UNKNOWN: FieldControl = { Control: Unknown, frame: 'label' };

export function controlOf({ type, multiple }: FieldInfo): FieldControl {
  if (type === 'select' && multiple) return MULTI_SELECT;
  return CONTROLS[type] ?? UNKNOWN;
}
